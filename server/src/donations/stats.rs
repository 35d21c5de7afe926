//! Sums of donations.

use jiff::Timestamp;

use crate::domain::amount::UsdE6;

/// The sum of a set of donations.
///
/// Only standing donations count: one that a reorganisation took back changes neither the sum, nor the
/// number, nor the dates. So no sum is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DonationStats {
    /// Their total worth.
    pub usd: UsdE6,
    /// The number of donations.
    pub donations: u64,
    /// When the earliest was made; `None` when there are none.
    pub first: Option<Timestamp>,
    /// When the latest was made; `None` when there are none.
    pub last: Option<Timestamp>,
}
