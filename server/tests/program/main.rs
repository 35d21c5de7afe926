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
mod callers;
mod commands;
mod demo;
mod faults;
mod folder;
mod hostile;
mod hostile_bodies;
mod import;
#[path = "../instances/mod.rs"]
mod instances;
mod keys;
mod observation;
mod postgres;
mod serving;
mod sharing;
mod shutdown;
mod windows;
mod wire;
mod world;
