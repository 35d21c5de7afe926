//! Which operation has become which, and what is left over.

use super::exchange::Line;
use super::judge::Judge;
use super::meeting::Meeting;
use super::pairing::{Key, KeyOf, Pairing, pair};
use super::replaced::{added, removed};
use super::report::Severity;
use super::side::Side;
use super::{content, parameters, responses, security, servers};
use crate::openapi::{Operation, Parameter};

/// An operation of both contracts.
pub(super) struct Both<'a> {
    pub(super) before: &'a Operation,
    pub(super) after: &'a Operation,
    /// The method and path, as the contract after writes them.
    pub(super) name: String,
    /// The contract before, whose requests are sent, and the one after.
    sides: (&'a Side, &'a Side),
    /// Where its requests go.
    meeting: Meeting<'a>,
}

impl<'a> Both<'a> {
    /// The same operation of both.
    fn same(judge: &Judge<'a>, before: &'a Operation, after: &'a Operation) -> Both<'a> {
        let sides = (judge.before, judge.after);
        Both {
            before,
            after,
            name: name(after),
            sides,
            meeting: Meeting::at_one((sides.0, before), (sides.1, after)),
        }
    }

    /// Two operations at paths that both take the path that is sent.
    pub(super) fn meeting(
        judge: &Judge<'a>,
        name: &str,
        (before, after): (&'a Operation, &'a Operation),
        sent: &str,
    ) -> Both<'a> {
        let sides = (judge.before, judge.after);
        Both {
            before,
            after,
            name: name.to_owned(),
            sides,
            meeting: Meeting::of((sides.0, before), (sides.1, after), sent),
        }
    }

    /// Whether no request of the two paths was valid before.
    pub(super) fn is_empty(&self) -> bool {
        self.meeting.refused.0.is_some()
    }

    /// Whether the two paths take more requests than those that are compared.
    pub(super) fn is_part(&self) -> bool {
        self.meeting.is_part
    }

    /// Why no request of the two paths is valid any more.
    pub(super) fn refusal(&self) -> Option<String> {
        let refused = self.meeting.refused.1.as_ref()?;
        let (other, text) = (name(self.after), &refused.text);
        let parameter = &refused.parameter.name;
        Some(format!("`{other}` does not take `{text}` as `{parameter}`"))
    }

    /// What the contract after calls a path parameter, if it has one at that place.
    pub(super) fn name_after(&self, old: &Parameter) -> Option<&str> {
        let mut same = self.meeting.same.iter();
        let found = same.find(|(name, _)| *name == old.name);
        found.map(|(_, name)| name.as_str())
    }

    /// The method of its requests: that of both, or HEAD where one of them answers it for GET (RFC 9110
    /// §9.3.2).
    fn method(&self) -> &'a str {
        match self.is_head() {
            true => "HEAD",
            false => &self.before.method,
        }
    }

    /// Whether it answers without a body.
    pub(super) fn is_head(&self) -> bool {
        self.before.method == "HEAD" || self.after.method == "HEAD"
    }

    /// A request that the contract before asks for at the least.
    pub(super) fn line(&self) -> Line {
        let lines = Line::all(self.before, self.sides.0);
        let mut lines = lines.map(|line| line.to(self.method(), &self.meeting.path));
        let first = lines.next().unwrap_or_default();
        match self.reaches(&first) {
            true => first,
            false => lines.find(|line| self.reaches(line)).unwrap_or(first),
        }
    }

    /// Whether a request is for the operation before, and for no other one than that after.
    pub(super) fn reaches(&self, line: &Line) -> bool {
        let (path, (before, after)) = (line.path(), self.sides);
        let goes_elsewhere = || !after.asked(&path).is_empty() && !after.asks(self.after, &path);
        before.asks(self.before, &path) && !goes_elsewhere()
    }

    /// Compares what requests must have, and what answers them.
    pub(super) fn compare(&self, judge: &mut Judge<'a>) {
        security::compare(judge, self);
        parameters::compare(judge, self);
        content::request(judge, self);
        responses::compare(judge, self);
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

fn operation<'a>(judge: &mut Judge<'a>, before: &'a Operation, after: &'a Operation) {
    let both = Both::same(judge, before, after);
    servers::of_operation(judge, &both);
    if judge.before.route(before) != judge.after.route(after) {
        servers::moved(judge, &both);
    }
    both.compare(judge);
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

pub(super) fn name(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.path)
}

/// The names of a path's parameters in their order.
pub(super) fn path_parameters(path: &str) -> Vec<&str> {
    let parts = path.split('{').skip(1);
    let names = parts.filter_map(|part| Some(part.split_once('}')?.0));
    names.collect()
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
