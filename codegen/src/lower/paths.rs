//! The paths of operations, and the parts of a request that tell operations of one path apart.
//!
//! Some documents put a query or a fragment into the keys of `paths`, to have several operations of
//! one method and path. A query can be matched. A fragment is never sent (RFC 3986 §3.5), so
//! operations are told apart by the parameters that the fragment names, by required parameters with
//! a single value, by the media types of their bodies, and at last by required parameters that no
//! other of them has. Where none of these differs, the first operation gets all requests.

use super::modifiers;
use crate::ir::RequestMatcher;
use crate::openapi::{Document, Operation, ParamLocation, Parameter};
use crate::source::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// The path and the matchers of an operation.
#[derive(Debug, Clone, Default)]
pub(super) struct Target {
    /// The template, without a query and a fragment.
    pub(super) path: String,
    /// Further conditions on the request, sorted.
    pub(super) matchers: Vec<RequestMatcher>,
    /// The operation that gets all requests of this one, because the two cannot be told apart.
    pub(super) shadowed_by: Option<Pointer>,
}

/// The targets of a document's operations, in their order.
pub(super) fn routes(document: &Document) -> Vec<Target> {
    let mut targets: Vec<Target> = document.operations.iter().map(Target::of).collect();
    let mut places: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (operation, target) in document.operations.iter().zip(&mut targets) {
        let server = operation.servers.first().or(document.servers.first());
        let below = super::base_path(server);
        let place = (&operation.method, below + &target.route());
        places.entry(place).or_default().push((operation, target));
    }
    for sharing in places.into_values().filter(|sharing| sharing.len() > 1) {
        tell_apart(document, sharing);
    }
    targets
}

/// Finds matchers that tell operations of one method and path apart.
fn tell_apart(document: &Document, mut sharing: Vec<(&Operation, &mut Target)>) {
    // Paths without a fragment come first. The order in the document has no meaning.
    sharing.sort_by_key(|(operation, _)| (operation.path.contains('#'), &operation.path));
    let all: Vec<&Operation> = sharing.iter().map(|(operation, _)| *operation).collect();
    let mut served: Vec<(&Operation, Vec<RequestMatcher>)> = Vec::new();
    for (operation, target) in sharing {
        target.add(single_values(document, operation));
        let shadowed_by = |matchers: &[RequestMatcher]| {
            let mut known = served.iter();
            let known =
                known.find(|(known, its)| its == matchers && !differ_in_type(known, operation));
            known.map(|(known, _)| known.at.clone())
        };
        if shadowed_by(&target.matchers).is_some() {
            target.add(own_names(operation, &all));
        }
        target.shadowed_by = shadowed_by(&target.matchers);
        if target.shadowed_by.is_none() {
            served.push((operation, target.matchers.clone()));
        }
    }
}

impl Target {
    /// The target of an operation by its own path.
    pub(super) fn of(operation: &Operation) -> Target {
        let (rest, fragment) = halves(&operation.path, '#');
        let (path, query) = halves(rest, '?');
        let mut target = Target {
            path: modifiers::plain(path, operation),
            ..Target::default()
        };
        target.add(pairs(query).map(|(name, value)| RequestMatcher {
            place: ParamLocation::Query,
            name: name.to_owned(),
            value: Some(value.to_owned()),
        }));
        target.add(pairs(fragment).filter_map(|(name, value)| {
            let mut named = asked_for(operation).filter(|parameter| parameter.name == name);
            Some(matcher(named.next()?, Some(value)))
        }));
        target
    }

    /// The path with numbers instead of its parameters' names; a repeated name has the same number.
    /// It decides which requests match.
    fn route(&self) -> String {
        let segments = self.path.split('/').map(|segment| {
            let mut names = Vec::new();
            let mut parts = segment.split('{');
            let mut route = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let (name, text) = halves(part, '}');
                let known = names.iter().position(|known| *known == name);
                let number = known.unwrap_or(names.len());
                names.push(name);
                route += &format!("{{{number}}}{text}");
            }
            route
        });
        segments.collect::<Vec<_>>().join("/")
    }

    fn add(&mut self, matchers: impl IntoIterator<Item = RequestMatcher>) {
        self.matchers.extend(matchers);
        self.matchers.sort();
        self.matchers.dedup();
    }
}

/// Matchers for the required parameters that have a single value.
fn single_values(document: &Document, operation: &Operation) -> Vec<RequestMatcher> {
    let required = asked_for(operation).filter(|parameter| parameter.required);
    let single = required.filter_map(|parameter| {
        let schema = document.bundle.get(&parameter.schema)?;
        let listed = schema.get("enum").and_then(Value::as_array);
        let value = match listed.map(Vec::as_slice) {
            Some([only]) => only,
            _ => schema.get("const")?,
        };
        Some(matcher(parameter, Some(value.as_str()?)))
    });
    single.collect()
}

/// Matchers for the required parameters that no other of these operations has.
fn own_names(operation: &Operation, sharing: &[&Operation]) -> Vec<RequestMatcher> {
    let others = || sharing.iter().filter(|other| other.at != operation.at);
    let own = asked_for(operation).filter(|parameter| {
        let is_it = |other: &Parameter| {
            other.place == parameter.place && other.name.eq_ignore_ascii_case(&parameter.name)
        };
        let shared = others().any(|other| other.parameters.iter().any(is_it));
        parameter.required && !shared
    });
    own.map(|parameter| matcher(parameter, None)).collect()
}

/// The parameters that can be looked up in a request before it is read.
fn asked_for(operation: &Operation) -> impl Iterator<Item = &Parameter> {
    let parameters = operation.parameters.iter();
    parameters.filter(|parameter| {
        matches!(
            parameter.place,
            ParamLocation::Query | ParamLocation::Header
        )
    })
}

fn matcher(parameter: &Parameter, value: Option<&str>) -> RequestMatcher {
    RequestMatcher {
        place: parameter.place,
        name: parameter.name.clone(),
        value: value.map(str::to_owned),
    }
}

/// Whether the bodies of two operations have no media type in common; one of them may have no body.
fn differ_in_type(one: &Operation, other: &Operation) -> bool {
    let types = |operation: &Operation| -> Vec<String> {
        let media = operation.body.iter().flat_map(|body| &body.content);
        media.map(|media| essence(&media.media_type)).collect()
    };
    let (one, other) = (types(one), types(other));
    let both = |one: &String| other.iter().any(|other| meet(one, other));
    let none = one.is_empty() && other.is_empty();
    !none && !one.iter().any(both)
}

/// Whether some media type is in both ranges.
fn meet(one: &str, other: &str) -> bool {
    let ((kind, subtype), (other_kind, other_subtype)) = (halves(one, '/'), halves(other, '/'));
    let meet =
        |one: &str, other: &str| one == other || one.starts_with('*') || other.starts_with('*');
    meet(kind, other_kind) && meet(subtype, other_subtype)
}

/// A media type without its parameters (RFC 9110 §8.3.1).
fn essence(media_type: &str) -> String {
    let (essence, _) = halves(media_type, ';');
    essence.trim().to_ascii_lowercase()
}

fn halves(text: &str, separator: char) -> (&str, &str) {
    text.split_once(separator).unwrap_or((text, ""))
}

/// Pairs of name and value; a value that is a template stands for any.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(_, value)| !value.contains('{'))
}
