//! The donation catalog API: implements the generated traits over SQLite or PostgreSQL, with pages for people.
//!
//! A feature is a folder: `charities`, `campaigns`, `chains`, `tokens`, `contracts`, `configs`,
//! `donations`, `rollups`, `analytics`, `projects`, `members`, `claims`, `keys`, `usage`, `accounts`,
//! `passkeys`, `oidc`, `operators`, `suspensions`, `tier_requests`, `webhooks`, `mail`, `audit`. It contains, from
//! the inside out, its types and rules, which depend neither on HTTP nor on SQL; its tables in either database
//! (`sqlite`, `postgres`); its part of the catalogue in memory (`catalogue`); the mapping to the contract's
//! models (`mapping`); and its operations (`api`). `domain` and `database` are below all features, `import`,
//! `api` and `dashboard` above them. `configs` and `webhooks` share `idempotency`.
//!
//! Pages are `site` (what they share), `public_pages`, `docs` and `dashboard`. `access` and the crate `edge`
//! surround them and the API, `startup` starts all of it, and `cli` is the program.

pub mod access;
pub mod accounts;
pub mod analytics;
pub mod api;
pub mod audit;
pub mod cache_refresh;
pub mod campaigns;
pub mod catalogue;
pub mod chain_rpc;
pub mod chains;
pub mod charities;
pub mod claims;
pub mod cli;
pub mod config;
pub mod configs;
pub mod contracts;
mod csv;
pub mod dashboard;
pub mod database;
pub mod demo;
pub mod docs;
pub mod domain;
pub mod donations;
pub mod idempotency;
pub mod import;
pub mod keys;
pub mod mail;
#[cfg(test)]
mod manual_clock;
pub mod mapping;
pub mod members;
pub mod oidc;
pub mod operators;
pub mod passkeys;
pub mod projects;
pub mod public_pages;
pub mod rollups;
pub mod site;
pub mod startup;
pub mod suspensions;
pub mod tier_requests;
pub mod tokens;
pub mod usage;
pub mod webhooks;

#[cfg(test)]
extern crate self as server;
#[cfg(test)]
#[path = "../tests/conformance/records.rs"]
mod test_records;
