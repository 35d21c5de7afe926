//! Counters of requests, in memory.
//!
//! The recorder adds requests in batches, a lock at a time that few other projects share. A request allocates only
//! where it is the first of its kind since the counters were taken.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::StatusClass;
use crate::keys::KeyId;
use crate::projects::ProjectId;

/// The labels of a counter: requests that agree in all of them are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CountKey {
    pub(super) project: ProjectId,
    pub(super) key: KeyId,
    pub(super) operation: &'static str,
    pub(super) class: StatusClass,
}

const SHARDS: usize = 64;

/// Values of `T`, sharded by project so that requests of few projects share a lock.
#[derive(Debug)]
pub(super) struct ByProject<T>([Mutex<T>; SHARDS]);

impl<T: Default> Default for ByProject<T> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl<T> ByProject<T> {
    /// The value of a project, locked. The last bits of its id are random.
    #[expect(
        clippy::indexing_slicing,
        reason = "the index is taken modulo the length"
    )]
    pub(super) fn of(&self, project: ProjectId) -> MutexGuard<'_, T> {
        let index = project.0.as_u128() as usize % SHARDS;
        lock(&self.0[index])
    }

    /// Every value, locked one at a time.
    pub(super) fn each(&self) -> impl Iterator<Item = MutexGuard<'_, T>> {
        self.0.iter().map(lock)
    }
}

/// Locks a value, poisoned or not: it is consistent between any two statements, whatever panicked.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A map with keys that no client chooses: its hash is fast, and no defence against collisions.
pub(super) type OwnMap<K, V> = FxHashMap<K, V>;

/// The requests since the counters were last taken.
#[derive(Debug, Default)]
pub(super) struct Counters(ByProject<OwnMap<CountKey, u64>>);

impl Counters {
    /// Counts a request.
    pub(super) fn add(&self, key: CountKey) {
        *self.0.of(key.project).entry(key).or_default() += 1;
    }

    /// Takes all counts, and begins at zero again.
    pub(super) fn take(&self, mut each: impl FnMut(CountKey, u64)) {
        let mut taken = OwnMap::default();
        for mut shard in self.0.each() {
            mem::swap(&mut *shard, &mut taken);
            drop(shard);
            taken
                .drain()
                .for_each(|(key, requests)| each(key, requests));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;
    use std::thread;

    use uuid::Uuid;

    use super::*;

    fn key(project: u128, operation: &'static str) -> CountKey {
        CountKey {
            project: ProjectId(Uuid::from_u128(project)),
            key: KeyId(Uuid::from_u128(project)),
            operation,
            class: StatusClass::Success,
        }
    }

    #[test]
    fn requests_of_all_threads_are_counted_once() {
        let counters = Arc::new(Counters::default());
        let mut total = 0;
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for number in 0..1000 {
                        counters.add(key(number % 7, "a"));
                        counters.add(key(number % 7, "b"));
                    }
                });
            }
            for _ in 0..10 {
                counters.take(|_, requests| total += requests);
            }
        });
        counters.take(|_, requests| total += requests);
        assert_eq!(total, 8000);
        counters.take(|key, _| panic!("{key:?} was taken before"));
    }

    #[test]
    fn different_requests_are_told_apart() {
        let counters = Counters::default();
        for (project, operation) in [(1, "a"), (1, "b"), (65, "a"), (1, "a")] {
            counters.add(key(project, operation));
        }
        let mut taken = HashMap::new();
        counters.take(|key, requests| assert_eq!(taken.insert(key, requests), None));
        assert_eq!(taken.len(), 3);
        assert_eq!(taken[&key(1, "a")], 2);
    }
}
