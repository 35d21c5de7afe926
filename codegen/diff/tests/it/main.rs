//! The changes that `diff` calls breaking, and those that it does not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails where it stands"
)]

mod accepted;
mod bodies;
mod contract;
mod deep;
mod files;
mod forms;
mod hostile;
mod kinds;
mod media_types;
mod narrowings;
mod operations;
mod outgoing;
mod parameters;
mod path_overlap;
mod paths;
mod query_objects;
mod refactorings;
mod report;
mod rewrite;
mod schemas;
mod security;
mod templates;
mod untagged;
mod version_32;
mod work;
