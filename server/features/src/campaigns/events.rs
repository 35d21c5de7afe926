//! The events of campaigns.

use db::{DbError, Tx};
use generated::Encoded;
use jiff::Timestamp;

use super::{CampaignBeneficiary, CampaignId, CampaignProgress, mapping, sql};
use crate::charities::{Charity, sql as stored_charities};
use crate::configs::sql::Configs;
use crate::domain::amount::UsdE6;
use crate::events::{EventType, sql as events};

/// Enqueues the event that a campaign has reached its goal: for the project of the config that it is for, or for
/// every project that wants to know of a campaign for a charity.
pub(crate) fn enqueue_goal_reached(
    tx: &Tx<'_>,
    (campaign, beneficiary): (CampaignId, CampaignBeneficiary),
    raised: UsdE6,
    at: Timestamp,
) -> Result<(), DbError> {
    let (audience, charity) = match beneficiary {
        CampaignBeneficiary::Config(config) => {
            let configs = Configs::load(tx, [config])?;
            let project = configs.get(config)?.project;
            (events::audience(tx, [project])?, None)
        }
        CampaignBeneficiary::Charity(charity) => (
            events::audience_of_all(tx)?,
            stored_charities::find(tx, charity)?,
        ),
    };
    let Some(campaign) = sql::find(tx, campaign)? else {
        return Ok(());
    };
    let data = data(CampaignProgress { campaign, raised }, charity.as_ref(), at)?;
    let reached = audience.events(EventType::CampaignGoalReached, at, &data);
    events::enqueue(tx, &audience, &reached)
}

/// A campaign as the API would return it, in JSON; its charity, if it is for one.
fn data(
    progress: CampaignProgress,
    charity: Option<&Charity>,
    at: Timestamp,
) -> Result<Vec<u8>, DbError> {
    let unfit = || DbError::Corrupt("a campaign cannot be encoded as an event".to_owned());
    let status = progress.campaign.status(at);
    let charity = |_| charity;
    let shown = mapping::campaign(&progress, status, charity);
    let shown = Encoded::from(shown.ok_or_else(unfit)?);
    Ok(shown.bytes().map_err(|_| unfit())?.to_vec())
}
