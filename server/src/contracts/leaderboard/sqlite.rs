//! The leaderboard of a partner contract, in SQLite.

use async_trait::async_trait;
use rusqlite::Connection;

use super::split_key;
use crate::chains::{Address, ChainAddress, sqlite as chains};
use crate::configs::{ConfigId, sqlite as configs};
use crate::contracts::leaderboard::LeaderboardStore;
use crate::contracts::{LeaderboardEntry, sqlite as partners};
use crate::database::StoreError;
use crate::database::sqlite::{Sqlite, column, query};
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::projects::ProjectId;
use crate::tokens::sqlite as tokens;

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
pub(crate) const PAGE: &str = "SELECT token, config, creator, usd_e6, donations, first_at, last_at
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
    let ranked = query::all(db, PAGE, params, |row| {
        let keys = (row.get("token")?, row.get("config")?, row.get("creator")?);
        Ok((keys, column::stats(row)?))
    })?;
    let entries = ranked
        .into_iter()
        .map(|(keys, stats)| entry(db, keys, stats));
    entries.collect::<Result<_, _>>().map(Some)
}

/// Token, config and creator, as the index has them.
type Keys = ([u8; 40], ConfigId, String);

fn entry(
    db: &Connection,
    (token, config, creator): Keys,
    stats: DonationStats,
) -> Result<LeaderboardEntry, StoreError> {
    let token = tokens::get(db, token)?;
    let kind = chains::kind(db, token.id.chain)?;
    let creator = kind.and_then(|kind| Address::parse(kind, &creator).ok());
    Ok(LeaderboardEntry {
        token,
        creator: creator
            .ok_or_else(|| StoreError::Corrupt("a creator is no address".to_owned()))?,
        config: configs::get(db, config)?,
        stats,
    })
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
