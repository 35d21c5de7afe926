//! A project's statistics: totals, time series and breakdowns.

mod api;
mod filter;
mod filtered;
mod request;
pub mod series;
pub mod sql;
pub mod store;
mod sums;
mod totals;

pub use filter::StatsFilter;
pub use filtered::{FilteredSums, MAX_DONATIONS};
pub use totals::{ProjectTotals, Ranked};
