//! The donation catalog API: implements the generated traits over an embedded database.
//!
//! `domain` is the innermost room and knows no other. `store` and `import` speak the domain's
//! types; `present` and `snapshot` turn them into the contract's; `api` implements the contract's
//! operations over all of these; `docs` documents them; `http`, `access` and `limits` surround
//! both; `cli` starts it.

pub mod access;
pub mod api;
pub mod cache_refresh;
pub mod cli;
pub mod clock;
pub mod config;
pub mod demo;
pub mod docs;
pub mod domain;
pub mod feed;
pub mod http;
pub mod import;
pub mod keys;
pub mod limits;
pub mod present;
pub mod reloadable;
pub mod server;
pub mod snapshot;
pub mod store;
mod tls;
