//! Maps sums of donations to the contract's models.

use generated::models;

use super::DonationStats;
use crate::mapping::timestamp;

/// Maps sums of donations.
pub(crate) fn stats(stats: &DonationStats) -> models::DonationStats {
    models::DonationStats {
        usd_donated_e6: stats.usd.to_string(),
        donation_count: stats.donations.to_string(),
        first_donation_date: stats.first.map(timestamp),
        last_donation_date: stats.last.map(timestamp),
    }
}
