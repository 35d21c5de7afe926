//! Paths that a path with parameters takes as well (OpenAPI 3.1.1 §4.8.8.2): `/items/mine` is answered
//! by `/items/{id}` where it is no path of its own.

use super::arriving::accepts;
use super::side::Side;
use super::slot::Slot;
use crate::document::{Operation, Parameter, Place};
use serde_json::Value;

/// The operation of a contract that answers the requests to a path which is none of its own, and a
/// segment of that path that it does not take, with the parameter that it is for.
pub(super) struct Answering<'a> {
    pub(super) operation: &'a Operation,
    pub(super) refused: Option<(String, &'a Parameter)>,
}

impl<'a> Answering<'a> {
    /// The operation of the method whose path has the fewest parameters, as that is the likest.
    pub(super) fn of(side: &'a Side, path: &str, method: &str) -> Option<Answering<'a>> {
        let own = side.operations.iter();
        let own = own.filter(|operation| operation.method == method);
        let taken = own.filter_map(|operation| Some((operation, taken(side, operation, path)?)));
        let (operation, taken) = taken.min_by_key(|(_, taken)| taken.len())?;
        let mut refused = taken.into_iter().filter(|(segment, parameter)| {
            let travels = Slot::of(parameter).travels();
            let segment = Value::String((*segment).to_owned());
            !accepts(&side.view, Some(&parameter.schema), travels, &segment)
        });
        let refused = refused.next();
        Some(Answering {
            operation,
            refused: refused.map(|(segment, parameter)| (segment.to_owned(), parameter)),
        })
    }

    /// The same for an operation that the other contract no longer has: a HEAD without an operation of
    /// its own is answered by that of GET (RFC 9110 §9.3.2).
    pub(super) fn instead_of(
        old: &Operation,
        (before, after): (&Side, &'a Side),
    ) -> Option<Answering<'a>> {
        let path = before.path(old);
        let own = Answering::of(after, &path, &old.method);
        if own.is_some() || old.method != "HEAD" {
            return own;
        }
        let route = (before.route(old).0, "GET".to_owned());
        let mut others = after.operations.iter();
        let get = others.find(|other| after.route(other) == route);
        let get = get.map(|operation| Answering {
            operation,
            refused: None,
        });
        get.or_else(|| Answering::of(after, &path, "GET"))
    }
}

/// The segments of a path without parameters that are values of an operation's, each with its parameter;
/// `None` where it is no path of the operation.
fn taken<'a, 'p>(
    side: &Side,
    operation: &'a Operation,
    path: &'p str,
) -> Option<Vec<(&'p str, &'a Parameter)>> {
    let template = side.path(operation);
    if path.contains('{') || template.split('/').count() != path.split('/').count() {
        return None;
    }
    let mut taken = Vec::new();
    for (own, segment) in template.split('/').zip(path.split('/')) {
        let name = own.strip_prefix('{').and_then(|own| own.strip_suffix('}'));
        match name {
            Some(name) => {
                let mut own = operation.parameters.iter();
                let is_it = |one: &&Parameter| one.place == Place::Path && one.name == name;
                taken.push((segment, own.find(is_it)?));
            }
            None if own == segment => {}
            None => return None,
        }
    }
    Some(taken)
}
