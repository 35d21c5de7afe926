//! Objects of the query that are called something else: each member of an exploded one is a pair of its own
//! name, so that the name of the object is not on the wire (OpenAPI 3.1.1 §4.8.12.6).

use super::exploded::{One, address, both};
use super::normal::Nodes;
use super::pairs::{Object, object_of, queried};
use super::side::Side;
use crate::openapi::{Operation, ParamLocation, Parameter, Style};
use std::collections::HashMap;

/// Gives the objects of the contract before the names that those with the same members, or any, have after.
pub(super) fn rename(before: &mut Side, after: &Side) {
    let mut renamed: HashMap<(usize, String), String> = HashMap::new();
    for (was, is) in both(before, after) {
        let names = names(was, is).into_iter();
        renamed.extend(names.map(|(old, new)| ((address(was.operation), old), new)));
    }
    for operation in before.operations_mut() {
        let operation_at = address(operation);
        let queried = operation.parameters.iter_mut();
        for parameter in queried.filter(|parameter| parameter.place == ParamLocation::Query) {
            if let Some(name) = renamed.remove(&(operation_at, parameter.name.clone())) {
                parameter.name = name;
            }
        }
    }
}

/// The names of objects before, and what they are called after.
fn names(was: One<'_>, is: One<'_>) -> Vec<(String, String)> {
    let nodes = [was.view, is.view].map(Nodes::new);
    let [before, after] = &nodes;
    let mut left = unshared(after, is.operation, was.operation);
    let mut found = Vec::new();
    for (old, form) in unshared(before, was.operation, is.operation) {
        let is_heir = |(_, other): &(_, Object<'_>)| {
            let are_open = form.is_open() && other.is_open();
            are_open || !form.names.is_disjoint(&other.names)
        };
        if let Some(place) = left.iter().position(is_heir) {
            let (new, _) = left.remove(place);
            found.push((old.name.clone(), new.name.clone()));
        }
    }
    found
}

/// The exploded objects of an operation whose names the other one does not have.
fn unshared<'o, 'a>(
    nodes: &Nodes<'a>,
    operation: &'o Operation,
    other: &Operation,
) -> Vec<(&'o Parameter, Object<'a>)> {
    let own = queried(operation).filter(|own| own.style == Style::Form);
    let own = own.filter(|own| !queried(other).any(|known| known.name == own.name));
    let objects = own.filter_map(|own| Some((own, object_of(nodes, own)?)));
    objects.filter(|(_, object)| !object.is_plain_too).collect()
}
