//! The roll-ups: what a project's standing donations add up to, in all and by day, kept beside the log
//! that they follow from.

pub(crate) mod batch;
#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod key;
pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod verification;

pub use verification::{Drift, RollupStore};
