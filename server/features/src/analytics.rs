//! A project's statistics: totals, time series and breakdowns.

mod api;
mod filter;
mod filtered;
pub mod series;
pub mod sql;
pub mod store;
mod totals;

pub use filter::StatsFilter;
pub use filtered::{FilteredSums, MAX_DONATIONS};
pub use totals::{ProjectTotals, Ranked};
