//! Limits how many requests of one subject are answered at the same time.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::HashMap;
use super::sharded::Sharded;
use super::subject::Subject;
use crate::reloadable::Reloadable;

/// The requests that are being answered, by subject.
#[derive(Debug)]
pub struct Concurrency {
    counts: Arc<Counts>,
    max: Reloadable<usize>,
}

/// A request that is counted until this is dropped.
#[derive(Debug)]
pub struct Counted {
    counts: Arc<Counts>,
    subject: Subject,
}

/// The number of requests of each subject that has any.
#[derive(Debug, Default)]
struct Counts(Sharded<HashMap<Subject, usize>>);

impl Concurrency {
    /// No requests yet, and at most `max` of each subject. A change applies from the next one on.
    pub fn new(max: Reloadable<usize>) -> Self {
        Self {
            counts: Arc::default(),
            max,
        }
    }

    /// Counts one more request of `subject`; `None` if it has as many as it may.
    pub fn enter(&self, subject: Subject) -> Option<Counted> {
        let max = **self.max.get();
        self.counts.add(subject, max).then(|| Counted {
            counts: Arc::clone(&self.counts),
            subject,
        })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.counts.remove(self.subject);
    }
}

impl Counts {
    /// Counts one more, unless there are `max`.
    fn add(&self, subject: Subject, max: usize) -> bool {
        match self.0.of(subject).entry(subject) {
            Entry::Occupied(mut count) if *count.get() < max => *count.get_mut() += 1,
            Entry::Vacant(none) if max > 0 => _ = none.insert(1),
            _ => return false,
        }
        true
    }

    /// Counts one less.
    fn remove(&self, subject: Subject) {
        if let Entry::Occupied(mut count) = self.0.of(subject).entry(subject) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn subject(number: u32) -> Subject {
        IpAddr::from(Ipv4Addr::from_bits(number)).into()
    }

    #[test]
    fn a_subject_has_as_many_requests_as_it_may() {
        let concurrency = Concurrency::new(Reloadable::new(2));
        let first = concurrency.enter(subject(1));
        let second = concurrency.enter(subject(1));
        assert!(first.is_some() && second.is_some());
        assert!(concurrency.enter(subject(1)).is_none());
        assert!(concurrency.enter(subject(2)).is_some(), "another one");
        drop(first);
        assert!(concurrency.enter(subject(1)).is_some());
    }

    #[test]
    fn subjects_without_requests_are_forgotten() {
        let concurrency = Concurrency::new(Reloadable::new(1));
        let held: Vec<_> = (0..10).map(|it| concurrency.enter(subject(it))).collect();
        for number in 0..1000 {
            concurrency.enter(subject(100 + number));
        }
        let subjects = || {
            concurrency
                .counts
                .0
                .each()
                .map(|shard| shard.len())
                .sum::<usize>()
        };
        assert_eq!(subjects(), 10);
        drop(held);
        assert_eq!(subjects(), 0);
    }
}
