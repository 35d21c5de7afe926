//! Donations: their log, their division among beneficiaries, and their sums.

#[cfg(test)]
pub(crate) mod conformance;
mod donation;
pub(crate) mod effect;
pub(crate) mod entry;
pub(crate) mod mapping;
pub(crate) mod postgres;
mod received;
pub(crate) mod recording;
pub mod share;
pub(crate) mod sqlite;
mod stats;
mod store;

pub use donation::{Donation, Revision};
pub use received::ReceivedDonation;
pub use stats::DonationStats;
pub use store::{DonationFilter, DonationStore};
