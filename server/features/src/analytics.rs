//! A project's statistics: totals, time series and breakdowns.

mod api;
mod filter;
pub mod series;
pub mod sql;
pub mod store;
mod totals;

pub use filter::{StatsFilter, StatsScope};
pub use totals::{ProjectTotals, Ranked};
