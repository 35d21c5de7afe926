//! A project's statistics: totals, time series and breakdowns.

mod api;
#[cfg(test)]
pub(crate) mod conformance;
mod filter;
mod filtered;
mod request;
pub mod series;
pub(crate) mod sql;
pub mod store;
mod sums;
mod totals;

pub use filter::StatsFilter;
pub use filtered::{FilteredSums, MAX_DONATIONS};
pub use totals::{ProjectTotals, Ranked};
