//! A map from keys to shards, each behind a lock of its own.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::quality::RandomState;

/// The number of shards: threads seldom wait for each other, and maintenance locks one shard at a time.
pub(super) const SHARDS: usize = 64;

/// [`SHARDS`] values of `T`; each key belongs to one. The choice depends on a secret of the process, so
/// that clients cannot direct many keys to one shard.
#[derive(Debug)]
pub(super) struct Sharded<T> {
    shards: [Mutex<T>; SHARDS],
    hasher: RandomState,
    next: AtomicUsize,
}

impl<T: Default> Default for Sharded<T> {
    fn default() -> Self {
        Self {
            shards: std::array::from_fn(|_| Mutex::default()),
            hasher: RandomState::default(),
            next: AtomicUsize::new(0),
        }
    }
}

impl<T> Sharded<T> {
    /// The shard that `key` belongs to.
    pub(super) fn of(&self, key: impl Hash) -> MutexGuard<'_, T> {
        self.shard(self.hasher.hash_one(key) as usize)
    }

    /// A different shard at each call, all of them in turn.
    pub(super) fn next(&self) -> MutexGuard<'_, T> {
        self.shard(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Every shard, locked one at a time.
    pub(super) fn each(&self) -> impl Iterator<Item = MutexGuard<'_, T>> {
        (0..SHARDS).map(|index| self.shard(index))
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the index is taken modulo the length"
    )]
    fn shard(&self, index: usize) -> MutexGuard<'_, T> {
        // A shard is consistent between any two statements, so a panic elsewhere cannot spoil it.
        self.shards[index % SHARDS]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
