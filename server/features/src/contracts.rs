//! Partner contracts, the tokens that they own, and the leaderboard of these.

mod api;
pub mod leaderboard;
mod partner;
pub(crate) mod sql;
pub mod store;

pub use leaderboard::LeaderboardEntry;
pub use partner::PartnerContract;
