//! Partner contracts, the tokens that they own, and the leaderboard of these.

mod api;
#[cfg(test)]
mod conformance;
pub(crate) mod leaderboard;
mod partner;
pub(crate) mod postgres;
pub(crate) mod sqlite;
mod store;

pub use leaderboard::{LeaderboardEntry, LeaderboardStore};
pub use partner::{PartnerContract, PartnerDetail, PartnerToken};
pub use store::ContractStore;
