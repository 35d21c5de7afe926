//! Which operation, webhook or callback of one version has become which of the other.

use crate::version::{Version, unnamed};
use crate::wire::RequestLine;
use codegen::openapi::{Operation, Outgoing, Parameter, Target};
use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};

/// An operation of both versions.
pub(crate) struct OperationPair<'a> {
    pub(crate) before: &'a Operation,
    pub(crate) after: &'a Operation,
    /// The method and path, as the version after writes them.
    pub(crate) name: String,
    version: &'a Version,
    line: OnceCell<RequestLine>,
}

impl<'a> OperationPair<'a> {
    /// An operation and what it has become; `version` is the one before.
    pub(crate) fn new(
        version: &'a Version,
        before: &'a Operation,
        after: &'a Operation,
    ) -> OperationPair<'a> {
        OperationPair {
            before,
            after,
            name: name(after),
            version,
            line: OnceCell::new(),
        }
    }

    /// Whether responses have no body (RFC 9110 §9.3.2).
    pub(crate) fn is_head(&self) -> bool {
        self.before.method == "HEAD" || self.after.method == "HEAD"
    }

    /// The plainest request that the version before accepts.
    pub(crate) fn line(&self) -> &RequestLine {
        self.line.get_or_init(|| {
            let line = RequestLine::new(self.before, self.version);
            match self.is_head() {
                true => line.by("HEAD"),
                false => line,
            }
        })
    }

    /// Whether a request is for the operation, and not for another one.
    pub(crate) fn is_for(&self, line: &RequestLine) -> bool {
        self.version.routes_to(self.before, &line.path())
    }

    /// What the version after calls a path parameter: the one with the same position.
    pub(crate) fn name_after(&self, old: &Parameter) -> Option<&'a str> {
        let names = crate::version::parameter_names;
        let before = names(&self.before.path);
        let position = before.iter().position(|name| *name == old.name)?;
        names(&self.after.path).get(position).copied()
    }
}

/// The method and path of an operation.
pub(crate) fn name(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.path)
}

type Key = (String, String);
type KeyOf<T> = fn(&Version, &T) -> Key;

/// A list of things of both versions.
pub(crate) struct Pairing<'a, T> {
    /// Those of the version before, in their order, each with what it has become.
    pub(crate) before: Vec<(&'a T, Option<&'a T>)>,
    /// Those that only the version after has, in their order.
    pub(crate) added: Vec<&'a T>,
}

/// Pairs by the first of some keys, and what is left by the next. Equal keys are paired in their order.
fn pair<'a, T>(
    versions: (&Version, &Version),
    (before, after): (&'a [T], &'a [T]),
    keys: &[KeyOf<T>],
) -> Pairing<'a, T> {
    let mut paired: Vec<_> = before.iter().map(|old| (old, None)).collect();
    let mut left: BTreeMap<usize, &T> = after.iter().enumerate().collect();
    for key in keys {
        let mut known: BTreeMap<Key, VecDeque<usize>> = BTreeMap::new();
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

/// Pairs operations by path and method: as written, without the names of parameters, and the same below
/// their servers, which may have moved.
pub(crate) fn operations<'a>(before: &'a Version, after: &'a Version) -> Pairing<'a, Operation> {
    let as_written: KeyOf<Operation> = |version, one| (version.path(one), one.method.clone());
    let as_written_below: KeyOf<Operation> = |_, one| (one.path.clone(), one.method.clone());
    let route_below: KeyOf<Operation> = |_, one| (unnamed(&one.path), one.method.clone());
    let keys = [as_written, Version::route, as_written_below, route_below];
    let lists = (&before.operations[..], &after.operations[..]);
    pair((before, after), lists, &keys)
}

/// Pairs webhooks by their names, and callbacks by the URL that they call and by their operation.
pub(crate) fn outgoing<'a>(
    versions: (&Version, &Version),
    lists: (&'a [Outgoing], &'a [Outgoing]),
) -> Pairing<'a, Outgoing> {
    let by_url: KeyOf<Outgoing> = |version, one| key(one, &|target| owner(version, target));
    // An operation may call one URL by several names.
    let by_name: KeyOf<Outgoing> = |version, one| {
        let (place, method) = key(one, &|target| owner(version, target));
        (format!("{place} {}", one.operation.path), method)
    };
    let by_url_below: KeyOf<Outgoing> = |_, one| key(one, &owner_below);
    let mut pairing = pair(versions, lists, &[by_name, by_url, by_url_below]);
    let added = &mut pairing.added;
    let lost = pairing.before.iter().filter(|(_, new)| new.is_none());
    let lost: Vec<&Outgoing> = lost.map(|(old, _)| *old).collect();
    for (old, new) in pairing.before.iter_mut().filter(|(_, new)| new.is_none()) {
        // The only callback of its operation and method on either side is the same with another URL.
        let is_sibling = |one: &Outgoing| sibling(one).is_some() && sibling(one) == sibling(old);
        let others = added.iter().enumerate().filter(|(_, new)| is_sibling(new));
        let others: Vec<usize> = others.map(|(index, _)| index).collect();
        if let [index] = others[..]
            && lost.iter().filter(|one| is_sibling(one)).count() == 1
        {
            *new = Some(added.remove(index));
        }
    }
    pairing
}

fn key(of: &Outgoing, owner: &dyn Fn(&Target) -> String) -> Key {
    let place = match &of.target {
        Some(target) => format!("{} {}", owner(target), target.expression),
        None => of.operation.path.clone(),
    };
    (place, of.operation.method.clone())
}

/// The operation with a callback, by its route.
fn owner(version: &Version, target: &Target) -> String {
    let (method, path) = &target.of;
    let mut all = version.operations.iter();
    let found = all.find(|one| one.method == *method && unnamed(&one.path) == unnamed(path));
    match found.map(|found| version.route(found)) {
        Some((route, method)) => format!("{method} {route}"),
        None => owner_below(target),
    }
}

fn owner_below(target: &Target) -> String {
    let (method, path) = &target.of;
    format!("{method} {}", unnamed(path))
}

/// What the callbacks of one operation with one method have in common.
fn sibling(of: &Outgoing) -> Option<(String, &str)> {
    let target = of.target.as_ref()?;
    Some((owner_below(target), &of.operation.method))
}
