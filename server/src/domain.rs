//! The platform's own nouns and rules. Knows nothing of HTTP, of the generated code or of the store.

pub mod address;
pub mod amount;
pub mod campaign;
pub mod chain;
pub mod charity;
pub mod config;
pub mod day;
pub mod donation;
pub mod partner;
pub mod position;
pub mod project;
pub mod series;
pub mod share;
pub mod stats;
pub mod token;
pub mod transaction;
