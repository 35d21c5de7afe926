//! Refusals of Redis that still hold: until the moment that each names, no replica admits the subject.

use std::time::Duration;

use crate::limits::sharded::{SHARDS, Sharded};
use crate::limits::{HashMap, Subject, Verdict};

/// The refusals that are still in force.
///
/// They are for one limit: under a raised limit there may be a free place, and under a lowered one the
/// wait is longer, so that Redis is asked again in both cases.
#[derive(Debug)]
pub(super) struct Refusals {
    shards: Sharded<HashMap<Subject, Refusal>>,
    /// The maximum number of refusals of a shard. Forgotten subjects are refused by Redis instead.
    capacity: usize,
}

/// The time at which Redis said that a place becomes free. It is relative to the time of its answer,
/// which is between the question and the answer's arrival, so that it has a lower and an upper bound
/// here.
#[derive(Debug, Clone, Copy)]
struct Refusal {
    limit: u32,
    /// The lower bound: until then there is certainly no free place.
    holds_until: Duration,
    /// The upper bound: from then on there certainly is one.
    retry_at: Duration,
    reset_at: Duration,
}

impl Refusals {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            shards: Sharded::default(),
            capacity: capacity.div_ceil(SHARDS),
        }
    }

    /// The refusal that still holds, if there is one.
    pub(super) fn refusal(&self, subject: Subject, limit: u32, now: Duration) -> Option<Verdict> {
        let refusal = *self.shards.of(subject).get(&subject)?;
        (refusal.limit == limit && now < refusal.holds_until).then(|| Verdict {
            limit,
            remaining: 0,
            reset_in: refusal.reset_at.saturating_sub(now),
            retry_in: Some(refusal.retry_at.saturating_sub(now)),
        })
    }

    /// Remembers a refusal that was asked for at `sent` and arrived at `received`.
    pub(super) fn record(
        &self,
        subject: Subject,
        verdict: Verdict,
        sent: Duration,
        received: Duration,
    ) {
        let Some(wait) = verdict.retry_in else { return };
        let refusal = Refusal {
            limit: verdict.limit,
            holds_until: sent + wait,
            retry_at: received + wait,
            reset_at: received + verdict.reset_in,
        };
        let mut shard = self.shards.of(subject);
        if shard.len() < self.capacity || shard.contains_key(&subject) {
            shard.insert(subject, refusal);
        }
    }

    /// Forgets the refusals that no longer hold in one shard, a different one at each call.
    pub(super) fn sweep(&self, now: Duration) {
        let mut shard = self.shards.next();
        shard.retain(|_, refusal| now < refusal.holds_until);
    }
}
