//! Tests the program as operators and clients meet it: the real binary, run in temporary folders and
//! used over real sockets.
//!
//! The contract test checks responses in detail; these tests check that there is a response in the
//! contract's format, and that the process survives the request.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails where it stands"
)]

mod answer;
mod attacks;
mod backup;
mod callers;
mod commands;
mod compression;
mod dashboard;
mod demo;
#[path = "../contract/document.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the contract test reads more of it"
)]
mod document;
mod faults;
mod folder;
mod hostile;
mod hostile_bodies;
mod import;
#[path = "../instances/mod.rs"]
mod instances;
mod keys;
#[path = "../mutations/mod.rs"]
#[allow(unreachable_pub, reason = "it is the contract test's, too")]
mod mutations;
mod observation;
mod operating;
mod postgres;
mod public_pages;
mod receiver;
mod reload;
mod serving;
mod sharing;
mod shutdown;
mod tls;
mod usage;
mod windows;
mod wire;
mod world;
