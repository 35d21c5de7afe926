//! The whole catalogue, read.

use deadpool_postgres::Transaction;

use super::Catalogue;
use crate::campaigns::postgres as campaigns;
use crate::chains::postgres as chains;
use crate::charities::postgres as charities;
use crate::configs::postgres::Configs;
use crate::contracts::{PartnerDetail, PartnerToken, postgres as partners};
use crate::database::StoreError;
use crate::database::postgres::{Failure, versions};
use crate::tokens::postgres as tokens;

/// Loads the catalogue.
pub(crate) async fn load(tx: &Transaction<'_>) -> Result<Catalogue, Failure> {
    let partners = partners::all(tx).await?;
    let named = partners.iter().flat_map(|partner| {
        let previous = partner.previous_configs.iter().copied();
        previous.chain([partner.active_config])
    });
    let mut named: Vec<_> = named.collect();
    named.sort_unstable();
    named.dedup();
    let configs = Configs::load(tx, named).await?;
    let details = partners
        .into_iter()
        .map(|partner| detail(&configs, partner));
    Ok(Catalogue {
        versions: versions::current(tx).await?,
        charities: charities::all(tx).await?,
        campaigns: campaigns::all(tx).await?,
        chains: chains::all(tx).await?,
        tokens: tokens::all(tx).await?,
        partners: details.collect::<Result<_, _>>()?,
    })
}

fn detail(configs: &Configs, partner: PartnerToken) -> Result<PartnerDetail, StoreError> {
    let previous = partner.previous_configs.iter();
    Ok(PartnerDetail {
        active_config: configs.get(partner.active_config)?.clone(),
        previous_configs: previous
            .map(|id| configs.get(*id).cloned())
            .collect::<Result<_, _>>()?,
        partner,
    })
}
