//! Tests the artefacts that clients use, with the programs that they use: the documentation in a
//! browser, the code of guides and samples in their languages, the collection in newman, the contract in validators and client
//! generators, the feed in readers.
//!
//! If a program is not installed, the test reports it and ends; in CI it fails (see [`installed`]).

mod browser;
mod clients;
mod code;
mod collection;
mod contract;
mod feed;
mod first_donation;
mod limit;
mod quick_start;
mod recipes;
mod samples;
mod schemathesis;
mod webhook_receivers;
