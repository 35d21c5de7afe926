//! The leaderboard of a partner contract: its tokens, ranked by donations.

#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod postgres;
pub(crate) mod sqlite;

use async_trait::async_trait;

use crate::chains::{Address, ChainAddress};
use crate::configs::Config;
use crate::database::StoreError;
use crate::domain::position::{Placed, Position};
use crate::donations::DonationStats;
use crate::projects::ProjectId;
use crate::tokens::Token;

/// A partner token in its contract's leaderboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaderboardEntry {
    /// The token.
    pub token: Token,
    /// The address of its creator.
    pub creator: Address,
    /// Its active config, also where its project has deleted that.
    pub config: Config,
    /// The donations in it.
    pub stats: DonationStats,
}

/// By sum, then by address.
impl Placed for LeaderboardEntry {
    fn position(&self) -> Position {
        Position {
            ordinal: self.stats.usd.0,
            key: self.token.id.address.sort_key().to_vec(),
        }
    }
}

/// The database operations of leaderboards. See [`Database`](crate::database::Database).
#[async_trait]
pub trait LeaderboardStore {
    /// The tokens of a contract after a position, largest sum first, those without donations
    /// included; `None` for a contract that is unknown or not the project's.
    async fn leaderboard(
        &self,
        project: ProjectId,
        contract: ChainAddress,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Option<Vec<LeaderboardEntry>>, StoreError>;
}
