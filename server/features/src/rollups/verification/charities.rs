//! Recomputes the sums of donations to charities from the log of donations.

use std::collections::HashMap;

use super::Drift;
use crate::campaigns::CampaignBeneficiary;
use crate::charities::CharityId;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::effect::DonationEffect;

/// The recorded totals of charities, and the sums of the log so far.
#[derive(Debug)]
pub(crate) struct CharitySums {
    recorded: HashMap<CharityId, DonationStats>,
    expected: HashMap<CharityId, DonationStats>,
}

impl CharitySums {
    pub(crate) fn new(recorded: HashMap<CharityId, DonationStats>) -> CharitySums {
        CharitySums {
            recorded,
            expected: HashMap::new(),
        }
    }

    /// Counts a standing donation.
    pub(crate) fn count(&mut self, effect: &DonationEffect) {
        for (beneficiary, usd) in &effect.received {
            if let CampaignBeneficiary::Charity(charity) = beneficiary {
                let one = DonationStats::of_one(*usd, effect.at);
                self.expected.entry(*charity).or_default().add(&one);
            }
        }
    }

    /// The charities whose recorded total differs.
    pub(crate) fn drifts(mut self) -> Vec<Drift> {
        let mut drifts = Vec::new();
        let mut compare = |charity: CharityId, recorded, expected| {
            let name = || format!("total of charity {}", charity.0);
            drifts.extend(Drift::of(name, recorded, expected));
        };
        for (charity, recorded) in self.recorded {
            let expected = self.expected.remove(&charity).unwrap_or_default();
            compare(charity, recorded, expected);
        }
        for (charity, expected) in self.expected {
            compare(charity, DonationStats::default(), expected);
        }
        drifts
    }
}
