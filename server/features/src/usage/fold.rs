//! The folding of minutes into hours and days, and how long each is kept.

use std::collections::BTreeMap;

use super::{Minute, RunId, StatusClass};
use crate::keys::KeyId;
use crate::projects::ProjectId;

/// The most rows of minutes that are folded in one transaction.
pub(super) const MAX_ROWS: usize = 5_000;

/// How long counts are kept, in hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    pub minutes: i64,
    pub hours: i64,
    pub days: i64,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            minutes: 2 * 24,
            hours: 60 * 24,
            days: 400 * 24,
        }
    }
}

/// The count of a minute, not all of it added to its hour and day yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unfolded {
    pub(super) series: Series,
    pub(super) minute: Minute,
    pub(super) run: RunId,
    pub(super) requests: u64,
    /// The part of them that is in hours and days.
    pub(super) folded: u64,
    pub(super) is_coarse: bool,
}

/// The labels of a series of counts over time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Series {
    pub(super) project: ProjectId,
    pub(super) key: KeyId,
    pub(super) operation: String,
    pub(super) class: StatusClass,
}

/// An amount that is added to an hour or a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Addition {
    pub(super) requests: u64,
    pub(super) is_coarse: bool,
}

/// The changes by the folding of some minutes, in the order of rows.
#[derive(Debug, Default)]
pub(super) struct Fold {
    /// By the first minute of the hour.
    pub(super) hours: BTreeMap<(Minute, Series), Addition>,
    /// By the first minute of the day.
    pub(super) days: BTreeMap<(Minute, Series), Addition>,
    /// The last minute in which each key was used.
    pub(super) uses: BTreeMap<(ProjectId, KeyId), Minute>,
}

impl Fold {
    /// The sums of these minutes.
    pub(super) fn of(minutes: &[Unfolded]) -> Self {
        let mut fold = Self::default();
        for row in minutes {
            let steps = [
                (&mut fold.hours, row.minute.hour()),
                (&mut fold.days, row.minute.day()),
            ];
            for (sums, step) in steps {
                let sum = sums.entry((step, row.series.clone())).or_default();
                sum.requests += row.requests.saturating_sub(row.folded);
                sum.is_coarse |= row.is_coarse;
            }
            let used = (row.series.project, row.series.key);
            let last = fold.uses.entry(used).or_insert(row.minute);
            *last = row.minute.max(*last);
        }
        fold
    }
}
