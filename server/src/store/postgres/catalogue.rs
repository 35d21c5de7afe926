//! The whole catalogue, read.

use deadpool_postgres::Transaction;

use super::configs::Configs;
use super::{Failure, campaigns, chains, charities, partners, tokens, versions};
use crate::domain::partner::PartnerToken;
use crate::store::{Catalogue, PartnerDetail, StoreError};

/// Loads the catalogue.
pub(super) async fn load(tx: &Transaction<'_>) -> Result<Catalogue, Failure> {
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
