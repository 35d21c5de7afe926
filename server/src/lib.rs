//! The donation catalog API: implements the generated traits over an embedded database.

pub mod access;
pub mod cli;
pub mod clock;
pub mod config;
pub mod domain;
pub mod http;
pub mod keys;
pub mod limits;
pub mod store;
