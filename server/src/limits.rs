//! The rate limiter: an exact sliding-window log in memory.
//!
//! A request is admitted if and only if fewer than `limit` requests of its [`Subject`] were admitted
//! in the half-open window `(now − 60 s, now]`. A refused request leaves no trace, so hammering does
//! not postpone the next admission. Limits are 20 to 1000 in a minute, which makes the exact log
//! cheap: eight bytes for every admission that still counts.
//!
//! This module knows nothing of HTTP or keys and never reads a clock; time is an argument.

mod shard;
mod subject;
mod window;

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use shard::Shard;
pub use subject::{Network, Subject};
pub use window::{Verdict, WINDOW};

/// Spreads both lock contention and the work of [`Limiter::sweep`].
const SHARDS: usize = 64;

/// The windows of all subjects. Shared between threads by reference.
#[derive(Debug)]
pub struct Limiter {
    shards: [Mutex<Shard>; SHARDS],
    hasher: RandomState,
    next_sweep: AtomicUsize,
    lifted: bool,
}

impl Limiter {
    /// A limiter in which nothing has been counted.
    ///
    /// About `max_networks` networks get a window of their own. When they are used up, newcomers
    /// share a few overflow windows, so that a flood of addresses cannot grow memory without bound.
    /// Projects always have their own.
    pub fn new(max_networks: usize) -> Self {
        let networks_per_shard = max_networks.div_ceil(SHARDS);
        Self {
            shards: std::array::from_fn(|_| Mutex::new(Shard::new(networks_per_shard))),
            hasher: RandomState::new(),
            next_sweep: AtomicUsize::new(0),
            lifted: false,
        }
    }

    /// A limiter that admits everything and counts nothing. Its verdicts are those on a first request.
    pub fn lifted() -> Self {
        Self {
            lifted: true,
            ..Self::new(0)
        }
    }

    /// Admits and counts a request of `subject`, or refuses it and counts nothing.
    ///
    /// `now` is the time since an arbitrary fixed start, from a clock that never runs backwards. A
    /// changed `limit` holds from this request on.
    pub fn check(&self, subject: Subject, limit: u32, now: Duration) -> Verdict {
        if self.lifted {
            return window::Window::default().check(limit, now);
        }
        let shard = self.hasher.hash_one(subject) as usize;
        self.shard(shard).window_of(subject).check(limit, now)
    }

    /// Forgets the idle subjects of one shard, a different one at each call.
    ///
    /// An idle window is as good as none, so this changes no verdict; it only frees memory. Called
    /// every second it visits every shard about once in a minute.
    pub fn sweep(&self, now: Duration) {
        let shard = self.next_sweep.fetch_add(1, Ordering::Relaxed);
        self.shard(shard).forget_idle(now);
    }

    /// The number of subjects that have a window of their own.
    pub fn subjects(&self) -> usize {
        (0..SHARDS).map(|index| self.shard(index).len()).sum()
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the index is taken modulo the length"
    )]
    fn shard(&self, index: usize) -> MutexGuard<'_, Shard> {
        // A shard is consistent between any two statements, so a panic elsewhere cannot spoil it.
        self.shards[index % SHARDS]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
