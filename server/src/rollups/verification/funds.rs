//! What campaigns raise, as the log of donations says.

use std::collections::HashMap;

use super::Drift;
use crate::campaigns::{Campaign, CampaignBeneficiary, CampaignProgress};
use crate::domain::amount::UsdE6;
use crate::donations::DonationStats;
use crate::donations::effect::Posting;

/// All campaigns, by whom they serve.
#[derive(Debug)]
pub(crate) struct Funds(HashMap<CampaignBeneficiary, Vec<Fund>>);

/// A campaign, what is recorded of it, and what the log says so far.
#[derive(Debug)]
struct Fund {
    progress: CampaignProgress,
    expected: UsdE6,
}

impl Funds {
    pub(crate) fn new(campaigns: Vec<CampaignProgress>) -> Funds {
        let mut funds: HashMap<_, Vec<Fund>> = HashMap::new();
        for progress in campaigns {
            let of_beneficiary = funds.entry(progress.campaign.beneficiary).or_default();
            of_beneficiary.push(Fund {
                progress,
                expected: UsdE6(0),
            });
        }
        Funds(funds)
    }

    /// Counts a standing donation.
    pub(crate) fn count(&mut self, posting: &Posting) {
        if self.0.is_empty() {
            return;
        }
        let whole = (CampaignBeneficiary::Config(posting.config), posting.usd);
        let shares = posting.shares.iter();
        let shares = shares.map(|(charity, usd)| (CampaignBeneficiary::Charity(*charity), *usd));
        for (beneficiary, usd) in std::iter::once(whole).chain(shares) {
            let funds = self.0.get_mut(&beneficiary).into_iter().flatten();
            for fund in funds.filter(|fund| runs(&fund.progress.campaign, posting)) {
                fund.expected.0 = fund.expected.0.saturating_add(usd.0);
            }
        }
    }

    /// Where what is recorded differs.
    pub(crate) fn drifts(&self) -> impl Iterator<Item = Drift> {
        let raised = |usd| DonationStats {
            usd,
            ..DonationStats::default()
        };
        self.0.values().flatten().filter_map(move |fund| {
            let CampaignProgress {
                campaign,
                raised: recorded,
            } = &fund.progress;
            let rollup = || format!("campaign {}", campaign.id.0);
            Drift::of(rollup, raised(*recorded), raised(fund.expected))
        })
    }
}

/// Whether a campaign runs when a donation is given.
fn runs(campaign: &Campaign, posting: &Posting) -> bool {
    campaign.starts_at <= posting.at && campaign.ends_at.is_none_or(|end| posting.at < end)
}
