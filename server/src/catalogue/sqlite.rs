//! The whole catalogue, read.

use rusqlite::Connection;

use super::Catalogue;
use crate::campaigns::sqlite as campaigns;
use crate::chains::sqlite as chains;
use crate::charities::sqlite as charities;
use crate::configs::{ConfigId, sqlite as configs};
use crate::contracts::{PartnerDetail, PartnerToken, sqlite as partners};
use crate::database::StoreError;
use crate::database::sqlite::versions;
use crate::tokens::sqlite as tokens;

/// Loads the catalogue.
pub(crate) fn load(db: &Connection) -> Result<Catalogue, StoreError> {
    Ok(Catalogue {
        versions: versions::current(db)?,
        charities: charities::all(db)?,
        campaigns: campaigns::all(db)?,
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
