//! The donation catalog API: implements the generated traits over SQLite or PostgreSQL, with pages for people.
//!
//! A feature is a folder. It contains, from the inside out, its types and rules, which depend neither on HTTP nor on
//! SQL; its SQL (`sql`) and what it asks the database (`store`); its events (`events`); its part of the catalog in memory
//! (`catalogue`); the mapping to the contract's models (`mapping`); and its operations (`api`).
//!
//! `layers.rs` has the order of the modules, with their purposes, and tests it.

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
pub mod events;
pub mod idempotency;
pub mod import;
pub mod keys;
#[cfg(test)]
mod layers;
mod listing;
pub mod mail;
#[cfg(test)]
mod manual_clock;
pub mod mapping;
pub mod members;
pub mod oidc;
pub mod operators;
pub mod passkeys;
pub mod personal_data;
pub mod project_lifecycle;
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
