//! Donations: their log, their division among beneficiaries, and their sums.

pub(crate) mod api;
mod donation;
pub(crate) mod effect;
pub(crate) mod entry;
mod listed;
pub(crate) mod mapping;
mod received;
pub(crate) mod recording;
pub mod share;
pub(crate) mod sql;
mod stats;
pub mod store;
pub(crate) mod table;

pub use donation::{Donation, Revision};
pub use listed::ListedDonation;
pub use received::{ReceivedDonation, SplitDonation};
pub use stats::DonationStats;
pub use store::DonationFilter;
