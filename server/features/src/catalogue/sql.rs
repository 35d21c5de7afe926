//! Reads the catalogue.

use crate::database::Versions;
use std::collections::BTreeSet;

use db::{DbError, Tx};

use super::Catalogue;
use crate::campaigns::sql as campaigns;
use crate::chains::sql as chains;
use crate::charities::sql as charities;
use crate::configs::sql::Configs;
use crate::contracts::sql as partners;
use crate::rollups::charity_totals::sql as charity_totals;
use crate::tokens::{PartnerDetail, PartnerToken, sql as tokens};

pub(crate) fn load(tx: &Tx<'_>) -> Result<Catalogue, DbError> {
    let partners = partners::all(tx)?;
    let named = partners.iter().flat_map(|partner| {
        let previous = partner.previous_configs.iter().copied();
        previous.chain([partner.active_config])
    });
    let mut named: Vec<_> = named.collect();
    named.sort_unstable();
    named.dedup();
    let configs = Configs::load(tx, named)?;
    let campaigns = campaigns::all(tx)?;
    let served = campaigns
        .iter()
        .filter_map(|it| it.campaign.beneficiary.config());
    let served = Configs::load(tx, served.collect::<BTreeSet<_>>())?;
    let details = partners
        .into_iter()
        .map(|partner| detail(&configs, partner));
    Ok(Catalogue {
        versions: Versions::read(tx)?,
        charities: charities::all(tx)?,
        campaigns,
        received: charity_totals::all(tx)?,
        campaign_configs: served.into_vec(),
        chains: chains::all(tx)?,
        tokens: tokens::all(tx)?,
        partners: details.collect::<Result<_, _>>()?,
    })
}

fn detail(configs: &Configs, partner: PartnerToken) -> Result<PartnerDetail, DbError> {
    let previous = partner.previous_configs.iter();
    Ok(PartnerDetail {
        active_config: configs.get(partner.active_config)?.clone(),
        previous_configs: previous
            .map(|id| configs.get(*id).cloned())
            .collect::<Result<_, _>>()?,
        partner,
    })
}
