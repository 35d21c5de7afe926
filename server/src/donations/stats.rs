//! Sums of donations.

use jiff::Timestamp;

use crate::domain::amount::UsdE6;

/// The sum of a set of donations.
///
/// Only donations that stand count: one that a reorganisation took back leaves no trace here, in
/// the sum, the number or the dates. So no sum is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DonationStats {
    /// Their total worth.
    pub usd: UsdE6,
    /// How many they are.
    pub donations: u64,
    /// When the earliest was made; `None` when there are none.
    pub first: Option<Timestamp>,
    /// When the latest was made; `None` when there are none.
    pub last: Option<Timestamp>,
}
