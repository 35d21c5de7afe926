//! Maps donations and their sums to the contract's models.

use generated::models;

use super::{ListedDonation, ReceivedDonation, SplitDonation};
use crate::charities::{self, Charity, CharityId};
use crate::domain::amount::UsdE6;
use crate::domain::donation_stats::DonationStats;
use crate::mapping::timestamp;
use crate::tokens;

/// Maps sums of donations.
pub fn stats(stats: &DonationStats) -> models::DonationStats {
    models::DonationStats {
        usd_donated_e6: stats.usd.to_string(),
        donation_count: stats.donations.to_string(),
        first_donation_date: stats.first.map(timestamp),
        last_donation_date: stats.last.map(timestamp),
    }
}

pub(crate) fn id(donation: &ListedDonation) -> String {
    let chain_id = donation.token.id.chain.get();
    let (transaction, log) = (&donation.transaction, donation.log_index);
    format!("{chain_id}-{transaction}-{log}")
}

/// A donation as a charity received it.
pub(crate) fn received(received: &ReceivedDonation) -> models::ReceivedDonation {
    let donation = &received.donation;
    models::ReceivedDonation {
        id: id(donation),
        chain_id: donation.token.id.chain.get(),
        token: tokens::mapping::token_summary(&donation.token),
        amount: donation.amount.to_string(),
        usd_donated_e6: donation.usd.to_string(),
        usd_received_e6: received.received.to_string(),
        donated_at: timestamp(donation.at),
        transaction_hash: donation.transaction.clone(),
    }
}

/// A donation with the parts of charities; `None` if one of them is unknown.
pub(crate) fn split<'c>(
    split: &SplitDonation,
    charity: impl Fn(CharityId) -> Option<&'c Charity>,
) -> Option<models::SplitDonation> {
    let donation = &split.donation;
    let share = |(id, received): &(CharityId, UsdE6)| {
        Some(models::DonationShare {
            charity: charities::mapping::charity_summary(charity(*id)?),
            usd_received_e6: received.to_string(),
        })
    };
    Some(models::SplitDonation {
        id: id(donation),
        chain_id: donation.token.id.chain.get(),
        token: tokens::mapping::token_summary(&donation.token),
        amount: donation.amount.to_string(),
        usd_donated_e6: donation.usd.to_string(),
        shares: split.shares.iter().map(share).collect::<Option<_>>()?,
        donated_at: timestamp(donation.at),
        transaction_hash: donation.transaction.clone(),
    })
}
