//! The features of the donation catalog API: their rules, their SQL and their operations.
//!
//! A feature is a folder. It contains, from the inside out, its types and rules, which depend neither on HTTP nor on
//! SQL; its SQL (`sql`) and its transactions (`store`); its events (`events`); its part of the catalog in memory
//! (`catalogue`); the mapping to the contract's models (`mapping`); and its operations (`api`).
//!
//! `server/src/layers.rs` has the order of the modules, with their purposes, and tests it.

#![allow(missing_docs)]

pub mod access;
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
pub mod configs;
pub mod console_config;
pub mod contracts;
pub mod csv;
pub mod database;
pub mod domain;
pub mod donations;
pub mod events;
pub mod idempotency;
pub mod import;
pub mod keys;
mod listing;
pub mod mail;
#[cfg(test)]
mod manual_clock;
pub mod mapping;
pub mod project_lifecycle;
pub mod projects;
pub mod rollups;
pub mod search;
pub mod suspensions;
pub mod tokens;
pub mod usage;
pub mod webhooks;

#[cfg(test)]
extern crate self as features;
#[cfg(test)]
#[path = "../../tests/conformance/records.rs"]
mod test_records;
