//! The leaderboard of a partner contract, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use futures_util::FutureExt;
use tokio::try_join;

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
    SELECT ranked.token, ranked.creator, ranked.active_config,
      ranked.usd_e6, ranked.donations, ranked.first_at, ranked.last_at
    FROM partner_token AS ranked
    WHERE ranked.contract = $1 AND (ranked.usd_e6, ranked.token) < ($2, $3)
    ORDER BY ranked.usd_e6 DESC, ranked.token DESC LIMIT $4";

/// A row of the index.
struct Row {
    token: [u8; 40],
    creator: String,
    config: ConfigId,
    stats: DonationStats,
}

/// The tokens of a contract after a position; `None` for a contract that is not the project's.
///
/// The details of a page's tokens are read after it, not in the same state: they never change their
/// place.
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

async fn ranked(
    db: &impl GenericClient,
    contract: &ChainAddress,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Row>, Failure> {
    let (usd, address) = query::below(after);
    // All tokens of a contract are on its chain, so that their keys order as addresses do.
    let token = [&contract.chain.get().to_be_bytes(), address.as_slice()].concat();
    let (contract, limit) = (Bytes(contract.key()), query::limit(limit));
    query::all(db, PAGE, &[&contract, &usd, &token, &limit], |row| {
        Ok(Row {
            token: row.try_get::<_, Bytes<40>>("token")?.0,
            creator: row.try_get("creator")?,
            config: row.try_get("active_config")?,
            stats: column::stats(row)?,
        })
    })
    .await
}

fn entry(tokens: &Tokens, configs: &Configs, row: Row) -> Result<LeaderboardEntry, StoreError> {
    let (token, kind) = tokens.get(row.token)?;
    let creator = Address::parse(kind, &row.creator);
    Ok(LeaderboardEntry {
        token,
        creator: creator.map_err(|_| StoreError::Corrupt("a creator is no address".to_owned()))?,
        config: configs.get(row.config)?.clone(),
        stats: row.stats,
    })
}
