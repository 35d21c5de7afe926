//! Donations as rows of tables.

use jiff::Timestamp;

use super::time::Time;
use crate::money;
use crate::public_pages;
use features::catalogue::Snapshot;
use features::donations::ListedDonation;

/// A donation as a row.
pub(super) struct DonationRow {
    pub(super) at: Time,
    pub(super) usd: String,
    /// Its amount in its token.
    pub(super) given: String,
    pub(super) chain: String,
    pub(super) transaction: String,
    /// The transaction's page in the explorer of its chain.
    pub(super) explorer: Option<String>,
}

impl DonationRow {
    pub(super) fn new(donation: &ListedDonation, snapshot: &Snapshot, now: Timestamp) -> Self {
        let token = &donation.token;
        let chain = snapshot.chains.find(token.id.chain);
        Self {
            at: Time::new(donation.at, now),
            usd: money::dollars(donation.usd),
            given: format!(
                "{} {}",
                money::tokens(donation.amount, token.decimals),
                token.symbol
            ),
            chain: chain.map_or_else(String::new, |chain| chain.name.clone()),
            transaction: donation.transaction.clone(),
            explorer: public_pages::transaction_url(&donation.transaction, chain),
        }
    }
}
