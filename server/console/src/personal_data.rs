//! Personal data of all features: its export, its erasure, and the deletion of expired records.

pub mod erasure;
pub mod export;
pub mod store;
