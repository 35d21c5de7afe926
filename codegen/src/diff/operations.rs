//! Which operation has become which, and what is left over.

use super::exchange::Line;
use super::judge::Judge;
use super::report::Severity;
use super::side::address;
use super::view::View;
use super::{content, parameters, responses, security};
use crate::document::{Operation, Place};
use std::collections::BTreeMap;

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
    servers(judge, None, &before.servers, &after.servers);
    let mut now: BTreeMap<_, _> = after.operations.iter().map(|o| (route(o), o)).collect();
    for old in &before.operations {
        match now.remove(&route(old)) {
            Some(new) => operation(judge, old, new),
            None => removed(judge, old),
        }
    }
    responses::framework(judge);
    let added = after.operations.iter().map(|o| (route(o), o));
    for (_, new) in added.filter(|(route, _)| now.contains_key(route)) {
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
    own_servers(judge, &both);
    security::compare(judge, &both);
    parameters::compare(judge, &both);
    content::request(judge, &both);
    responses::compare(judge, &both);
    notes(judge, &both);
}

/// The method and the path without the names of its parameters, which no client sees.
pub(super) fn route(operation: &Operation) -> (String, String) {
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

/// Compares the servers of an operation that has its own on either side.
fn own_servers(judge: &mut Judge<'_>, both: &Both<'_>) {
    if both.before.servers.is_empty() && both.after.servers.is_empty() {
        return;
    }
    let urls = |operation: &Operation, others: &[String]| match operation.servers.is_empty() {
        true => others.to_vec(),
        false => operation.servers.iter().map(address).collect(),
    };
    let before = urls(both.before, &judge.before.servers);
    let after = urls(both.after, &judge.after.servers);
    servers(judge, Some(&both.name), &before, &after);
}

/// Compares the servers of a document, or of one of its operations.
fn servers(judge: &mut Judge<'_>, of: Option<&str>, before: &[String], after: &[String]) {
    let place = of.map_or_else(|| "servers".to_owned(), |name| format!("{name}, servers"));
    for url in before.iter().filter(|url| !after.contains(url)) {
        let message = format!("the server `{url}` was removed");
        judge.changes.note(
            Severity::Possible,
            "server-removed",
            of.map(str::to_owned),
            &place,
            message,
        );
    }
    for url in after.iter().filter(|url| !before.contains(url)) {
        let message = format!("the server `{url}` was added");
        judge.changes.note(
            Severity::Compatible,
            "server-added",
            of.map(str::to_owned),
            &place,
            message,
        );
    }
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
