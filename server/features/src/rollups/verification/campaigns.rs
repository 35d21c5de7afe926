//! Recomputes the amounts that campaigns have raised from the log of donations.

use std::collections::HashMap;

use super::Drift;
use crate::campaigns::{CampaignBeneficiary, CampaignProgress};
use crate::domain::amount::UsdE6;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::effect::DonationEffect;

#[derive(Debug)]
pub(crate) struct CampaignSums(HashMap<CampaignBeneficiary, Vec<CampaignSum>>);

/// A campaign, its recorded amount, and the sum of the log so far.
#[derive(Debug)]
struct CampaignSum {
    progress: CampaignProgress,
    expected: UsdE6,
}

impl CampaignSums {
    pub(crate) fn new(campaigns: Vec<CampaignProgress>) -> CampaignSums {
        let mut sums: HashMap<_, Vec<CampaignSum>> = HashMap::new();
        for progress in campaigns {
            let of_beneficiary = sums.entry(progress.campaign.beneficiary).or_default();
            of_beneficiary.push(CampaignSum {
                progress,
                expected: UsdE6(0),
            });
        }
        CampaignSums(sums)
    }

    /// Counts a standing donation.
    pub(crate) fn count(&mut self, effect: &DonationEffect) {
        if self.0.is_empty() {
            return;
        }
        for (beneficiary, usd) in &effect.received {
            let campaigns = self.0.get_mut(beneficiary).into_iter().flatten();
            for sum in campaigns.filter(|it| it.progress.campaign.period().includes(effect.at)) {
                sum.expected.0 = sum.expected.0.saturating_add(usd.0);
            }
        }
    }

    /// The campaigns whose recorded amount differs.
    pub(crate) fn drifts(&self) -> impl Iterator<Item = Drift> {
        let raised = |usd| DonationStats {
            usd,
            ..DonationStats::default()
        };
        self.0.values().flatten().filter_map(move |sum| {
            let CampaignProgress {
                campaign,
                raised: recorded,
            } = &sum.progress;
            let name = || format!("campaign {}", campaign.id.0);
            Drift::of(name, raised(*recorded), raised(sum.expected))
        })
    }
}
