//! Donations: their log, their division among beneficiaries, and their sums.

pub(crate) mod api;
mod donation;
pub(crate) mod entry;
mod events;
mod listed;
pub mod mapping;
mod received;
pub(crate) mod recording;
pub(crate) mod sql;
pub mod store;
pub(crate) mod table;

pub use donation::{Donation, Revision};
pub use listed::ListedDonation;
pub use received::{ReceivedDonation, SplitDonation};
pub use store::DonationFilter;
