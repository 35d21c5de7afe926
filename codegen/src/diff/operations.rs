//! Which operation has become which, and what is left over.

use super::exchange::Line;
use super::judge::Judge;
use super::pairing::{Key, pair};
use super::report::Severity;
use super::view::View;
use super::{content, parameters, responses, security, servers};
use crate::document::{Operation, Place};

/// An operation of both contracts.
pub(super) struct Both<'a> {
    pub(super) before: &'a Operation,
    pub(super) after: &'a Operation,
    /// The method and path, as the contract after writes them.
    pub(super) name: String,
    /// The requests of the contract before.
    pub(super) view: &'a View,
}

impl Both<'_> {
    /// A request that the contract before asks for at the least.
    pub(super) fn line(&self) -> Line {
        Line::new(self.before, self.view)
    }
}

/// Compares everything that two contracts say.
pub(super) fn compare(judge: &mut Judge<'_>) {
    let (before, after) = (judge.before, judge.after);
    servers::compare(judge, None, &before.servers, &after.servers);
    // A contract may have paths that differ in the names of their parameters alone.
    let keys: [&dyn Fn(&Operation) -> Key; 2] = [&as_written, &route];
    let operations = pair(&before.operations, &after.operations, &keys);
    for (old, new) in operations.before {
        match new {
            Some(new) => operation(judge, old, new),
            None => removed(judge, old),
        }
    }
    responses::framework(judge);
    for new in operations.added {
        let (name, message) = (name(new), "the operation was added");
        judge.changes.note(
            Severity::Compatible,
            "operation-added",
            Some(name.clone()),
            &name,
            message,
        );
    }
}

fn operation<'a>(judge: &mut Judge<'a>, before: &'a Operation, after: &'a Operation) {
    let both = Both {
        before,
        after,
        name: name(after),
        view: &judge.before.view,
    };
    servers::of_operation(judge, &both);
    security::compare(judge, &both);
    parameters::compare(judge, &both);
    content::request(judge, &both);
    responses::compare(judge, &both);
    notes(judge, &both);
}

/// The method and the path as the contract writes it.
fn as_written(operation: &Operation) -> Key {
    (operation.path.clone(), operation.method.clone())
}

/// The method and the path without the names of its parameters, which no client sees.
pub(super) fn route(operation: &Operation) -> Key {
    (unnamed(&operation.path), operation.method.clone())
}

/// A path without the names of its parameters.
pub(super) fn unnamed(path: &str) -> String {
    let mut plain = String::new();
    let mut inside = false;
    for c in path.chars() {
        match c {
            '{' => {
                inside = true;
                plain.push_str("{}");
            }
            '}' => inside = false,
            c if !inside => plain.push(c),
            _ => {}
        }
    }
    plain
}

fn name(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.path)
}

/// The names of a path's parameters in their order.
pub(super) fn path_parameters(operation: &Operation) -> Vec<&str> {
    let parts = operation.path.split('{').skip(1);
    let names: Vec<_> = parts
        .filter_map(|part| Some(part.split_once('}')?.0))
        .collect();
    let declared = |name: &&str| {
        let mut own = operation.parameters.iter();
        own.any(|p| p.place == Place::Path && p.name == *name)
    };
    names.into_iter().filter(declared).collect()
}

fn removed(judge: &mut Judge<'_>, old: &Operation) {
    let line = Line::new(old, &judge.before.view).text();
    let path = route(old).0;
    let others = &judge.after.operations;
    let known = others.iter().any(|other| route(other).0 == path);
    let refusal = if known {
        "405: the path has no such method"
    } else {
        "404: there is no such path"
    };
    let (name, message) = (name(old), "the operation was removed");
    let witness = (line, refusal.to_owned());
    judge
        .changes
        .prove("operation-removed", &name, &name, message, witness);
}

/// What decides nothing on the wire.
fn notes(judge: &mut Judge<'_>, both: &Both<'_>) {
    let (before, after) = (both.before, both.after);
    let mut note = |kind: &str, message: String| {
        let name = both.name.clone();
        judge
            .changes
            .note(Severity::Docs, kind, Some(name.clone()), &name, message);
    };
    if before.id != after.id {
        let text = |id: &Option<String>| id.clone().unwrap_or_else(|| "none".to_owned());
        let message = format!(
            "operationId was {} and is now {}",
            text(&before.id),
            text(&after.id)
        );
        note("operation-id", message);
    }
    if before.deprecated != after.deprecated {
        let verb = if after.deprecated {
            "became"
        } else {
            "is no longer"
        };
        note("operation-deprecated", format!("{verb} deprecated"));
    }
    if before.tags != after.tags {
        note("operation-tags", "tags were changed".to_owned());
    }
    if (&before.summary, &before.description) != (&after.summary, &after.description) {
        note(
            "operation-description",
            "description was changed".to_owned(),
        );
    }
}
