//! The leaderboard of a partner contract, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use futures_util::FutureExt;
use tokio::try_join;

use super::split_key;
use crate::chains::{Address, ChainAddress};
use crate::configs::ConfigId;
use crate::configs::postgres::Configs;
use crate::contracts::leaderboard::LeaderboardStore;
use crate::contracts::{LeaderboardEntry, postgres as partners};
use crate::database::StoreError;
use crate::database::postgres::column::{self, Bytes};
use crate::database::postgres::{Failure, Postgres, query};
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::projects::ProjectId;
use crate::tokens::postgres::Tokens;

#[async_trait]
impl LeaderboardStore for Postgres {
    async fn leaderboard(
        &self,
        project: ProjectId,
        contract: ChainAddress,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Option<Vec<LeaderboardEntry>>, StoreError> {
        self.query(move |db| page(db, project, contract, after, limit).boxed())
            .await
    }
}

/// Reads the columns of the index only, so that a page reads no other rows. `ORDER BY` names columns of
/// the table, because an unqualified name would refer to a column of the result.
pub(crate) const PAGE: &str = "
    SELECT ranked.token, ranked.config, ranked.creator,
      ranked.usd_e6, ranked.donations, ranked.first_at, ranked.last_at
    FROM leaderboard_entry AS ranked
    WHERE ranked.contract = $1 AND (ranked.usd_e6, ranked.token, ranked.config) < ($2, $3, $4)
    ORDER BY ranked.usd_e6 DESC, ranked.token DESC, ranked.config DESC LIMIT $5";

/// The entries of a contract after a position; `None` for a contract that is not the project's.
///
/// The tokens and configs of a page are read after it, not in the same state: they never change the
/// position of an entry.
pub(crate) async fn page(
    db: &impl GenericClient,
    project: ProjectId,
    contract: ChainAddress,
    after: Option<Position>,
    limit: usize,
) -> Result<Option<Vec<LeaderboardEntry>>, Failure> {
    let (owner, rows) = try_join!(
        partners::project_of(db, contract.key()),
        ranked(db, &contract, after, limit),
    )?;
    if owner != Some(project) {
        return Ok(None);
    }
    let (tokens, configs) = try_join!(
        Tokens::load(db, rows.iter().map(|row| row.token)),
        Configs::load(db, rows.iter().map(|row| row.config)),
    )?;
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

async fn ranked(
    db: &impl GenericClient,
    contract: &ChainAddress,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked>, Failure> {
    let (usd, key) = query::below(after);
    let (token, config) = split_key(contract.chain, &key);
    let (contract, limit) = (Bytes(contract.key()), query::limit(limit));
    let params: query::Params<'_> = &[&contract, &usd, &token, &config, &limit];
    query::all(db, PAGE, params, |row| {
        Ok(Ranked {
            token: row.try_get::<_, Bytes<40>>("token")?.0,
            config: row.try_get("config")?,
            creator: row.try_get("creator")?,
            stats: column::stats(row)?,
        })
    })
    .await
}

fn entry(tokens: &Tokens, configs: &Configs, row: Ranked) -> Result<LeaderboardEntry, StoreError> {
    let (token, kind) = tokens.get(row.token)?;
    let creator = Address::parse(kind, &row.creator);
    Ok(LeaderboardEntry {
        token,
        creator: creator.map_err(|_| StoreError::Corrupt("a creator is no address".to_owned()))?,
        config: configs.get(row.config)?.clone(),
        stats: row.stats,
    })
}
