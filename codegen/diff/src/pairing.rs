//! Pairs the operations, webhooks and callbacks of one version with those of the other.

use crate::comparison::Direction;
use crate::version::{Version, unnamed};
use crate::wire::RequestLine;
use codegen::openapi::{Operation, Outgoing, Target};
use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};

/// An operation of both versions.
pub(crate) struct OperationPair<'a> {
    pub(crate) before: &'a Operation,
    pub(crate) after: &'a Operation,
    /// The operation in reports, as the version after has it: see [`full_name`].
    pub(crate) name: String,
    /// `webhook` or `callback`; `None` for an operation that clients call.
    pub(crate) outgoing: Option<&'static str>,
    versions: (&'a Version, &'a Version),
    line: OnceCell<RequestLine<'a>>,
}

impl<'a> OperationPair<'a> {
    pub(crate) fn new(
        versions: (&'a Version, &'a Version),
        (before, after): (&'a Operation, &'a Operation),
        outgoing: Option<&'static str>,
    ) -> OperationPair<'a> {
        OperationPair {
            before,
            after,
            name: full_name(outgoing, after),
            outgoing,
            versions,
            line: OnceCell::new(),
        }
    }

    /// The direction of the request.
    pub(crate) fn direction(&self) -> Direction {
        match self.outgoing {
            None => Direction::Request,
            Some(_) => Direction::Response,
        }
    }

    /// Whether responses have no body (RFC 9110 §9.3.2).
    pub(crate) fn is_head(&self) -> bool {
        self.before.method == "HEAD" || self.after.method == "HEAD"
    }

    /// The shortest request that is valid.
    pub(crate) fn line(&self) -> &RequestLine<'a> {
        self.line.get_or_init(|| match self.outgoing {
            None => {
                let line = RequestLine::new(self.before, self.versions.0);
                match self.is_head() {
                    true => line.by("HEAD".to_owned()),
                    false => line,
                }
            }
            Some(what) => {
                let line = RequestLine::outgoing(self.after, self.versions.1);
                line.by(format!("{what} {}", self.after.method))
            }
        })
    }

    /// Whether a request is for the operation, and not for another one.
    pub(crate) fn is_for(&self, line: &RequestLine<'_>) -> bool {
        self.versions.0.routes_to(self.before, &line.path())
    }

    /// The name of a path parameter in the version after: that of the same position.
    pub(crate) fn name_after(&self, old: &str) -> Option<&'a str> {
        let names = crate::version::parameter_names;
        let mut before = names(&self.before.path).into_iter();
        let position = before.position(|name| name == old)?;
        names(&self.after.path).get(position).copied()
    }
}

/// The method and path of an operation.
pub(crate) fn name(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.path)
}

/// The method and path, after `webhook` or `callback` for an outgoing operation.
pub(crate) fn full_name(outgoing: Option<&str>, operation: &Operation) -> String {
    match outgoing {
        Some(what) => format!("{what} {}", name(operation)),
        None => name(operation),
    }
}

type KeyOf<T> = fn(&Version, &T) -> String;

/// The operations, webhooks or callbacks of both versions, in pairs.
pub(crate) struct Pairing<'a, T> {
    /// The parts of the version before, in their order, each with its counterpart after.
    pub(crate) before: Vec<(&'a T, Option<&'a T>)>,
    /// The parts that the version after alone has, in their order.
    pub(crate) added: Vec<&'a T>,
}

/// Pairs by the first of some keys, and the rest by the next. Equal keys are paired in their order.
fn pair<'a, T>(
    versions: (&Version, &Version),
    (before, after): (&'a [T], &'a [T]),
    keys: &[KeyOf<T>],
) -> Pairing<'a, T> {
    let mut paired: Vec<_> = before.iter().map(|old| (old, None)).collect();
    let mut left: BTreeMap<usize, &T> = after.iter().enumerate().collect();
    for key in keys {
        let mut known: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        for (index, new) in &left {
            let indices = known.entry(key(versions.1, new)).or_default();
            indices.push_back(*index);
        }
        for (old, new) in paired.iter_mut().filter(|(_, new)| new.is_none()) {
            let indices = known.get_mut(&key(versions.0, old));
            let index = indices.and_then(VecDeque::pop_front);
            *new = index.and_then(|index| left.remove(&index));
        }
    }
    Pairing {
        before: paired,
        added: left.into_values().collect(),
    }
}

/// Pairs operations by method and path: as written, without the names of parameters, and the same below
/// their servers, which may have moved.
pub(crate) fn operations<'a>(before: &'a Version, after: &'a Version) -> Pairing<'a, Operation> {
    let as_written: KeyOf<Operation> = |version, one| one.method.clone() + &version.path(one);
    let below: KeyOf<Operation> = |_, one| one.method.clone() + &unnamed(&one.path);
    let lists = (&before.operations[..], &after.operations[..]);
    pair((before, after), lists, &[as_written, Version::route, below])
}

/// Pairs webhooks by their names, and callbacks by their operation with the URL that they call, or with
/// their name where the URL has changed.
pub(crate) fn outgoing<'a>(
    versions: (&Version, &Version),
    lists: (&'a [Outgoing], &'a [Outgoing]),
) -> Pairing<'a, Outgoing> {
    let by_all: KeyOf<Outgoing> = |version, one| by_url(version, one) + &name(&one.operation);
    let by_name: KeyOf<Outgoing> = |_, one| below(one) + &name(&one.operation);
    let by_url_below: KeyOf<Outgoing> = |_, one| below(one) + url(one) + &one.operation.method;
    pair(versions, lists, &[by_all, by_url, by_url_below, by_name])
}

fn by_url(version: &Version, of: &Outgoing) -> String {
    let owner = of.target.as_ref().and_then(|target| owner(version, target));
    let owner = owner.map_or_else(|| below(of), |owner| version.route(owner));
    match of.target {
        Some(_) => format!("{owner} {} {}", url(of), of.operation.method),
        None => name(&of.operation),
    }
}

/// The URL of a callback.
pub(crate) fn url(of: &Outgoing) -> &str {
    of.target.as_ref().map_or("", |target| &target.expression)
}

/// The operation with a callback.
fn owner<'v>(version: &'v Version, target: &Target) -> Option<&'v Operation> {
    let (method, path) = &target.of;
    let mut all = version.operations.iter();
    all.find(|one| one.method == *method && unnamed(&one.path) == unnamed(path))
}

/// The operation with a callback, by its path below its server.
fn below(of: &Outgoing) -> String {
    let owner = of.target.as_ref().map(|target| &target.of);
    owner.map_or(String::new(), |(method, path)| {
        format!("{method} {}", unnamed(path))
    })
}
