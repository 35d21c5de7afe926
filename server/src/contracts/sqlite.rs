//! Partner contracts and the tokens that they own, in SQLite.

use async_trait::async_trait;
use rusqlite::{Connection, Row};

use super::{ContractStore, PartnerContract, PartnerToken};
use crate::chains::ChainAddress;
use crate::configs::{ConfigId, sqlite as configs};
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::sqlite::{Sqlite, column, query};
use crate::domain::position::Position;
use crate::donations::effect::DonationEffect;
use crate::import::{Change, Rule};
use crate::projects::ProjectId;
use crate::rollups::batch::Direction;
use crate::rollups::leaderboard_entries::sqlite as leaderboard_entries;
use crate::rollups::sqlite as rollups;

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

/// Whether partner tokens refer to a config, so that the catalogue shows it.
pub(crate) fn refer_to(db: &Connection, config: ConfigId) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM partner_token WHERE active_config = ?1)
                   OR EXISTS (SELECT 1 FROM previous_config WHERE config = ?1)";
    db.prepare_cached(sql)?
        .query_one([config], |row| row.get(0))
}

/// A contract by its chain and address.
pub(crate) fn find_contract(
    db: &Connection,
    id: &ChainAddress,
) -> rusqlite::Result<Option<PartnerContract>> {
    let id = id.clone();
    let project = project_of(db, id.key())?;
    Ok(project.map(|project| PartnerContract { id, project }))
}

/// Inserts a contract of a known chain and project.
pub(crate) fn insert_contract(
    db: &Connection,
    contract: &PartnerContract,
) -> rusqlite::Result<usize> {
    let PartnerContract { id, project } = contract;
    let sql = "INSERT INTO contract (id, chain, address, project) VALUES (?1, ?2, ?3, ?4)";
    query::execute(db, sql, (id.key(), id.chain, id.address.as_str(), project))
}

#[async_trait]
impl ContractStore for Sqlite {
    async fn contracts(
        &self,
        project: ProjectId,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<ChainAddress>, StoreError> {
        self.read(move |db| {
            let params = (project, ChainAddress::key_of(after), limit);
            Ok(query::all(db, PAGE, params, column::chain_address)?)
        })
        .await
    }
}

/// A page of the contracts of a project, in the order of the index.
const PAGE: &str = "SELECT contract.chain, chain.kind, contract.address
                    FROM contract JOIN chain ON chain.id = contract.chain
                    WHERE contract.project = ?1 AND contract.id > ?2 ORDER BY contract.id LIMIT ?3";

/// The contracts of a project, by chain and address.
pub(crate) fn of_project(
    db: &Connection,
    project: ProjectId,
) -> rusqlite::Result<Vec<PartnerContract>> {
    query::all(db, OF_PROJECT, [project], |row| {
        let id = column::chain_address(row)?;
        Ok(PartnerContract { id, project })
    })
}

const OF_PROJECT: &str = "SELECT contract.chain, chain.kind, contract.address
                          FROM contract JOIN chain ON chain.id = contract.chain
                          WHERE contract.project = ?1 ORDER BY contract.id";

/// Whether a contract owns tokens.
pub(crate) fn has_tokens(db: &Connection, contract: [u8; 40]) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM partner_token WHERE contract = ?1";
    query::exists(db, sql, [contract])
}

/// Gives a contract without tokens to another project.
pub(crate) fn move_contract(
    db: &Connection,
    contract: &PartnerContract,
) -> rusqlite::Result<usize> {
    let sql = "UPDATE contract SET project = ?2 WHERE id = ?1";
    query::execute(db, sql, (contract.id.key(), contract.project))
}

/// Releases the contracts of a project that own no tokens: another may prove that they are its own.
pub(crate) fn release_all(db: &Connection, project: ProjectId) -> rusqlite::Result<usize> {
    let sql = "DELETE FROM contract WHERE project = ?1
                 AND NOT EXISTS (SELECT 1 FROM partner_token
                                 WHERE partner_token.contract = contract.id)";
    query::execute(db, sql, [project])
}

/// Makes a token a partner token, or updates it. Its contract, token and configs must be known.
pub(crate) fn put_token(
    db: &Connection,
    partner: &PartnerToken,
    change: Change,
) -> Result<(), WriteError> {
    let token = partner.token.key();
    if change == Change::Inserted
        && let Some(owner) = project_of(db, partner.contract_key())?
    {
        count_earlier_donations(db, token, owner)?;
    }
    put_row(db, partner)?;
    if change == Change::Inserted {
        leaderboard_entries::insert_token(db, token)?;
    }
    Ok(leaderboard_entries::update_token(db, partner)?)
}

/// Counts the donations that a token received before it became a partner token for the project
/// that owns it now. Nothing is written where a sum does not fit.
fn count_earlier_donations(
    db: &Connection,
    token: [u8; 40],
    owner: ProjectId,
) -> Result<(), WriteError> {
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

/// A partner token by its token.
pub(crate) fn find_token(
    db: &Connection,
    token: &ChainAddress,
) -> rusqlite::Result<Option<PartnerToken>> {
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

fn put_row(db: &Connection, partner: &PartnerToken) -> rusqlite::Result<()> {
    let token = partner.token.key();
    query::execute(
        db,
        "INSERT INTO partner_token (token, contract, creator, active_config)
         VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (token) DO UPDATE SET
           creator = excluded.creator, active_config = excluded.active_config",
        (
            token,
            partner.contract_key(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        query::assert_reads_index(
            PAGE,
            ([0; 16], [0; 40], 0),
            "INDEX contract_of_project (project=? AND id>?)",
        );
    }
}
