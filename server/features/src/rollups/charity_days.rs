//! The sums of donations to charities on each day, over all projects: charts of charities, and what all of them
//! received lately.
//!
//! Like [totals](super::charity_totals), a day is written as a change that is added to the row in the database, so that
//! projects' donations are recorded in parallel.

pub(crate) mod sql;

use super::batch::{Direction, Overflow};
use crate::domain::amount::UsdE6;

/// What a charity received on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReceivedOnDay {
    pub usd: UsdE6,
    pub donations: u64,
}

/// How a batch of donations changes the sum of a charity's day.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DayChange {
    /// The sum that it adds; negative if more is taken back than given.
    pub(crate) usd: UsdE6,
    /// The number of donations that it adds, likewise.
    pub(crate) donations: i64,
    /// Whether it takes donations back, so that the day may have none left.
    pub(crate) takes_back: bool,
}

impl DayChange {
    /// The change with one more donation.
    pub(crate) fn after(self, usd: UsdE6, direction: Direction) -> Result<DayChange, Overflow> {
        let (usd, donations) = match direction {
            Direction::Given => (usd.0, 1),
            Direction::TakenBack => (-usd.0, -1),
        };
        Ok(DayChange {
            usd: UsdE6(self.usd.0.checked_add(usd).ok_or(Overflow)?),
            donations: self.donations + donations,
            takes_back: self.takes_back || direction == Direction::TakenBack,
        })
    }
}
