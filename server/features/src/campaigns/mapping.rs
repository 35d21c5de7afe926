//! Maps campaigns to the contract's models.

use generated::models;

use super::{CampaignBeneficiary, CampaignProgress, CampaignStatus};
use crate::charities::mapping::charity_summary;
use crate::charities::{Charity, CharityId};
use crate::configs::mapping::config_id;
use crate::mapping::timestamp;

/// A campaign with its status at a time; `None` if its charity is unknown.
pub(crate) fn campaign<'c>(
    progress: &CampaignProgress,
    status: CampaignStatus,
    charity: impl Fn(CharityId) -> Option<&'c Charity>,
) -> Option<models::Campaign> {
    let campaign = &progress.campaign;
    Some(models::Campaign {
        id: campaign.id.0.into(),
        title: campaign.title.clone(),
        description: campaign.description.clone(),
        beneficiary: match &campaign.beneficiary {
            CampaignBeneficiary::Charity(id) => models::CampaignBeneficiary::CharityBeneficiary(
                models::CharityBeneficiary::new(charity_summary(charity(*id)?)),
            ),
            CampaignBeneficiary::Config(id) => models::CampaignBeneficiary::ConfigBeneficiary(
                models::ConfigBeneficiary::new(config_id(*id)),
            ),
        },
        usd_goal_e6: campaign.goal.to_string(),
        usd_raised_e6: progress.raised.to_string(),
        starts_at: timestamp(campaign.starts_at),
        ends_at: campaign.ends_at.map(timestamp),
        status: match status {
            CampaignStatus::Upcoming => models::CampaignStatus::Upcoming,
            CampaignStatus::Active => models::CampaignStatus::Active,
            CampaignStatus::Ended => models::CampaignStatus::Ended,
        },
    })
}
