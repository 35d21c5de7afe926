//! Sums of donations.

use jiff::Timestamp;

use crate::domain::amount::UsdE6;

/// The sum of a set of donations.
///
/// Only standing donations count: one that a reorganization took back changes neither the sum, nor the
/// number, nor the dates. So no sum is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DonationStats {
    pub usd: UsdE6,
    pub donations: u64,
    /// When the earliest was made; `None` when there are none.
    pub first: Option<Timestamp>,
    /// When the latest was made; `None` when there are none.
    pub last: Option<Timestamp>,
}

impl DonationStats {
    /// The sum of one donation.
    pub(crate) fn of_one(usd: UsdE6, at: Timestamp) -> DonationStats {
        DonationStats {
            usd,
            donations: 1,
            first: Some(at),
            last: Some(at),
        }
    }

    pub(crate) fn add(&mut self, other: &DonationStats) {
        self.usd = UsdE6(self.usd.0.saturating_add(other.usd.0));
        self.donations = self.donations.saturating_add(other.donations);
        let dates = |one: Option<_>, two: Option<_>| one.into_iter().chain(two);
        self.first = dates(self.first, other.first).min();
        self.last = dates(self.last, other.last).max();
    }
}
