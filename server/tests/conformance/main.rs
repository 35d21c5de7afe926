//! The conformance suite of databases: the same cases on SQLite and on PostgreSQL.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails where it stands"
)]

#[macro_use]
mod harness;
mod accounts;
mod analytics;
mod availability;
mod catalogue;
mod claims;
mod clock;
mod config_creation;
mod configs;
mod contracts;
mod donations;
mod edges;
mod fail_points;
mod import_progress;
#[path = "../instances/mod.rs"]
mod instances;
mod keys;
mod leaderboard;
mod mail;
mod members;
mod migration;
mod oidc;
mod operators;
mod passkeys;
mod personal_data;
mod postgres;
mod projects;
mod records;
mod replicas;
mod rollups;
mod search;
mod suspensions;
mod tier_requests;
mod usage;
mod verification;
mod webhook_events;
mod webhook_queue;
mod webhooks;
mod world;
