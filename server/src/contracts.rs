//! Partner contracts, the tokens that they own, and the leaderboard of these.

mod api;
pub(crate) mod leaderboard;
mod partner;
pub(crate) mod postgres;
pub(crate) mod sqlite;

pub use leaderboard::{LeaderboardEntry, LeaderboardStore};
pub use partner::{PartnerContract, PartnerDetail, PartnerToken};
