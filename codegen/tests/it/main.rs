//! Tests of the generator on small documents.
//!
//! `golden/` holds documents with their output, `reject/` documents with their errors, `recovered/`
//! documents that are accepted with warnings, `idioms/` documents as tools write them, with their types, `allowed/` documents that are taken as they are, and
//! `explain/` the diagnostics of the examples in
//! explanations; `UPDATE_GOLDEN=1` writes them again, to be reviewed as a diff. `behaviour/` holds
//! contracts whose crates must compile and behave, with the tests of their behaviour.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails where it stands"
)]

mod allowed;
mod client_rules;
mod compile;
mod crates;
mod embedded;
mod expected;
mod explain;
mod files;
mod formats;
mod golden;
mod guide;
mod identifiers;
mod idioms;
mod layers;
mod lint;
mod naming;
mod pages;
mod random;
mod recovered;
mod reject;
mod total;
mod versions;
mod wrapped;
