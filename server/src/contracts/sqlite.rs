//! Partner contracts, the tokens that they own, and the columns that these are ranked by.

use rusqlite::{Connection, Row};

use super::{PartnerContract, PartnerToken};
use crate::chains::{ChainAddress, sqlite as chains};
use crate::configs::{ConfigId, sqlite as configs};
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::sqlite::{column, query, versions};
use crate::database::versions::Versioned;
use crate::donations::effect::DonationEffect;
use crate::import::{Change, Rule};
use crate::projects::{ProjectId, sqlite as projects};
use crate::rollups::batch::Direction;
use crate::rollups::key::RollupKey;
use crate::rollups::sqlite as rollups;
use crate::tokens::sqlite as tokens;

/// The project that a contract belongs to; `None` for an unknown contract.
pub(crate) fn project_of(
    db: &Connection,
    contract: [u8; 40],
) -> rusqlite::Result<Option<ProjectId>> {
    query::first(
        db,
        "SELECT project FROM contract WHERE id = ?1",
        [contract],
        |row| row.get(0),
    )
}

/// The project whose contract owns a token, if one does.
pub(crate) fn owner(db: &Connection, token: [u8; 40]) -> rusqlite::Result<Option<ProjectId>> {
    let sql = "SELECT contract.project FROM partner_token
               JOIN contract ON contract.id = partner_token.contract
               WHERE partner_token.token = ?1";
    query::first(db, sql, [token], |row| row.get(0))
}

/// Whether partner tokens name a config, so that the catalogue shows it.
pub(crate) fn name(db: &Connection, config: ConfigId) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM partner_token WHERE active_config = ?1)
                   OR EXISTS (SELECT 1 FROM previous_config WHERE config = ?1)";
    db.prepare_cached(sql)?
        .query_one([config], |row| row.get(0))
}

pub(crate) fn write_contract(
    db: &Connection,
    contract: &PartnerContract,
) -> Result<Change, WriteError> {
    chains::require(db, contract.id.chain)?;
    projects::require(db, contract.project)?;
    match project_of(db, contract.id.key())? {
        Some(project) if project == contract.project => return Ok(Change::Unchanged),
        Some(_) => return Err(WriteError::rejected("/project", Rule::Immutable)),
        None => {}
    }
    let PartnerContract { id, project } = contract;
    let sql = "INSERT INTO contract (id, chain, address, project) VALUES (?1, ?2, ?3, ?4)";
    query::execute(db, sql, (id.key(), id.chain, id.address.as_str(), project))?;
    Ok(Change::Inserted)
}

pub(crate) fn write_token(db: &Connection, partner: &PartnerToken) -> Result<Change, WriteError> {
    let token = partner.token.key();
    let contract = contract_key(partner);
    if !tokens::exists(db, token)? {
        return Err(WriteError::rejected("/token", Rule::Unknown));
    }
    let Some(owner) = project_of(db, contract)? else {
        return Err(WriteError::rejected("/contract", Rule::Unknown));
    };
    require_configs(db, partner)?;
    let stored = find(db, &partner.token)?;
    if stored
        .as_ref()
        .is_some_and(|stored| stored.contract != partner.contract)
    {
        return Err(WriteError::rejected("/contract", Rule::Immutable));
    }
    let change = Change::between(stored.as_ref(), partner);
    if change == Change::Inserted {
        count_earlier(db, token, owner)?;
    }
    if change != Change::Unchanged {
        versions::advance(db, Versioned::Catalogue)?;
        put(db, partner)?;
    }
    if change == Change::Inserted {
        rank(db, token)?;
    }
    Ok(change)
}

/// Counts the donations that a token received before it became a partner token for the project
/// that owns it now. Nothing is written where a sum does not fit.
fn count_earlier(db: &Connection, token: [u8; 40], owner: ProjectId) -> Result<(), WriteError> {
    let sql = "SELECT given.config, given.usd_e6, given.at FROM standing_donation AS given
               JOIN config ON config.id = given.config
               WHERE given.token = ?1 AND config.project <> ?2";
    let earlier: Vec<(ConfigId, _, _)> = query::all(db, sql, (token, owner), |row| {
        Ok((
            row.get("config")?,
            row.get("usd_e6")?,
            column::time(row, "at")?,
        ))
    })?;
    let effects = earlier.into_iter().map(|(config, usd, at)| {
        let config = configs::get(db, config)?;
        Ok(DonationEffect::for_new_owner(
            owner, &config, token, usd, at,
        ))
    });
    let effects: Vec<_> = effects.collect::<Result<_, StoreError>>()?;
    let mut batch = rollups::load(db, &effects.iter().collect::<Vec<_>>())?;
    for effect in &effects {
        let counted = batch.count(effect, Direction::Given);
        counted.map_err(|_| WriteError::rejected("/usdE6", Rule::Overflow))?;
    }
    Ok(rollups::write(db, &batch)?)
}

/// Copies the sums of a partner token from its roll-up to the columns that it is ranked by.
pub(crate) fn rank(db: &Connection, token: [u8; 40]) -> Result<(), StoreError> {
    let Some(owner) = owner(db, token)? else {
        return Ok(());
    };
    let stats = rollups::stats(db, &RollupKey::token(owner, token))?;
    query::execute(
        db,
        "UPDATE partner_token SET usd_e6 = ?2, donations = ?3, first_at = ?4, last_at = ?5
         WHERE token = ?1",
        (
            token,
            stats.usd,
            stats.donations,
            stats.first.map(column::Millis),
            stats.last.map(column::Millis),
        ),
    )?;
    Ok(())
}

/// All partner tokens, by chain id and then by address.
pub(crate) fn all(db: &Connection) -> Result<Vec<PartnerToken>, StoreError> {
    let sql = format!("{PARTNERS} ORDER BY partner_token.token");
    let heads = query::all(db, &sql, [], read_head)?;
    Ok(heads
        .into_iter()
        .map(|head| complete(db, head))
        .collect::<Result<_, _>>()?)
}

const PARTNERS: &str = "
    SELECT token.chain, chain.kind, token.address, contract.address AS contract,
      partner_token.creator, partner_token.active_config
    FROM partner_token
    JOIN token ON token.id = partner_token.token
    JOIN chain ON chain.id = token.chain
    JOIN contract ON contract.id = partner_token.contract";

fn find(db: &Connection, token: &ChainAddress) -> rusqlite::Result<Option<PartnerToken>> {
    let sql = format!("{PARTNERS} WHERE partner_token.token = ?1");
    query::first(db, &sql, [token.key()], read_head)?
        .map(|head| complete(db, head))
        .transpose()
}

/// The partner token without its previous configs.
fn read_head(row: &Row<'_>) -> rusqlite::Result<PartnerToken> {
    let kind = row.get("kind")?;
    Ok(PartnerToken {
        token: column::chain_address(row)?,
        contract: column::address(row, kind, "contract")?,
        creator: column::address(row, kind, "creator")?,
        active_config: row.get("active_config")?,
        previous_configs: Vec::new(),
    })
}

fn complete(db: &Connection, head: PartnerToken) -> rusqlite::Result<PartnerToken> {
    let sql = "SELECT config FROM previous_config WHERE token = ?1 ORDER BY place";
    let previous_configs = query::all(db, sql, [head.token.key()], |row| row.get(0))?;
    Ok(PartnerToken {
        previous_configs,
        ..head
    })
}

fn contract_key(partner: &PartnerToken) -> [u8; 40] {
    let (chain, address) = (partner.token.chain, partner.contract.clone());
    ChainAddress { chain, address }.key()
}

fn require_configs(db: &Connection, partner: &PartnerToken) -> Result<(), WriteError> {
    let require = |member: String, config: ConfigId| match configs::exists(db, config)? {
        true => Ok(()),
        false => Err(WriteError::rejected(member, Rule::Unknown)),
    };
    require("/activeConfig".to_owned(), partner.active_config)?;
    for (index, config) in partner.previous_configs.iter().enumerate() {
        require(format!("/previousConfigs/{index}"), *config)?;
    }
    Ok(())
}

fn put(db: &Connection, partner: &PartnerToken) -> rusqlite::Result<()> {
    let token = partner.token.key();
    query::execute(
        db,
        "INSERT INTO partner_token (token, contract, creator, active_config)
         VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (token) DO UPDATE SET
           creator = excluded.creator, active_config = excluded.active_config",
        (
            token,
            contract_key(partner),
            partner.creator.as_str(),
            partner.active_config,
        ),
    )?;
    query::execute(db, "DELETE FROM previous_config WHERE token = ?1", [token])?;
    for (place, config) in partner.previous_configs.iter().enumerate() {
        let sql = "INSERT INTO previous_config (token, place, config) VALUES (?1, ?2, ?3)";
        query::execute(db, sql, (token, place, config))?;
    }
    Ok(())
}
