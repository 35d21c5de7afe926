//! Operations: those that stayed, those that were removed, and those that were added.

use super::{bodies, parameters, responses, security, servers};
use crate::comparison::Comparison;
use crate::pairing::{self, OperationPair, full_name, name, operations};
use crate::report::{Scope, Severity};
use crate::version::{Version, unnamed};
use crate::wire::{Param, RequestLine, accepts};
use codegen::openapi::{Operation, Outgoing, ParamLocation};
use serde_json::Value;

/// Compares the operations of two versions.
pub(super) fn compare(comparison: &mut Comparison<'_>) {
    let versions = (comparison.before, comparison.after);
    servers::compare(comparison, None, &versions.0.servers, &versions.1.servers);
    let pairing = operations(versions.0, versions.1);
    for (old, new) in pairing.before {
        match new {
            Some(new) => stayed(comparison, &OperationPair::new(versions, (old, new), None)),
            None => removed(comparison, old),
        }
    }
    responses::framework(comparison);
    for new in pairing.added {
        added(comparison, new);
    }
}

/// Compares the webhooks and the callbacks: requests that the API sends and its clients answer.
pub(super) fn outgoing(comparison: &mut Comparison<'_>) {
    let (before, after) = (comparison.before, comparison.after);
    let lists = [
        ("webhook", &before.webhooks, &after.webhooks),
        ("callback", &before.callbacks, &after.callbacks),
    ];
    for (what, old, new) in lists {
        let scope = |of: &Outgoing| {
            let name = full_name(Some(what), &of.operation);
            Scope::new(&name, name.clone())
        };
        let pairing = pairing::outgoing((before, after), (old, new));
        for (old, new) in pairing.before {
            let Some(new) = new else {
                let (scope, kind) = (scope(old), format!("{what}-removed"));
                let witness = (scope.place.clone(), "nobody sends it".to_owned());
                comparison
                    .changes
                    .add_proven(&scope, &kind, "is no longer sent", witness);
                continue;
            };
            let operations = (&old.operation, &new.operation);
            let pair = OperationPair::new((before, after), operations, Some(what));
            url(comparison, &pair, [old, new].map(pairing::url));
            parts(comparison, &pair);
        }
        for new in pairing.added {
            let (scope, kind) = (scope(new), format!("{what}-added"));
            comparison
                .changes
                .add_unproven(&scope, Severity::Compatible, &kind, "is now sent");
        }
    }
}

/// Compares the URLs of webhooks and callbacks: a receiver gets no request to another URL.
fn url(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>, [old, new]: [&str; 2]) {
    if old != new {
        let message = format!("the URL was `{old}` and is now `{new}`");
        let sent = format!("{} (to {new})", pair.line().text());
        let witness = (sent, format!("listens at {old}"));
        let scope = Scope::new(&pair.name, "URL");
        comparison
            .changes
            .add_proven(&scope, "callback-url", message, witness);
    }
}

fn stayed<'a>(comparison: &mut Comparison<'a>, pair: &OperationPair<'a>) {
    servers::of_operation(comparison, pair);
    if comparison.before.route(pair.before) != comparison.after.route(pair.after) {
        servers::moved(comparison, pair);
    }
    parts(comparison, pair);
    notes(comparison, pair);
}

fn parts<'a>(comparison: &mut Comparison<'a>, pair: &OperationPair<'a>) {
    security::compare(comparison, pair);
    parameters::of_operation(comparison, pair);
    bodies::compare(comparison, pair);
    responses::compare(comparison, pair);
}

/// The reason why a request that no operation answers is refused.
pub(super) fn refusal(after: &Version, path: &str) -> String {
    let refusal = match after.at_path(path).next() {
        None => "404: there is no such path",
        Some(_) => "405: the path has no such method",
    };
    refusal.to_owned()
}

/// Reports a removed operation. Another path may answer its requests, which is possible at most.
fn removed(comparison: &mut Comparison<'_>, old: &Operation) {
    let (before, after) = (comparison.before, comparison.after);
    let own = name(old);
    let scope = Scope::new(&own, own.clone());
    let first = RequestLine::new(old, before);
    let others = first.others(old, before);
    let unanswered = std::iter::once(first.clone())
        .chain(others)
        .find(|line| answering(after, &line.path(), &old.method).is_none());
    let changes = &mut comparison.changes;
    match unanswered {
        Some(line) => {
            let witness = (line.text(), refusal(after, &line.path()));
            let message = "the operation was removed";
            changes.add_proven(&scope, "operation-removed", message, witness);
        }
        None => {
            let other = answering(after, &first.path(), &old.method);
            let other = other.map(name).unwrap_or_default();
            let message = format!("the operation was removed, and its requests go to `{other}`");
            changes.add_unproven(&scope, Severity::Possible, "operation-removed", message);
        }
    }
}

/// The operation that answers requests to a path. GET answers a HEAD without an operation of its own
/// (RFC 9110 §9.3.2), and a query that is written in a template is one of the path without it.
fn answering<'v>(version: &'v Version, path: &str, method: &str) -> Option<&'v Operation> {
    let path = match version.at_path(path).next() {
        None => path.split('?').next().unwrap_or(path),
        Some(_) => path,
    };
    let of = |method: &str| version.at_path(path).find(|one| one.method == method);
    of(method).or_else(|| of("GET").filter(|_| method == "HEAD"))
}

/// Reports an added operation, which may take requests that an operation of another path has answered.
fn added(comparison: &mut Comparison<'_>, new: &Operation) {
    let (before, after) = (comparison.before, comparison.after);
    let own = name(new);
    let scope = Scope::new(&own, own.clone());
    let path = RequestLine::new(new, after).path();
    let route = unnamed(&after.path(new));
    let mut others = before.at_path(&path);
    let other = others.find(|old| {
        unnamed(&before.path(old)) != route && takes_literals(before, old, &after.path(new))
    });
    let (severity, message) = match other {
        Some(old) => {
            let other = name(old);
            let message = format!("the operation was added, and takes requests from `{other}`");
            (Severity::Possible, message)
        }
        None => (Severity::Compatible, "the operation was added".to_owned()),
    };
    let changes = &mut comparison.changes;
    changes.add_unproven(&scope, severity, "operation-added", message);
}

/// Whether the parameters of an operation accept the literal segments of another template.
fn takes_literals(version: &Version, operation: &Operation, template: &str) -> bool {
    let own = version.path(operation);
    let mut segments = own.split('/').zip(template.split('/'));
    segments.all(|(segment, literal)| {
        let name = segment
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let parameters = operation.parameters.iter();
        let mut own = parameters.filter(|one| one.place == ParamLocation::Path);
        let parameter = name.and_then(|name| own.find(|one| one.name == name));
        literal.contains('{')
            || parameter.is_none_or(|parameter| {
                let format = Param::from(parameter).wire_format();
                let value = Value::from(literal);
                accepts(&version.schemas, Some(&parameter.schema), format, &value)
            })
    })
}

/// Changes that no message shows.
fn notes(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let (before, after) = (pair.before, pair.after);
    let scope = Scope::new(&pair.name, pair.name.clone());
    let mut note = |kind: &str, message: String| {
        let changes = &mut comparison.changes;
        changes.add_unproven(&scope, Severity::Docs, kind, message);
    };
    if before.id != after.id {
        let [old, new] = [before, after].map(|one| one.id.as_deref().unwrap_or("none"));
        note(
            "operation-id",
            format!("operationId was {old} and is now {new}"),
        );
    }
    if before.deprecated != after.deprecated {
        let verb = match after.deprecated {
            true => "became",
            false => "is no longer",
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
