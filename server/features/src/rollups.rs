//! The rollups: sums of a project's standing donations, in total and by day, stored beside the log
//! that they are derived from.

pub(crate) mod batch;
mod campaign_sums;
pub mod cells;
pub(crate) mod charity_days;
pub(crate) mod charity_totals;
pub mod config_list;
pub(crate) mod effect;
pub(crate) mod key;
pub(crate) mod leaderboard_entries;
pub(crate) mod sql;
pub mod store;
pub mod verification;

pub use charity_days::ReceivedOnDay;
pub use verification::Drift;
