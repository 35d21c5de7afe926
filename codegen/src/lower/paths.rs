//! Where operations are: the path, and what of the query tells operations of one path apart.
//!
//! Some documents put a query or a fragment into the keys of `paths`, to have two operations of one
//! method and path. A query can be asked for. A fragment never leaves the caller (RFC 3986 §3.5), so
//! it only tells operations apart where it names query parameters, or where a required parameter of
//! the query has a single value.

use crate::document::{Document, Operation, Parameter, Place};
use serde_json::Value;

/// Where an operation is.
#[derive(Debug, Clone, Default)]
pub(super) struct Target {
    /// The template, without a query and a fragment.
    pub(super) path: String,
    /// What the query must have, sorted.
    pub(super) query: Vec<(String, String)>,
}

/// The targets of a document's operations, in their order.
pub(super) fn routes(document: &Document) -> Vec<Target> {
    let mut targets: Vec<Target> = document.operations.iter().map(Target::of).collect();
    let places = document.operations.iter().zip(&targets);
    let places: Vec<_> = places
        .map(|(operation, target)| (operation.method.clone(), target.route()))
        .collect();
    for ((target, operation), place) in targets.iter_mut().zip(&document.operations).zip(&places) {
        if places.iter().filter(|other| *other == place).count() > 1 {
            target.add(single_values(document, operation));
        }
    }
    targets
}

impl Target {
    /// Where an operation is by its own path.
    pub(super) fn of(operation: &Operation) -> Target {
        let (rest, fragment) = halves(&operation.path, '#');
        let (path, query) = halves(rest, '?');
        let mut target = Target {
            path: path.to_owned(),
            query: Vec::new(),
        };
        target.add(pairs(query).collect());
        let declared = |name: &str| in_query(operation).any(|p| p.name == name);
        target.add(pairs(fragment).filter(|(name, _)| declared(name)).collect());
        target
    }

    /// The path with its parameters' names taken out: what decides which requests it matches.
    pub(super) fn route(&self) -> String {
        let mut route = String::new();
        let mut inside = false;
        for c in self.path.chars() {
            match c {
                '{' => {
                    inside = true;
                    route.push_str("{}");
                }
                '}' => inside = false,
                _ if !inside => route.push(c),
                _ => {}
            }
        }
        route
    }

    fn add(&mut self, pairs: Vec<(String, String)>) {
        self.query.extend(pairs);
        self.query.sort();
        self.query.dedup();
    }
}

/// The required parameters of the query that have a single value.
fn single_values(document: &Document, operation: &Operation) -> Vec<(String, String)> {
    let required = in_query(operation).filter(|parameter| parameter.required);
    let single = required.filter_map(|parameter| {
        let schema = document.bundle.get(&parameter.schema)?;
        let listed = schema.get("enum").and_then(Value::as_array);
        let value = match listed.map(Vec::as_slice) {
            Some([only]) => only,
            _ => schema.get("const")?,
        };
        Some((parameter.name.clone(), value.as_str()?.to_owned()))
    });
    single.collect()
}

fn in_query(operation: &Operation) -> impl Iterator<Item = &Parameter> {
    let parameters = operation.parameters.iter();
    parameters.filter(|parameter| parameter.place == Place::Query)
}

fn halves(text: &str, separator: char) -> (&str, &str) {
    text.split_once(separator).unwrap_or((text, ""))
}

/// Pairs of name and value; a value that is a template stands for any.
fn pairs(text: &str) -> impl Iterator<Item = (String, String)> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    let fixed = pairs.filter(|(_, value)| !value.contains('{'));
    fixed.map(|(name, value)| (name.to_owned(), value.to_owned()))
}
