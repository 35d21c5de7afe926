//! A table of subjects in parts, each behind a lock of its own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::hash::SubjectHash;
use super::subject::Subject;

/// Spreads lock contention, and housekeeping over time.
pub(super) const SHARDS: usize = 64;

/// So many `T`, of which each subject belongs to one.
#[derive(Debug)]
pub(super) struct Sharded<T> {
    shards: [Mutex<T>; SHARDS],
    hash: SubjectHash,
    next: AtomicUsize,
}

impl<T> Sharded<T> {
    pub(super) fn new(make: impl Fn(SubjectHash) -> T) -> Self {
        let hash = SubjectHash::random();
        Self {
            shards: std::array::from_fn(|_| Mutex::new(make(hash))),
            hash,
            next: AtomicUsize::new(0),
        }
    }

    /// The number of the shard that `subject` belongs to, below [`SHARDS`].
    pub(super) fn index(&self, subject: Subject) -> usize {
        index(self.hash.of(subject.id()))
    }

    /// The shard that `subject` belongs to.
    pub(super) fn of(&self, subject: Subject) -> MutexGuard<'_, T> {
        self.find(subject).1
    }

    /// The hash of `subject` and the shard that it belongs to.
    pub(super) fn find(&self, subject: Subject) -> (u64, MutexGuard<'_, T>) {
        let hash = self.hash.of(subject.id());
        (hash, self.shard(index(hash)))
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

/// The middle of a hash: tables use its ends.
fn index(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}
