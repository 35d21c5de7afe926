//! The counts of minutes that wait to be stored.

use std::collections::HashMap;

use super::counters::CountKey;
use super::{Minute, MinuteCount};

/// The bounds of the counts in memory, of about 150 bytes each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// While more than these wait to be stored, an hour is counted as one minute.
    pub(super) fine: usize,
    /// The most counts; the requests of further ones are lost.
    pub(super) most: usize,
    /// The hours after which a count that cannot be stored is given up.
    pub(super) hours: i64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            fine: 50_000,
            most: 200_000,
            // Minutes are deleted after two days: one that is stored later would be added to hours again.
            hours: 36,
        }
    }
}

/// The counts of minutes that are not over or not stored.
///
/// The minute that requests are added to never goes back, whatever the clock does. So a count that was
/// forgotten, because its minute was over and it was stored, never begins again at zero.
#[derive(Debug)]
pub(super) struct Pending {
    bounds: Bounds,
    /// The minute that requests are added to.
    minute: Minute,
    counts: HashMap<(Minute, CountKey), Count>,
    /// The requests that could not be kept, ever.
    lost: u64,
}

#[derive(Debug, Default)]
struct Count {
    requests: u64,
    stored: u64,
    is_coarse: bool,
}

impl Count {
    fn is_stored(&self) -> bool {
        self.stored == self.requests
    }
}

impl Pending {
    pub(super) fn new(now: Minute, bounds: Bounds) -> Self {
        Self {
            bounds,
            minute: now,
            counts: HashMap::new(),
            lost: 0,
        }
    }

    /// Adds requests that have ended since the last call of [`Self::advance`].
    pub(super) fn add(&mut self, key: CountKey, requests: u64, now: Minute) {
        let has_room = self.counts.len() < self.bounds.most;
        let cell = (self.minute, key);
        if !has_room && !self.counts.contains_key(&cell) {
            self.lost += requests;
            return;
        }
        let count = self.counts.entry(cell).or_default();
        count.requests += requests;
        // The requests of the last second before a minute are counted when it has begun.
        count.is_coarse |= now.0 > self.minute.0 + 1;
    }

    /// Goes on to the minute `now`, and forgets counts that are over and stored, or too old.
    pub(super) fn advance(&mut self, now: Minute) {
        let is_coarse = self.counts.len() > self.bounds.fine && self.unstored() > self.bounds.fine;
        if !is_coarse || now.0 >= self.minute.0 + 60 {
            self.minute = self.minute.max(now);
        }
        let oldest = self.minute.hours_before(self.bounds.hours);
        let (minute, lost) = (self.minute, &mut self.lost);
        self.counts.retain(|(of, _), count| {
            if *of < oldest && !count.is_stored() {
                *lost += count.requests - count.stored;
            }
            *of >= oldest && (*of >= minute || !count.is_stored())
        });
    }

    /// Some counts to store.
    pub(super) fn batch(&self, most: usize) -> Vec<MinuteCount> {
        let unstored = self.counts.iter().filter(|(_, count)| !count.is_stored());
        let batch = unstored
            .take(most)
            .map(|((minute, key), count)| MinuteCount {
                minute: *minute,
                project: key.project,
                key: key.key,
                operation: key.operation,
                class: key.class,
                requests: count.requests,
                is_coarse: count.is_coarse,
            });
        batch.collect()
    }

    pub(super) fn mark_stored(&mut self, batch: &[MinuteCount]) {
        for stored in batch {
            let key = CountKey {
                project: stored.project,
                key: stored.key,
                operation: stored.operation,
                class: stored.class,
            };
            if let Some(count) = self.counts.get_mut(&(stored.minute, key)) {
                count.stored = count.stored.max(stored.requests);
            }
        }
    }

    /// How many counts are not stored.
    pub(super) fn unstored(&self) -> usize {
        let unstored = self.counts.values().filter(|count| !count.is_stored());
        unstored.count()
    }

    /// How many requests could not be kept, ever.
    pub(super) fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::keys::KeyId;
    use crate::projects::ProjectId;
    use crate::usage::StatusClass;

    fn key(number: u128) -> CountKey {
        CountKey {
            project: ProjectId(Uuid::from_u128(1)),
            key: KeyId(Uuid::from_u128(number)),
            operation: "configs.list",
            class: StatusClass::Success,
        }
    }

    fn add(pending: &mut Pending, number: u128, now: i64) {
        pending.add(key(number), 1, Minute(now));
        pending.advance(Minute(now));
    }

    /// The minute and the requests of each count to store.
    fn waiting(pending: &Pending) -> Vec<(i64, u64, bool)> {
        let batch = pending.batch(usize::MAX);
        let mut waiting: Vec<_> = batch
            .iter()
            .map(|it| (it.minute.0, it.requests, it.is_coarse))
            .collect();
        waiting.sort_unstable();
        waiting
    }

    fn store(pending: &mut Pending) {
        let batch = pending.batch(usize::MAX);
        pending.mark_stored(&batch);
    }

    #[test]
    fn a_count_of_a_minute_only_grows_and_is_sent_whole() {
        let mut pending = Pending::new(Minute(10), Bounds::default());
        add(&mut pending, 1, 10);
        assert_eq!(waiting(&pending), [(10, 1, false)]);
        store(&mut pending);
        assert_eq!(waiting(&pending), []);
        add(&mut pending, 1, 10);
        let sent = pending.batch(usize::MAX);
        add(&mut pending, 1, 10);
        pending.mark_stored(&sent);
        assert_eq!(waiting(&pending), [(10, 3, false)]);
        // The clock is set back: requests are added to the minute that was reached.
        store(&mut pending);
        add(&mut pending, 1, 11);
        store(&mut pending);
        add(&mut pending, 1, 9);
        assert_eq!(waiting(&pending), [(11, 1, false)]);
        store(&mut pending);
        pending.advance(Minute(12));
        assert!(pending.counts.is_empty(), "what is over is forgotten");
    }

    #[test]
    fn hours_are_counted_where_many_minutes_wait() {
        let bounds = Bounds {
            fine: 2,
            ..Bounds::default()
        };
        let mut pending = Pending::new(Minute(10), bounds);
        for now in 10..200 {
            add(&mut pending, 1, now);
        }
        let counts = waiting(&pending);
        assert!(counts.len() < 8, "{counts:?}");
        assert_eq!(counts.iter().map(|count| count.1).sum::<u64>(), 190);
        assert!(counts.last().unwrap().2, "{counts:?}");
        assert!(!counts.first().unwrap().2, "{counts:?}");
        store(&mut pending);
        pending.advance(Minute(200));
        add(&mut pending, 1, 200);
        assert_eq!(waiting(&pending), [(200, 1, false)]);
        assert_eq!(pending.lost(), 0);
    }

    #[test]
    fn memory_is_bounded_and_what_is_lost_is_told() {
        let bounds = Bounds {
            fine: 2,
            most: 10,
            hours: 1,
        };
        let mut pending = Pending::new(Minute(0), bounds);
        for number in 0..15 {
            add(&mut pending, number, 0);
        }
        assert_eq!((pending.unstored(), pending.lost()), (10, 5));
        pending.advance(Minute(1000));
        assert_eq!((pending.unstored(), pending.lost()), (0, 15));
    }
}
