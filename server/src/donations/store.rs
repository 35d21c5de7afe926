//! The database operations of donations.

use async_trait::async_trait;
use jiff::Timestamp;

use super::ReceivedDonation;
use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::database::StoreError;
use crate::domain::position::Position;

/// The filter of a list of donations; all fields that are set must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DonationFilter {
    /// The chain that a donation was made on.
    pub chain: Option<ChainId>,
    /// The earliest time that a donation was made at.
    pub since: Option<Timestamp>,
}

impl DonationFilter {
    /// The earliest time in milliseconds, rounded up so that no earlier donation matches.
    pub(crate) fn first_millisecond(self) -> i64 {
        let Some(since) = self.since else {
            return i64::MIN;
        };
        let whole = since.as_millisecond();
        whole.saturating_add(i64::from(
            since.as_nanosecond() > i128::from(whole) * 1_000_000,
        ))
    }
}

/// The database operations of donations. See [`Database`](crate::database::Database).
#[async_trait]
pub trait DonationStore {
    /// The donations that a charity received parts of, after a position, latest first; those that were
    /// taken back are left out.
    async fn donations_of_charity(
        &self,
        charity: CharityId,
        filter: DonationFilter,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<ReceivedDonation>, StoreError>;
}
