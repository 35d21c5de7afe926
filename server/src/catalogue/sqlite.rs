//! Reads the catalogue from SQLite.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use rusqlite::Connection;

use super::Catalogue;
use crate::campaigns::{CampaignId, sqlite as campaigns};
use crate::catalogue::CatalogueStore;
use crate::chains::{Chain, sqlite as chains};
use crate::charities::{CharityId, sqlite as charities};
use crate::configs::{ConfigId, sqlite as configs};
use crate::contracts::{PartnerDetail, PartnerToken, sqlite as partners};
use crate::database::sqlite::{Sqlite, versions};
use crate::database::{StoreError, TimeoutClass};
use crate::domain::amount::UsdE6;
use crate::donations::DonationStats;
use crate::rollups::charity_totals::sqlite as charity_totals;
use crate::tokens::sqlite as tokens;

#[async_trait]
impl CatalogueStore for Sqlite {
    async fn catalogue(&self) -> Result<Catalogue, StoreError> {
        self.read_within(TimeoutClass::Bulk, load).await
    }

    async fn raised(&self) -> Result<HashMap<CampaignId, UsdE6>, StoreError> {
        self.read(|db| Ok(campaigns::raised(db)?)).await
    }

    async fn received(&self) -> Result<HashMap<CharityId, DonationStats>, StoreError> {
        self.read(|db| Ok(charity_totals::all(db)?)).await
    }

    async fn chains(&self) -> Result<Vec<Chain>, StoreError> {
        self.read(|db| Ok(chains::all(db)?)).await
    }
}

/// Loads the catalogue.
pub(crate) fn load(db: &Connection) -> Result<Catalogue, StoreError> {
    let campaigns = campaigns::all(db)?;
    let served: BTreeSet<_> = campaigns
        .iter()
        .filter_map(|it| it.campaign.beneficiary.config())
        .collect();
    let campaign_configs = served.into_iter().map(|id| configs::get(db, id));
    Ok(Catalogue {
        versions: versions::current(db)?,
        charities: charities::all(db)?,
        campaign_configs: campaign_configs.collect::<Result<_, _>>()?,
        campaigns,
        received: charity_totals::all(db)?,
        chains: chains::all(db)?,
        tokens: tokens::all(db)?,
        partners: partners::all(db)?
            .into_iter()
            .map(|partner| detail(db, partner))
            .collect::<Result<_, _>>()?,
    })
}

fn detail(db: &Connection, partner: PartnerToken) -> Result<PartnerDetail, StoreError> {
    let get = |id: &ConfigId| configs::get(db, *id);
    Ok(PartnerDetail {
        active_config: get(&partner.active_config)?,
        previous_configs: partner
            .previous_configs
            .iter()
            .map(get)
            .collect::<Result<_, _>>()?,
        partner,
    })
}
