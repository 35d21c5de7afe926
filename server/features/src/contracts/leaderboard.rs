//! The leaderboard of a partner contract: its tokens with the configs that received donations in them, ranked
//! by the sums of those donations.

pub mod sql;

use db::{Db, DbError};

use crate::chains::{Address, ChainAddress, ChainId};
use crate::configs::Config;
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::{Placed, Position};
use crate::projects::ProjectId;
use crate::tokens::Token;

/// A partner token and one of its configs in the leaderboard of the token's contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaderboardEntry {
    pub token: Token,
    pub creator: Address,
    /// The config, deleted or not: the token's active one, or another one that received donations.
    pub config: Config,
    /// The donations in the token through the config.
    pub stats: DonationStats,
}

/// By sum, then by the token's address, then by config id.
impl Placed for LeaderboardEntry {
    fn position(&self) -> Position {
        Position {
            ordinal: self.stats.usd.0,
            key: [self.token.id.address.sort_key(), self.config.id.0].concat(),
        }
    }
}

/// Splits the key of a position into the keys of a token and a config. All tokens of a contract are on its
/// chain, so their keys order as their addresses do.
fn split_key(chain: ChainId, key: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (address, config) = key.split_at(key.len().min(32));
    let token = [&chain.get().to_be_bytes(), address].concat();
    (token, config.to_vec())
}

/// The entries of a contract after a position, largest sum first; `None` for a contract that is unknown or
/// not the project's.
pub async fn leaderboard(
    db: &Db,
    project: ProjectId,
    contract: ChainAddress,
    after: Option<Position>,
    limit: usize,
) -> Result<Option<Vec<LeaderboardEntry>>, DbError> {
    db.read(move |tx| sql::page(tx, project, contract, after, limit))
        .await
}
