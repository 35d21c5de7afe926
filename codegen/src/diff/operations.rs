//! Which operation has become which, and what is left over.

use super::answering::Answering;
use super::exchange::Line;
use super::judge::Judge;
use super::pairing::{Key, KeyOf, Pairing, pair};
use super::report::Severity;
use super::side::Side;
use super::{content, parameters, responses, security, servers};
use crate::document::Operation;
use std::ptr;

/// An operation of both contracts.
pub(super) struct Both<'a> {
    pub(super) before: &'a Operation,
    pub(super) after: &'a Operation,
    /// The method and path, as the contract after writes them.
    pub(super) name: String,
    /// The contract before, whose requests are sent, and the one after.
    sides: (&'a Side, &'a Side),
    /// Where its requests go, if to one only of the paths that the operation before answers.
    asked: Option<String>,
}

impl Both<'_> {
    /// A request that the contract before asks for at the least.
    pub(super) fn line(&self) -> Line {
        let at = |line: Line| match &self.asked {
            Some(path) => line.at(path),
            None => line,
        };
        let mut lines = Line::all(self.before, self.sides.0).map(at);
        let first = lines.next().unwrap_or_default();
        match self.reaches(&first) {
            true => first,
            false => lines.find(|line| self.reaches(line)).unwrap_or(first),
        }
    }

    /// Whether a request is for the operation before, and for no other one than that after.
    pub(super) fn reaches(&self, line: &Line) -> bool {
        let path = line.path();
        let before = self.sides.0.asked(&path);
        let after = self.sides.1.asked(&path);
        let is_for = |asked: &[&Operation], own| asked.iter().any(|one| ptr::eq(*one, own));
        is_for(&before, self.before) && (after.is_empty() || is_for(&after, self.after))
    }
}

/// Compares everything that two contracts say.
pub(super) fn compare(judge: &mut Judge<'_>) {
    let (before, after) = (judge.before, judge.after);
    servers::compare(judge, None, &before.servers, &after.servers);
    let operations = paired(before, after);
    for (old, new) in operations.before {
        match new {
            Some(new) => operation(judge, old, new),
            None => removed(judge, old),
        }
    }
    responses::framework(judge);
    for new in operations.added {
        added(judge, new);
    }
}

fn added<'a>(judge: &mut Judge<'a>, new: &'a Operation) {
    let (kind, name, message) = ("operation-added", name(new), "the operation was added");
    let (path, operation) = (judge.after.path(new), Some(name.clone()));
    let severity = Severity::Compatible;
    judge
        .changes
        .note(severity, kind, operation, &name, message);
    let known = Answering::of(judge.before, &path, &new.method);
    let Some(known) = known.filter(|known| known.refused.is_none()) else {
        return;
    };
    // Its requests were answered before.
    let both = Both {
        before: known.operation,
        after: new,
        name,
        sides: (judge.before, judge.after),
        asked: Some(path),
    };
    responses::compare(judge, &both);
}

fn operation<'a>(judge: &mut Judge<'a>, before: &'a Operation, after: &'a Operation) {
    let both = Both {
        before,
        after,
        name: name(after),
        sides: (judge.before, judge.after),
        asked: None,
    };
    servers::of_operation(judge, &both);
    if judge.before.route(before) != judge.after.route(after) {
        servers::moved(judge, &both);
    }
    security::compare(judge, &both);
    parameters::compare(judge, &both);
    content::request(judge, &both);
    responses::compare(judge, &both);
    notes(judge, &both);
}

/// Which operation has become which.
pub(super) fn paired<'a>(before: &'a Side, after: &'a Side) -> Pairing<'a, Operation> {
    // A contract may have paths that differ in the names of their parameters alone. What is found at
    // no path of before has moved with its server.
    let keys: [KeyOf<Operation>; 4] = [as_written, Side::route, as_written_below, route_below];
    let lists = (&before.operations[..], &after.operations[..]);
    pair((before, after), lists, &keys)
}

/// The method and the path with the names that the contract gives its parameters.
fn as_written(side: &Side, operation: &Operation) -> Key {
    (side.path(operation), operation.method.clone())
}

/// The same below the server.
fn as_written_below(_: &Side, operation: &Operation) -> Key {
    (operation.path.clone(), operation.method.clone())
}

/// The method and the path below the server without the names of its parameters.
fn route_below(_: &Side, operation: &Operation) -> Key {
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
pub(super) fn path_parameters(path: &str) -> Vec<&str> {
    let parts = path.split('{').skip(1);
    let names = parts.filter_map(|part| Some(part.split_once('}')?.0));
    names.collect()
}

fn removed<'a>(judge: &mut Judge<'a>, old: &'a Operation) {
    let line = Line::new(old, judge.before).text();
    let sides = (judge.before, judge.after);
    if let Some(answering) = Answering::instead_of(old, sides) {
        return replaced(judge, old, &answering, line);
    }
    let path = judge.before.route(old).0;
    let mut others = judge.after.operations.iter();
    let known = others.any(|other| judge.after.route(other).0 == path);
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

/// The requests of an operation that was removed go to another one.
fn replaced<'a>(
    judge: &mut Judge<'a>,
    old: &'a Operation,
    answering: &Answering<'a>,
    line: String,
) {
    let (kind, own, other) = ("operation-removed", name(old), name(answering.operation));
    if let Some((segment, parameter)) = &answering.refused {
        let refusal = format!(
            "`{other}` does not take `{segment}` as `{}`",
            parameter.name
        );
        let (message, witness) = ("the operation was removed", (line, refusal));
        return judge.changes.prove(kind, &own, &own, message, witness);
    }
    let message = format!("the operation was removed, and its requests go to `{other}`");
    let (severity, operation) = (Severity::Possible, Some(own.clone()));
    judge.changes.note(severity, kind, operation, &own, message);
    let both = Both {
        before: old,
        after: answering.operation,
        name: own,
        sides: (judge.before, judge.after),
        asked: None,
    };
    security::compare(judge, &both);
    parameters::compare(judge, &both);
    content::request(judge, &both);
    responses::compare(judge, &both);
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
