//! Partner contracts and the tokens that they own.

use std::collections::{BTreeSet, HashMap};

use db::{Batch, DbError, Row, Tx, params};

use super::PartnerContract;
use crate::chains::ChainAddress;
use crate::configs::sql as configs;
use crate::configs::sql::Configs;
use crate::domain::config_id::ConfigId;
use crate::domain::position::Position;
use crate::domain::recording::{Change, Rule, WriteError};
use crate::projects::ProjectId;
use crate::rollups::batch::Direction;
use crate::rollups::effect::DonationEffect;
use crate::rollups::leaderboard_entries::sql as leaderboard_entries;
use crate::rollups::sql as rollups;
use crate::tokens::sql::Tokens;
use crate::tokens::{PartnerDetail, PartnerToken, Token, sql as tokens};

/// The owners of some tokens.
#[derive(Debug)]
pub(crate) struct Owners(HashMap<[u8; 40], Option<ProjectId>>);

impl Owners {
    /// The owners of those tokens that are partner tokens.
    pub(crate) fn load(
        tx: &Tx<'_>,
        tokens: impl IntoIterator<Item = [u8; 40]>,
    ) -> Result<Owners, DbError> {
        let tokens: BTreeSet<_> = tokens.into_iter().collect();
        let sql = "SELECT token.id, contract.project
                   FROM batch(id bytea) JOIN token ON token.id = batch.id
                   LEFT JOIN partner_token ON partner_token.token = token.id
                   LEFT JOIN contract ON contract.id = partner_token.contract";
        let read = |row: &Row<'_>| Ok((row.get("id")?, row.get("project")?));
        let tokens = Batch::of_column(tokens);
        Ok(Owners(tx.all_of_batch(sql, &tokens, &[], read)?))
    }

    /// The project whose contract owns a token, if one does; `None` for an unknown token.
    pub(crate) fn find(&self, token: [u8; 40]) -> Option<Option<ProjectId>> {
        self.0.get(&token).copied()
    }
}

/// The project that a contract belongs to; `None` for an unknown contract.
pub(crate) fn project_of(tx: &Tx<'_>, contract: [u8; 40]) -> Result<Option<ProjectId>, DbError> {
    let sql = "SELECT project FROM contract WHERE id = $1";
    tx.first(sql, params![contract], |row| row.get("project"))
}

/// A contract by its chain and address.
pub(crate) fn find_contract(
    tx: &Tx<'_>,
    id: &ChainAddress,
) -> Result<Option<PartnerContract>, DbError> {
    let id = id.clone();
    let project = project_of(tx, id.key())?;
    Ok(project.map(|project| PartnerContract { id, project }))
}

/// Inserts a contract of a known chain and project.
pub(crate) fn insert_contract(tx: &Tx<'_>, contract: &PartnerContract) -> Result<u64, DbError> {
    let PartnerContract { id, project } = contract;
    let sql = "INSERT INTO contract (id, chain, address, project) VALUES ($1, $2, $3, $4)";
    let params = params![id.key(), id.chain, id.address.as_str(), project];
    tx.execute(sql, params)
}

/// A page of the contracts of a project, in the order of the index.
pub(crate) fn page(
    tx: &Tx<'_>,
    project: ProjectId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<ChainAddress>, DbError> {
    let sql = "SELECT contract.chain, chain.kind, contract.address
               FROM contract JOIN chain ON chain.id = contract.chain
               WHERE contract.project = $1 AND contract.id > $2 ORDER BY contract.id LIMIT $3";
    let (after, limit) = (ChainAddress::key_of(after), limit);
    tx.all(
        sql,
        params![project, after, limit],
        crate::chains::sql::read_chain_address,
    )
}

/// The contracts of a project, by chain and address.
pub(crate) fn of_project(tx: &Tx<'_>, project: ProjectId) -> Result<Vec<PartnerContract>, DbError> {
    let sql = "SELECT contract.chain, chain.kind, contract.address
               FROM contract JOIN chain ON chain.id = contract.chain
               WHERE contract.project = $1 ORDER BY contract.id";
    tx.all(sql, params![project], |row| {
        let id = crate::chains::sql::read_chain_address(row)?;
        Ok(PartnerContract { id, project })
    })
}

/// Whether a contract owns tokens.
pub(crate) fn has_tokens(tx: &Tx<'_>, contract: [u8; 40]) -> Result<bool, DbError> {
    let sql = "SELECT 1 FROM partner_token WHERE contract = $1 LIMIT 1";
    tx.exists(sql, params![contract])
}

/// Gives a contract without tokens to another project.
pub(crate) fn move_contract(tx: &Tx<'_>, contract: &PartnerContract) -> Result<u64, DbError> {
    let sql = "UPDATE contract SET project = $2 WHERE id = $1";
    tx.execute(sql, params![contract.id.key(), contract.project])
}

/// Releases the contracts of a project that own no tokens: another may prove that they are its own.
pub(crate) fn release_all(tx: &Tx<'_>, project: ProjectId) -> Result<u64, DbError> {
    let sql = "DELETE FROM contract WHERE project = $1
                 AND NOT EXISTS (SELECT 1 FROM partner_token
                                 WHERE partner_token.contract = contract.id)";
    tx.execute(sql, params![project])
}

/// Makes a token a partner token, or updates it. Its contract, token and configs must be known.
pub(crate) fn put_token(
    tx: &Tx<'_>,
    partner: &PartnerToken,
    change: Change,
) -> Result<(), WriteError> {
    let token = partner.token.key();
    if change == Change::Inserted
        && let Some(owner) = project_of(tx, partner.contract_key())?
    {
        count_earlier_donations(tx, token, owner)?;
    }
    put_row(tx, partner)?;
    if change == Change::Inserted {
        leaderboard_entries::insert_token(tx, token)?;
    }
    Ok(leaderboard_entries::update_token(tx, partner)?)
}

/// Counts the donations that a token received before it became a partner token for the project
/// that owns it now. Nothing is written where a sum does not fit.
fn count_earlier_donations(
    tx: &Tx<'_>,
    token: [u8; 40],
    owner: ProjectId,
) -> Result<(), WriteError> {
    let sql = "SELECT given.config, given.usd_e6, given.at FROM standing_donation AS given
               JOIN config ON config.id = given.config
               WHERE given.token = $1 AND config.project <> $2";
    let earlier: Vec<(ConfigId, _, _)> = tx.all(sql, params![token, owner], |row| {
        let usd = row.get("usd_e6")?;
        Ok((row.get("config")?, usd, row.get("at")?))
    })?;
    let configs = Configs::load(tx, earlier.iter().map(|(config, _, _)| *config))?;
    let effects = earlier.into_iter().map(|(config, usd, at)| {
        let config = configs.get(config)?;
        Ok(DonationEffect::for_new_owner(owner, config, token, usd, at))
    });
    let effects: Vec<_> = effects.collect::<Result<_, DbError>>()?;
    tx.lock_ids([owner.0])?;
    let mut batch = rollups::load(tx, &effects.iter().collect::<Vec<_>>())?;
    for effect in &effects {
        let counted = batch.count(effect, Direction::Given);
        counted.map_err(|_| WriteError::rejected("/usdE6", Rule::Overflow))?;
    }
    rollups::write(tx, &batch)?;
    Ok(())
}

const PARTNERS: &str = "
    SELECT token.chain, chain.kind, token.address, contract.address AS contract,
      partner_token.creator, partner_token.active_config
    FROM partner_token
    JOIN token ON token.id = partner_token.token
    JOIN chain ON chain.id = token.chain
    JOIN contract ON contract.id = partner_token.contract";

/// A token, with its configs if it is a partner token.
pub(crate) fn find_detail(
    tx: &Tx<'_>,
    id: &ChainAddress,
) -> Result<Option<(Token, Option<PartnerDetail>)>, DbError> {
    let Some(token) = tokens::find(tx, id.key())? else {
        return Ok(None);
    };
    let Some(partner) = find_token(tx, id)? else {
        return Ok(Some((token, None)));
    };
    let named = [&[partner.active_config], &*partner.previous_configs].concat();
    let configs = Configs::load(tx, named)?;
    let previous = partner.previous_configs.iter();
    let previous = previous.map(|id| configs.get(*id).cloned());
    let detail = PartnerDetail {
        active_config: configs.get(partner.active_config)?.clone(),
        previous_configs: previous.collect::<Result<_, _>>()?,
        partner,
    };
    Ok(Some((token, Some(detail))))
}

const TOKENS_OF_CONFIG: &str = "SELECT token FROM partner_token WHERE active_config = $1 LIMIT $2";

/// Partner tokens whose active config is this one.
pub(crate) fn tokens_of_config(
    tx: &Tx<'_>,
    config: ConfigId,
    limit: usize,
) -> Result<Vec<Token>, DbError> {
    let keys: Vec<[u8; 40]> = tx.all(TOKENS_OF_CONFIG, params![config, limit], |row| {
        row.get("token")
    })?;
    let tokens = Tokens::load(tx, keys.iter().copied())?;
    let token = |key| Ok(tokens.get(key)?.0);
    keys.into_iter().map(token).collect()
}

/// A partner token by its token.
pub(crate) fn find_token(
    tx: &Tx<'_>,
    token: &ChainAddress,
) -> Result<Option<PartnerToken>, DbError> {
    let sql = format!("{PARTNERS} WHERE partner_token.token = $1");
    let partner = tx.first(&sql, params![token.key()], read_without_previous)?;
    let Some(partner) = partner else {
        return Ok(None);
    };
    let sql = "SELECT config FROM previous_config WHERE token = $1 ORDER BY place";
    let previous_configs = tx.all(sql, params![token.key()], |row| row.get("config"))?;
    Ok(Some(PartnerToken {
        previous_configs,
        ..partner
    }))
}

/// The partner token without its previous configs.
fn read_without_previous(row: &Row<'_>) -> Result<PartnerToken, DbError> {
    let kind = row.get("kind")?;
    Ok(PartnerToken {
        token: crate::chains::sql::read_chain_address(row)?,
        contract: crate::chains::sql::read_address(row, kind, "contract")?,
        creator: crate::chains::sql::read_address(row, kind, "creator")?,
        active_config: row.get("active_config")?,
        previous_configs: Vec::new(),
    })
}

fn put_row(tx: &Tx<'_>, partner: &PartnerToken) -> Result<(), DbError> {
    let named = [&[partner.active_config], &*partner.previous_configs].concat();
    configs::prevent_deletion(tx, &named)?;
    let token = partner.token.key();
    let sql = "INSERT INTO partner_token (token, contract, creator, active_config)
               VALUES ($1, $2, $3, $4)
               ON CONFLICT (token) DO UPDATE SET
                 creator = excluded.creator, active_config = excluded.active_config";
    let (contract, creator) = (partner.contract_key(), partner.creator.as_str());
    tx.execute(
        sql,
        params![token, contract, creator, partner.active_config],
    )?;
    let sql = "DELETE FROM previous_config WHERE token = $1";
    tx.execute(sql, params![token])?;
    for (place, config) in (0_i64..).zip(&partner.previous_configs) {
        let sql = "INSERT INTO previous_config (token, place, config) VALUES ($1, $2, $3)";
        tx.execute(sql, params![token, place, config])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn the_tokens_of_a_config_are_read_by_index() {
        let index = "partner_token USING COVERING INDEX partner_token_of_config (active_config=?)";
        assert_reads_index(TOKENS_OF_CONFIG, index);
    }
}
