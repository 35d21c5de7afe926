//! A project's statistics: totals, time series and breakdowns.

mod api;
#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod postgres;
pub mod series;
pub(crate) mod sqlite;
mod store;
mod totals;

pub use store::AnalyticsStore;
pub use totals::{ProjectTotals, Ranked};
