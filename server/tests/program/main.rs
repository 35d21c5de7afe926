//! The program as operators and clients meet it: the real binary, run in throw-away folders and spoken
//! to over real sockets.
//!
//! What an answer looks like in full is the contract test's business; here it is that there is one,
//! that it is the contract's, and that the process survives what made it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails where it stands"
)]

mod answer;
mod backup;
mod callers;
mod commands;
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
#[path = "../mutants/mod.rs"]
#[allow(unreachable_pub, reason = "it is the contract test's, too")]
mod mutants;
mod observation;
mod operating;
mod postgres;
mod reload;
mod serving;
mod sharing;
mod shutdown;
mod tls;
mod windows;
mod wire;
mod world;
