//! The commands as their users see them: the binary, run in throw-away folders.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails where it stands"
)]

mod check;
mod diff;
mod edits;
mod examples;
mod explain;
mod generate;
mod init;
mod integrations;
mod lint;
mod manual;
mod sandbox;
mod settings;
mod watch;
