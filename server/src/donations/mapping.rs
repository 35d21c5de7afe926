//! Maps donations and their sums to the contract's models.

use generated::models;

use super::{DonationStats, ReceivedDonation};
use crate::mapping::timestamp;
use crate::tokens;

/// Maps sums of donations.
pub(crate) fn stats(stats: &DonationStats) -> models::DonationStats {
    models::DonationStats {
        usd_donated_e6: stats.usd.to_string(),
        donation_count: stats.donations.to_string(),
        first_donation_date: stats.first.map(timestamp),
        last_donation_date: stats.last.map(timestamp),
    }
}

/// A donation as a charity received it.
pub(crate) fn received(donation: &ReceivedDonation) -> models::ReceivedDonation {
    let chain_id = donation.token.id.chain.get();
    let (transaction, log) = (&donation.transaction, donation.log_index);
    models::ReceivedDonation {
        id: format!("{chain_id}-{transaction}-{log}"),
        chain_id,
        token: tokens::mapping::token_summary(&donation.token),
        amount: donation.amount.to_string(),
        usd_e6: donation.usd.to_string(),
        received_usd_e6: donation.received.to_string(),
        donated_at: timestamp(donation.at),
        transaction_hash: transaction.clone(),
    }
}
