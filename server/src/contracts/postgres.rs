//! Partner contracts and the tokens that they own, in PostgreSQL.

use std::collections::HashMap;

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use tokio_postgres::Row;

use super::{ContractStore, PartnerContract, PartnerToken};
use crate::chains::ChainAddress;
use crate::configs::postgres::Configs;
use crate::configs::{ConfigId, postgres as configs};
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::postgres::column::{self, Bytes};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, locks, query};
use crate::domain::position::Position;
use crate::donations::effect::DonationEffect;
use crate::import::{Change, Rule};
use crate::projects::ProjectId;
use crate::rollups::batch::Direction;
use crate::rollups::leaderboard_entries::postgres as leaderboard_entries;
use crate::rollups::postgres::batch;

/// The owners of some tokens.
#[derive(Debug)]
pub(crate) struct Owners(HashMap<[u8; 40], Option<ProjectId>>);

impl Owners {
    /// The owners of those tokens that are partner tokens.
    pub(crate) async fn load(
        db: &impl GenericClient,
        tokens: impl IntoIterator<Item = [u8; 40]>,
    ) -> Result<Owners, Failure> {
        let mut tokens: Vec<_> = tokens.into_iter().map(Bytes).collect();
        tokens.sort_unstable();
        tokens.dedup();
        let sql = "SELECT token.id, contract.project FROM token
                   LEFT JOIN partner_token ON partner_token.token = token.id
                   LEFT JOIN contract ON contract.id = partner_token.contract
                   WHERE token.id = ANY ($1)";
        let read = |row: &Row| {
            Ok((
                row.try_get::<_, Bytes<40>>("id")?.0,
                row.try_get("project")?,
            ))
        };
        Ok(Owners(query::all(db, sql, &[&tokens], read).await?))
    }

    /// The project whose contract owns a token, if one does; `None` for an unknown token.
    pub(crate) fn find(&self, token: [u8; 40]) -> Option<Option<ProjectId>> {
        self.0.get(&token).copied()
    }
}

/// The project that a contract belongs to; `None` for an unknown contract.
pub(crate) async fn project_of(
    db: &impl GenericClient,
    contract: [u8; 40],
) -> Result<Option<ProjectId>, Failure> {
    let sql = "SELECT project FROM contract WHERE id = $1";
    query::first(db, sql, &[&Bytes(contract)], |row| {
        Ok(row.try_get("project")?)
    })
    .await
}

/// Whether partner tokens refer to a config, so that the catalogue shows it.
pub(crate) async fn refer_to(db: &impl GenericClient, config: ConfigId) -> Result<bool, Failure> {
    let sql = "SELECT 1 WHERE EXISTS (SELECT 1 FROM partner_token WHERE active_config = $1)
                           OR EXISTS (SELECT 1 FROM previous_config WHERE config = $1)";
    query::exists(db, sql, &[&config]).await
}

/// A contract by its chain and address.
pub(crate) async fn find_contract(
    db: &impl GenericClient,
    id: &ChainAddress,
) -> Result<Option<PartnerContract>, Failure> {
    let id = id.clone();
    let project = project_of(db, id.key()).await?;
    Ok(project.map(|project| PartnerContract { id, project }))
}

/// Inserts a contract of a known chain and project.
pub(crate) async fn insert_contract(
    tx: &Transaction<'_>,
    contract: &PartnerContract,
) -> Result<u64, Failure> {
    let PartnerContract { id, project } = contract;
    let sql = "INSERT INTO contract (id, chain, address, project) VALUES ($1, $2, $3, $4)";
    let params: query::Params<'_> = &[&Bytes(id.key()), &id.chain, &id.address.as_str(), project];
    query::execute(tx, sql, params).await
}

#[async_trait]
impl ContractStore for Postgres {
    async fn contracts(
        &self,
        project: ProjectId,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<ChainAddress>, StoreError> {
        self.query(move |db| page(db, project, after, limit).boxed())
            .await
    }
}

/// A page of the contracts of a project, in the order of the index.
async fn page(
    db: &impl GenericClient,
    project: ProjectId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<ChainAddress>, Failure> {
    let sql = "SELECT contract.chain, chain.kind, contract.address
               FROM contract JOIN chain ON chain.id = contract.chain
               WHERE contract.project = $1 AND contract.id > $2 ORDER BY contract.id LIMIT $3";
    let (after, limit) = (ChainAddress::key_of(after), query::limit(limit));
    query::all(db, sql, &[&project, &after, &limit], column::chain_address).await
}

/// The contracts of a project, by chain and address.
pub(crate) async fn of_project(
    db: &impl GenericClient,
    project: ProjectId,
) -> Result<Vec<PartnerContract>, Failure> {
    let sql = "SELECT contract.chain, chain.kind, contract.address
               FROM contract JOIN chain ON chain.id = contract.chain
               WHERE contract.project = $1 ORDER BY contract.id";
    query::all(db, sql, &[&project], |row| {
        let id = column::chain_address(row)?;
        Ok(PartnerContract { id, project })
    })
    .await
}

/// Whether a contract owns tokens.
pub(crate) async fn has_tokens(
    db: &impl GenericClient,
    contract: [u8; 40],
) -> Result<bool, Failure> {
    let sql = "SELECT 1 FROM partner_token WHERE contract = $1 LIMIT 1";
    query::exists(db, sql, &[&Bytes(contract)]).await
}

/// Gives a contract without tokens to another project.
pub(crate) async fn move_contract(
    tx: &Transaction<'_>,
    contract: &PartnerContract,
) -> Result<u64, Failure> {
    let sql = "UPDATE contract SET project = $2 WHERE id = $1";
    query::execute(tx, sql, &[&Bytes(contract.id.key()), &contract.project]).await
}

/// Releases the contracts of a project that own no tokens: another may prove that they are its own.
pub(crate) async fn release_all(tx: &Transaction<'_>, project: ProjectId) -> Result<u64, Failure> {
    let sql = "DELETE FROM contract WHERE project = $1
                 AND NOT EXISTS (SELECT 1 FROM partner_token
                                 WHERE partner_token.contract = contract.id)";
    query::execute(tx, sql, &[&project]).await
}

/// Makes a token a partner token, or updates it. Its contract, token and configs must be known.
pub(crate) async fn put_token(
    tx: &Transaction<'_>,
    partner: &PartnerToken,
    change: Change,
    changed: &mut Changed,
) -> Result<(), WriteError<Failure>> {
    let token = partner.token.key();
    if change == Change::Inserted
        && let Some(owner) = project_of(tx, partner.contract_key()).await?
    {
        count_earlier_donations(tx, token, owner, changed).await?;
    }
    put_row(tx, partner).await?;
    if change == Change::Inserted {
        leaderboard_entries::insert_token(tx, token).await?;
    }
    Ok(leaderboard_entries::update_token(tx, partner).await?)
}

/// Counts the donations that a token received before it became a partner token for the project
/// that owns it now. Nothing is written where a sum does not fit.
async fn count_earlier_donations(
    tx: &Transaction<'_>,
    token: [u8; 40],
    owner: ProjectId,
    changed: &mut Changed,
) -> Result<(), WriteError<Failure>> {
    let sql = "SELECT given.config, given.usd_e6, given.at FROM standing_donation AS given
               JOIN config ON config.id = given.config
               WHERE given.token = $1 AND config.project <> $2";
    let earlier: Vec<(ConfigId, _, _)> = query::all(tx, sql, &[&Bytes(token), &owner], |row| {
        let usd = row.try_get("usd_e6")?;
        Ok((row.try_get("config")?, usd, column::time(row, "at")?))
    })
    .await?;
    let configs = Configs::load(tx, earlier.iter().map(|(config, _, _)| *config)).await?;
    let effects = earlier.into_iter().map(|(config, usd, at)| {
        let config = configs.get(config)?;
        Ok(DonationEffect::for_new_owner(owner, config, token, usd, at))
    });
    let effects: Vec<_> = effects.collect::<Result<_, Failure>>()?;
    locks::own_projects(tx, [owner]).await?;
    let mut batch = batch::load(tx, &effects.iter().collect::<Vec<_>>()).await?;
    for effect in &effects {
        let counted = batch.count(effect, Direction::Given);
        counted.map_err(|_| WriteError::rejected("/usdE6", Rule::Overflow))?;
    }
    batch::write(tx, &batch, changed).await?;
    Ok(())
}

const PARTNERS: &str = "
    SELECT token.chain, chain.kind, token.address, contract.address AS contract,
      partner_token.creator, partner_token.active_config,
      array(
        SELECT previous_config.config FROM previous_config
        WHERE previous_config.token = partner_token.token ORDER BY previous_config.place
      ) AS previous_configs
    FROM partner_token
    JOIN token ON token.id = partner_token.token
    JOIN chain ON chain.id = token.chain
    JOIN contract ON contract.id = partner_token.contract";

/// All partner tokens, by chain id and then by address.
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<PartnerToken>, Failure> {
    let sql = format!("{PARTNERS} ORDER BY partner_token.token");
    query::all(db, &sql, &[], read).await
}

/// A partner token by its token.
pub(crate) async fn find_token(
    db: &impl GenericClient,
    token: &ChainAddress,
) -> Result<Option<PartnerToken>, Failure> {
    let sql = format!("{PARTNERS} WHERE partner_token.token = $1");
    query::first(db, &sql, &[&Bytes(token.key())], read).await
}

fn read(row: &Row) -> Result<PartnerToken, Failure> {
    let kind = row.try_get("kind")?;
    Ok(PartnerToken {
        token: column::chain_address(row)?,
        contract: column::address(row, kind, "contract")?,
        creator: column::address(row, kind, "creator")?,
        active_config: row.try_get("active_config")?,
        previous_configs: row.try_get("previous_configs")?,
    })
}

async fn put_row(tx: &Transaction<'_>, partner: &PartnerToken) -> Result<(), Failure> {
    let named = [&[partner.active_config], &*partner.previous_configs].concat();
    configs::prevent_deletion(tx, &named).await?;
    let token = Bytes(partner.token.key());
    let sql = "INSERT INTO partner_token (token, contract, creator, active_config)
               VALUES ($1, $2, $3, $4)
               ON CONFLICT (token) DO UPDATE SET
                 creator = excluded.creator, active_config = excluded.active_config";
    let (contract, creator) = (Bytes(partner.contract_key()), partner.creator.as_str());
    query::execute(
        tx,
        sql,
        &[&token, &contract, &creator, &partner.active_config],
    )
    .await?;
    let sql = "DELETE FROM previous_config WHERE token = $1";
    query::execute(tx, sql, &[&token]).await?;
    for (place, config) in (0_i64..).zip(&partner.previous_configs) {
        let sql = "INSERT INTO previous_config (token, place, config) VALUES ($1, $2, $3)";
        query::execute(tx, sql, &[&token, &place, config]).await?;
    }
    Ok(())
}
