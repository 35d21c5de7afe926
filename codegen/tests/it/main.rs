//! What the generator makes of small documents.
//!
//! `golden/` holds documents with the output that they must have, `reject/` documents with the
//! diagnostics that they must get, `recovered/` documents that are taken all the same, with the
//! warnings that say so, `explain/` what is said of the documents in explanations of codes;
//! `UPDATE_GOLDEN=1` writes them anew, for the diff to be read.
//! `behaviour/` holds contracts whose crates must compile and behave, and the tests of how they do.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails where it stands"
)]

mod compile;
mod expected;
mod explain;
mod files;
mod formats;
mod golden;
mod lint;
mod naming;
mod random;
mod recovered;
mod reject;
mod total;
