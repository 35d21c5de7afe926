//! Campaigns: fundraising for a charity or a config, with a goal and a time.

mod api;
mod campaign;
mod catalogue;
pub(crate) mod events;
pub(crate) mod mapping;
pub(crate) mod sql;

pub use campaign::{
    Campaign, CampaignBeneficiary, CampaignId, CampaignProgress, CampaignStatus, Period,
};
pub use catalogue::Campaigns;
