//! The state of one comparison.

use crate::pairing::full_name;
use crate::report::{Changes, Report};
use crate::schema::{PairId, SchemaPairs};
use crate::verdict::Attempts;
use crate::version::Version;
use codegen::source::Pointer;
use std::collections::{HashMap, HashSet};

/// The direction of a message. A request that was valid must stay valid; a response that is valid must have
/// been valid before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    /// From the client to the server.
    Request,
    /// From the server to the client.
    Response,
}

impl Direction {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Direction::Request => "request",
            Direction::Response => "response",
        }
    }

    /// The direction of the answer.
    pub(crate) fn back(self) -> Direction {
        match self {
            Direction::Request => Direction::Response,
            Direction::Response => Direction::Request,
        }
    }

    /// The sender's version and the receiver's: clients have the one before, the API has the one after.
    pub(crate) fn ends<T>(self, before: T, after: T) -> (T, T) {
        match self {
            Direction::Request => (before, after),
            Direction::Response => (after, before),
        }
    }
}

/// Two versions of a contract, and the changes found so far.
pub(crate) struct Comparison<'a> {
    pub(crate) before: &'a Version,
    pub(crate) after: &'a Version,
    pub(crate) changes: Changes,
    requests: SchemaPairs<'a>,
    responses: SchemaPairs<'a>,
    /// The attempts to prove a difference that several operations share: by direction, pair and message.
    pub(crate) attempts: HashMap<(Direction, PairId, String), Attempts>,
    /// The pairs with few values, all of which the receiver accepts.
    pub(crate) harmless: HashSet<(Direction, PairId)>,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(before: &'a Version, after: &'a Version) -> Comparison<'a> {
        let pairs = || SchemaPairs::new(&before.schemas, &after.schemas);
        Comparison {
            before,
            after,
            changes: Changes::default(),
            requests: pairs(),
            responses: pairs(),
            attempts: HashMap::new(),
            harmless: HashSet::new(),
        }
    }

    pub(crate) fn pairs(&self, direction: Direction) -> &SchemaPairs<'a> {
        match direction {
            Direction::Request => &self.requests,
            Direction::Response => &self.responses,
        }
    }

    pub(crate) fn pairs_mut(&mut self, direction: Direction) -> &mut SchemaPairs<'a> {
        match direction {
            Direction::Request => &mut self.requests,
            Direction::Response => &mut self.responses,
        }
    }

    pub(crate) fn report(self) -> Report {
        let mut at = places(self.before);
        at.extend(places(self.after));
        let at = |operation: &str| at.get(operation).cloned().unwrap_or_default();
        Report {
            versions: (self.before.name.clone(), self.after.name.clone()),
            changes: self.changes.finish(at),
        }
    }
}

/// The places of the operations of a version, by their names in reports.
fn places(version: &Version) -> HashMap<String, Pointer> {
    let own = version.operations.iter().map(|one| (None, one));
    let webhooks = version.webhooks.iter().map(|one| (Some("webhook"), one));
    let callbacks = version.callbacks.iter().map(|one| (Some("callback"), one));
    let outgoing = webhooks.chain(callbacks);
    let all = own.chain(outgoing.map(|(what, one)| (what, &one.operation)));
    all.map(|(what, one)| (full_name(what, one), one.at.clone()))
        .collect()
}
