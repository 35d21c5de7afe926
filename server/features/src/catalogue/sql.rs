//! Reads the catalog.

use std::collections::BTreeSet;

use db::{DbError, Tx};
use uuid::Uuid;

use super::CatalogueUpdate;
use crate::campaigns::{CampaignId, sql as campaigns};
use crate::chains::sql as chains;
use crate::charities::{CharityId, sql as charities};
use crate::configs::sql::Configs;
use crate::database::{Update, Versioned, Versions};
use crate::rollups::charity_totals::sql as charity_totals;

/// Reads what has changed in the catalog since a copy had the versions `since`; everything without one.
pub(crate) fn update(tx: &Tx<'_>, since: Option<Versions>) -> Result<CatalogueUpdate, DbError> {
    let versions = Versions::read(tx)?;
    let part = |counter, number: fn(&Versions) -> u64| {
        (counter, since.as_ref().map(number), number(&versions))
    };
    let campaigns = Update::read(
        tx,
        part(Versioned::Campaigns, |it| it.campaigns),
        |item| Uuid::from_slice(item).ok().map(CampaignId),
        campaigns::some,
        campaigns::all,
    )?;
    let served = campaigns.rows().iter();
    let served = served.filter_map(|it| it.campaign.beneficiary.config());
    let configs = Configs::load(tx, served.collect::<BTreeSet<_>>())?;
    Ok(CatalogueUpdate {
        charities: Update::read(
            tx,
            part(Versioned::Charities, |it| it.charities),
            charity_id,
            |tx, ids| charities::some(tx, &ids.iter().copied().collect::<Vec<_>>()),
            charities::all,
        )?,
        received: Update::read(
            tx,
            part(Versioned::Received, |it| it.received),
            charity_id,
            charity_totals::some,
            charity_totals::all,
        )?,
        campaigns,
        campaign_configs: configs.into_vec(),
        chains: Update::read(
            tx,
            part(Versioned::Chains, |it| it.chains),
            |_| None,
            |_, _| Ok(Vec::new()),
            chains::all,
        )?,
        versions,
    })
}

fn charity_id(item: &[u8]) -> Option<CharityId> {
    Uuid::from_slice(item).ok().map(CharityId)
}
