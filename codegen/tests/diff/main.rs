//! What `codegen::diff` calls a break, and what it does not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails where it stands"
)]

mod bodies;
mod contract;
mod deep;
mod exploded;
mod files;
mod forms;
mod hostile;
mod kinds;
mod media_types;
mod narrowings;
mod operations;
mod outgoing;
mod parameters;
mod paths;
mod readers;
mod refactorings;
mod replaced;
mod report;
mod rewrite;
mod schemas;
mod security;
mod templates;
mod work;
