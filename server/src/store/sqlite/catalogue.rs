//! The whole catalogue, read.

use rusqlite::Connection;

use super::{campaigns, chains, charities, configs, partners, tokens, versions};
use crate::domain::config::ConfigId;
use crate::domain::partner::PartnerToken;
use crate::store::{Catalogue, PartnerDetail, StoreError};

/// Loads the catalogue.
pub(super) fn load(db: &Connection) -> Result<Catalogue, StoreError> {
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
