//! Compares two versions of an OpenAPI contract, and finds the changes that break clients.
//!
//! ```text
//! two documents ─read─► Version ×2 ─pair─► paired operations ─rules─► changes with a direction
//!                                                ─verdict─► severity and witness ─► Report
//! ```
//!
//! A request that was valid must stay valid, and a response that is valid must have been valid before.
//! Schemas are compared in a normal form, so that a refactoring changes nothing. A change is breaking only
//! with a [`Witness`], a message that one version accepts and the other refuses; without one it is possible
//! at most. The crate is a pure function: its caller chooses the two documents, and decides whether a break
//! fails a build.

mod comparison;
mod pairing;
mod report;
mod rules;
mod schema;
mod verdict;
mod version;
mod wire;

pub use report::{AcceptedBreak, AcceptedBreaks, Change, Report, Severity, Witness};

use codegen::diagnostic::{Diagnostics, Look};
use codegen::{Reading, Source};
use comparison::Comparison;
use version::Version;

/// A contract to compare.
#[derive(Debug, Clone, Copy)]
pub struct Contract<'c> {
    /// Its text.
    pub source: &'c Source,
    /// How it is read, with its other files.
    pub reading: &'c Reading,
}

/// A contract that cannot be compared.
#[derive(Debug)]
pub struct Unreadable<'c> {
    /// The contract.
    pub contract: Contract<'c>,
    /// The problems that keep it from being read.
    pub found: Diagnostics,
}

impl Unreadable<'_> {
    /// The problems as text, each in its own file.
    #[must_use]
    pub fn render(&self, look: Look) -> String {
        let Contract { source, reading } = self.contract;
        self.found.render_files(source, &reading.files, look)
    }
}

/// Compares two contracts.
///
/// Parts that are invalid or cannot be expressed are left out of the comparison; `gen` and `lint` report
/// them.
///
/// # Errors
/// The first contract that is no OpenAPI document, or lacks files that it refers to.
pub fn diff<'c>(before: Contract<'c>, after: Contract<'c>) -> Result<Report, Box<Unreadable<'c>>> {
    let read = |contract: Contract<'c>| {
        Version::read(contract).map_err(|found| Box::new(Unreadable { contract, found }))
    };
    let (before, after) = (read(before)?, read(after)?);
    let mut comparison = Comparison::new(&before, &after);
    rules::apply(&mut comparison);
    Ok(comparison.report())
}
