//! The leaderboard of a partner contract, in SQLite.

use async_trait::async_trait;
use rusqlite::Connection;

use super::split_key;
use crate::chains::{Address, ChainAddress};
use crate::configs::{ConfigId, sqlite as configs};
use crate::contracts::leaderboard::LeaderboardStore;
use crate::contracts::{LeaderboardEntry, sqlite as partners};
use crate::database::StoreError;
use crate::database::sqlite::{Sqlite, column, query};
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::projects::ProjectId;
use crate::tokens::{Token, sqlite as tokens};

#[async_trait]
impl LeaderboardStore for Sqlite {
    async fn leaderboard(
        &self,
        project: ProjectId,
        contract: ChainAddress,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Option<Vec<LeaderboardEntry>>, StoreError> {
        self.read(move |db| page(db, project, &contract, after, limit))
            .await
    }
}

/// Reads the columns of the index only, so that a page reads no other rows.
pub(crate) const PAGE: &str = "SELECT token, config, usd_e6, donations, first_at, last_at
                    FROM leaderboard_entry
                    WHERE contract = ?1 AND (usd_e6, token, config) < (?2, ?3, ?4)
                    ORDER BY usd_e6 DESC, token DESC, config DESC LIMIT ?5";

/// The entries of a contract after a position; `None` for a contract that is not the project's.
pub(crate) fn page(
    db: &Connection,
    project: ProjectId,
    contract: &ChainAddress,
    after: Option<Position>,
    limit: usize,
) -> Result<Option<Vec<LeaderboardEntry>>, StoreError> {
    if partners::project_of(db, contract.key())? != Some(project) {
        return Ok(None);
    }
    let (usd, key) = query::below(after);
    let (token, config) = split_key(contract.chain, &key);
    let params = (contract.key(), usd, token, config, limit);
    let ranked: Vec<([u8; 40], _, _)> = query::all(db, PAGE, params, |row| {
        Ok((row.get("token")?, row.get("config")?, column::stats(row)?))
    })?;
    let entries = ranked
        .into_iter()
        .map(|(token, config, stats)| entry(db, token, config, stats));
    entries.collect::<Result<_, _>>().map(Some)
}

fn entry(
    db: &Connection,
    token: [u8; 40],
    config: ConfigId,
    stats: DonationStats,
) -> Result<LeaderboardEntry, StoreError> {
    let (token, creator) = token_with_creator(db, token)?;
    Ok(LeaderboardEntry {
        token,
        creator,
        config: configs::get(db, config)?,
        stats,
    })
}

/// A partner token that a foreign key says is there, and the address of its creator.
fn token_with_creator(db: &Connection, token: [u8; 40]) -> Result<(Token, Address), StoreError> {
    let sql = "SELECT token.chain, chain.kind, token.address, token.name, token.symbol,
                 token.decimals, token.logo, partner_token.creator
               FROM partner_token
               JOIN token ON token.id = partner_token.token
               JOIN chain ON chain.id = token.chain
               WHERE partner_token.token = ?1";
    let found = query::first(db, sql, [token], |row| {
        let creator = column::address(row, row.get("kind")?, "creator")?;
        Ok((tokens::read_token(row)?, creator))
    })?;
    found.ok_or_else(|| StoreError::Corrupt("a partner token is missing".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        query::assert_reads_index(
            PAGE,
            ([0; 40], 0, [0; 40], [0; 32], 0),
            "USING COVERING INDEX leaderboard (contract=? AND (usd_e6,token,config)<(?,?,?))",
        );
    }
}
