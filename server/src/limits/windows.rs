//! The windows of all subjects in the memory of one process.

use std::time::Duration;

use super::shard::Shard;
use super::sharded::{SHARDS, Sharded};
use super::subject::Subject;
use super::window::{Verdict, Window};

/// The windows of all subjects. Shared between threads by reference.
///
/// Time is an argument: the time since an arbitrary fixed start, from a clock that never runs
/// backwards.
#[derive(Debug)]
pub struct Windows {
    shards: Sharded<Shard>,
}

impl Windows {
    /// Windows in which nothing has been counted.
    ///
    /// About `max_networks` networks get a window of their own. When they are used up, newcomers
    /// share a few overflow windows, so that a flood of addresses cannot grow memory without bound.
    /// Projects always have their own.
    pub fn new(max_networks: usize) -> Self {
        let networks_per_shard = max_networks.div_ceil(SHARDS);
        Self {
            shards: Sharded::new(|hash| Shard::new(hash, networks_per_shard)),
        }
    }

    /// Admits and counts a request of `subject`, or refuses it and counts nothing.
    ///
    /// A changed `limit` holds from this request on.
    pub fn check(&self, subject: Subject, limit: u32, now: Duration) -> Verdict {
        let (hash, mut shard) = self.shards.find(subject);
        shard.window_of(subject, hash).check(limit, now)
    }

    /// Counts a request that was admitted at `at` by another rule than [`Self::check`].
    pub fn record(&self, subject: Subject, at: Duration) {
        let (hash, mut shard) = self.shards.find(subject);
        shard.window_of(subject, hash).record(at);
    }

    /// The overflow window that `subject` shares with others, by number; `None` if it has one of its
    /// own, or would get one.
    pub(super) fn overflow(&self, subject: Subject) -> Option<usize> {
        let index = self.shards.index(subject);
        let (hash, shard) = self.shards.find(subject);
        let own = shard.has_place_for(subject, hash);
        (!own).then_some(index)
    }

    /// Forgets the idle subjects of one shard, a different one at each call.
    ///
    /// An idle window is as good as none, so this changes no verdict; it only frees memory. Called
    /// twice a second it visits every shard about twice in a minute.
    pub fn sweep(&self, now: Duration) {
        self.shards.next().forget_idle(now);
    }

    /// The number of subjects that have a window of their own.
    pub fn subjects(&self) -> usize {
        self.shards.each().map(|shard| shard.len()).sum()
    }

    /// Shows every window that is a subject's own, a shard at a time.
    pub(super) fn visit(&self, mut visitor: impl FnMut(Subject, &mut Window)) {
        for mut shard in self.shards.each() {
            shard.visit(&mut visitor);
        }
    }
}
