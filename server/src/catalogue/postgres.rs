//! Reads the catalogue from PostgreSQL.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use futures_util::FutureExt;

use super::Catalogue;
use crate::campaigns::{CampaignId, postgres as campaigns};
use crate::catalogue::CatalogueStore;
use crate::chains::{Chain, postgres as chains};
use crate::charities::{CharityId, postgres as charities};
use crate::configs::postgres::Configs;
use crate::contracts::{PartnerDetail, PartnerToken, postgres as partners};
use crate::database::StoreError;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, versions};
use crate::domain::amount::UsdE6;
use crate::donations::DonationStats;
use crate::rollups::charity_totals::postgres as charity_totals;
use crate::tokens::postgres as tokens;

#[async_trait]
impl CatalogueStore for Postgres {
    async fn catalogue(&self) -> Result<Catalogue, StoreError> {
        self.read(TimeoutClass::Bulk, |tx| load(tx).boxed()).await
    }

    async fn raised(&self) -> Result<HashMap<CampaignId, UsdE6>, StoreError> {
        self.query(|db| campaigns::raised(db).boxed()).await
    }

    async fn received(&self) -> Result<HashMap<CharityId, DonationStats>, StoreError> {
        self.query(|db| charity_totals::all(db).boxed()).await
    }

    async fn chains(&self) -> Result<Vec<Chain>, StoreError> {
        self.query(|db| chains::all(db).boxed()).await
    }
}

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
    let campaigns = campaigns::all(tx).await?;
    let served = campaigns
        .iter()
        .filter_map(|it| it.campaign.beneficiary.config());
    let served = Configs::load(tx, served.collect::<BTreeSet<_>>()).await?;
    let details = partners
        .into_iter()
        .map(|partner| detail(&configs, partner));
    Ok(Catalogue {
        versions: versions::current(tx).await?,
        charities: charities::all(tx).await?,
        campaigns,
        received: charity_totals::all(tx).await?,
        campaign_configs: served.into_vec(),
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
