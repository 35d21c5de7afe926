//! Limits how many requests of one subject are answered at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::subject::Subject;
use crate::reloadable::Reloadable;

/// The smallest number of subjects at which those without requests are removed.
const SWEPT: usize = 1024;

/// The requests that are being answered, by subject.
#[derive(Debug)]
pub struct Concurrency {
    table: Mutex<Table>,
    max: Reloadable<usize>,
}

/// A request that is counted until this is dropped.
#[derive(Debug)]
pub struct Counted {
    _shared: Arc<()>,
}

/// Each subject's value is shared with its requests, whose number is thereby known. Ending a request
/// locks nothing.
#[derive(Debug, Default)]
struct Table {
    subjects: HashMap<Subject, Arc<()>>,
    /// The number of subjects after the last sweep.
    swept: usize,
}

impl Concurrency {
    /// No requests yet, and at most `max` of each subject. A change applies from the next one on.
    pub fn new(max: Reloadable<usize>) -> Self {
        Self {
            table: Mutex::default(),
            max,
        }
    }

    /// Counts one more request of `subject`; `None` if it has as many as it may.
    pub fn enter(&self, subject: Subject) -> Option<Counted> {
        let max = **self.max.get();
        // The table is consistent between any two statements, so a panic elsewhere cannot spoil it.
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.sweep();
        let shared = table.subjects.entry(subject).or_default();
        let others = Arc::strong_count(shared) - 1;
        (others < max).then(|| Counted {
            _shared: Arc::clone(shared),
        })
    }
}

impl Table {
    /// Removes the subjects without requests once there may be as many of them as of others, so that
    /// the table is never larger than twice the requests that are being answered, or [`SWEPT`].
    fn sweep(&mut self) {
        if self.subjects.len() > SWEPT.max(2 * self.swept) {
            self.subjects
                .retain(|_, shared| Arc::strong_count(shared) > 1);
            self.swept = self.subjects.len();
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
        for number in 0..100_000 {
            concurrency.enter(subject(100 + number));
        }
        let table = concurrency.table.lock().unwrap();
        assert!(
            table.subjects.len() <= SWEPT + 1,
            "{}",
            table.subjects.len()
        );
        assert!((0..10).all(|it| table.subjects.contains_key(&subject(it))));
        drop(held);
    }
}
