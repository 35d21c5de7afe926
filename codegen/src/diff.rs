//! What has changed between two contracts, as their clients see it.
//!
//! Contracts are compared in a normal form (`node`): with references followed, `allOf` joined,
//! order and component names gone, so that a refactoring changes nothing. What differs is judged
//! by its direction: a request that was valid must stay valid, and a response that is valid must
//! have been valid before. A change is called breaking only with a [`Witness`], a request or
//! response that the interpreter of generated servers accepts under one contract and refuses under
//! the other; a suspicion without one is called possible.
//!
//! The module is a pure function of two contracts. Which two, and what a break means for a build, is
//! its caller's business.

mod apart;
mod arriving;
mod body_limit;
mod changes;
mod choice;
mod compare;
mod content;
mod edit;
mod encodings;
mod exchange;
mod exclusive;
mod exploded;
mod fields;
mod fill;
mod hollow;
mod in_common;
mod inclusion;
mod judge;
mod keywords;
mod limits;
mod links;
mod long;
mod markdown;
mod media_types;
mod meeting;
mod node;
mod normal;
mod operations;
mod outgoing;
mod overlap;
mod pairing;
mod pairs;
mod parameters;
mod part_headers;
mod parts;
mod pattern;
mod plain;
mod probe;
mod ranges;
mod refused;
mod renamed;
mod replaced;
mod report;
mod representations;
mod reread;
mod responses;
mod routes;
mod sample;
mod samples;
mod scalar;
mod schemes;
mod security;
mod sent;
mod sent_bodies;
mod sent_security;
mod servers;
mod side;
mod slot;
mod surroundings;
mod text;
mod travels;
mod union;
mod variants;
mod view;
mod witness;

pub use report::{Change, Report, Severity, Witness};
pub(crate) use samples::Samples;

use crate::Reading;
use crate::diagnostic::{Diagnostics, Look};
use crate::source::Source;
use compare::Comparison;
use side::Side;

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
    /// Which one it is.
    pub contract: Contract<'c>,
    /// What is wrong with it.
    pub found: Diagnostics,
}

impl Unreadable<'_> {
    /// What is wrong as text, each problem in its own file.
    pub fn render(&self, look: Look) -> String {
        let Contract { source, reading } = self.contract;
        self.found.render_files(source, &reading.files, look)
    }
}

/// Compares two contracts.
///
/// Parts that are invalid or cannot be expressed are left out of the comparison; `gen` and `lint`
/// speak of them.
///
/// # Errors
/// The first contract that is no OpenAPI document at all, or lacks files that it refers to.
pub fn diff<'c>(before: Contract<'c>, after: Contract<'c>) -> Result<Report, Box<Unreadable<'c>>> {
    let read = |contract: Contract<'c>| {
        Side::read(contract).map_err(|found| Box::new(Unreadable { contract, found }))
    };
    let (mut before, mut after) = (read(before)?, read(after)?);
    exploded::align(&mut before, &mut after);
    let mut judge = judge::Judge {
        before: &before,
        after: &after,
        request: Comparison::new(&before.view, &after.view),
        response: Comparison::new(&before.view, &after.view),
        changes: changes::Changes::default(),
        attempts: Default::default(),
        harmless: Default::default(),
    };
    operations::compare(&mut judge);
    outgoing::compare(&mut judge);
    Ok(Report {
        versions: (before.version.clone(), after.version.clone()),
        changes: judge.changes.finish(),
    })
}
