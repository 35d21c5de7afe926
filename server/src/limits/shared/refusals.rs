//! Refusals of Redis that still hold: until the moment that each names, no replica admits the subject.

use std::collections::HashMap;
use std::time::Duration;

use crate::limits::sharded::{SHARDS, Sharded};
use crate::limits::{Subject, Verdict};

/// The refusals that still hold.
///
/// They are for one limit: a tier that was raised may have room, and one that was lowered waits
/// longer, so that both are asked anew.
#[derive(Debug)]
pub(super) struct Refusals {
    shards: Sharded<HashMap<Subject, Refusal>>,
    /// How many a shard remembers at most. Who is forgotten is refused by Redis instead.
    capacity: usize,
}

/// Redis named the moment at which there is room as seen from its answer, which left it between the
/// question and the answer's arrival: here that moment has a lower and an upper bound.
#[derive(Debug, Clone, Copy)]
struct Refusal {
    limit: u32,
    /// Until when there is no room for certain.
    holds_until: Duration,
    /// From when there is room for certain.
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
    pub(super) fn note(
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
