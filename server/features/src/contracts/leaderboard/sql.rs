//! The leaderboard of a partner contract.

use db::{DbError, Tx, params};

use super::split_key;
use crate::chains::{Address, ChainAddress};
use crate::configs::sql::Configs;
use crate::contracts::{LeaderboardEntry, sql as partners};
use crate::domain::config_id::ConfigId;
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::Position;
use crate::projects::ProjectId;
use crate::tokens::sql::Tokens;

/// Reads the columns of the index only, so that a page reads no other rows. `ORDER BY` names columns of
/// the table, because an unqualified name would refer to a column of the result.
pub const PAGE: &str = "
    SELECT ranked.token, ranked.config, ranked.creator,
      ranked.usd_e6, ranked.donations, ranked.first_at, ranked.last_at
    FROM leaderboard_entry AS ranked
    WHERE ranked.contract = $1 AND (ranked.usd_e6, ranked.token, ranked.config) < ($2, $3, $4)
    ORDER BY ranked.usd_e6 DESC, ranked.token DESC, ranked.config DESC LIMIT $5";

/// The entries of a contract after a position; `None` for a contract that is not the project's.
///
/// The tokens and configs of a page are read after it, not in the same state: they never change the
/// position of an entry.
pub(crate) fn page(
    tx: &Tx<'_>,
    project: ProjectId,
    contract: ChainAddress,
    after: Option<Position>,
    limit: usize,
) -> Result<Option<Vec<LeaderboardEntry>>, DbError> {
    if partners::project_of(tx, contract.key())? != Some(project) {
        return Ok(None);
    }
    let rows = ranked(tx, &contract, after, limit)?;
    let tokens = Tokens::load(tx, rows.iter().map(|row| row.token))?;
    let configs = Configs::load(tx, rows.iter().map(|row| row.config))?;
    let entry = |row| entry(&tokens, &configs, row);
    let entries = rows.into_iter().map(entry).collect::<Result<_, _>>()?;
    Ok(Some(entries))
}

/// A row of the index.
struct Ranked {
    token: [u8; 40],
    config: ConfigId,
    creator: String,
    stats: DonationStats,
}

fn ranked(
    tx: &Tx<'_>,
    contract: &ChainAddress,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked>, DbError> {
    let (usd, key) = Position::below(after);
    let (token, config) = split_key(contract.chain, &key);
    let (contract, limit) = (contract.key(), limit);
    let params = params![contract, usd, token, config, limit];
    tx.all(PAGE, params, |row| {
        Ok(Ranked {
            token: row.get::<[u8; 40]>("token")?,
            config: row.get("config")?,
            creator: row.get("creator")?,
            stats: crate::rollups::sql::read_stats(row)?,
        })
    })
}

fn entry(tokens: &Tokens, configs: &Configs, row: Ranked) -> Result<LeaderboardEntry, DbError> {
    let (token, kind) = tokens.get(row.token)?;
    let creator = Address::parse(kind, &row.creator);
    Ok(LeaderboardEntry {
        token,
        creator: creator.map_err(|_| DbError::Corrupt("a creator is not an address".to_owned()))?,
        config: configs.get(row.config)?.clone(),
        stats: row.stats,
    })
}
