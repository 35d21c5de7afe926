//! Parameters: a request that was valid has them as they were asked for before.

use crate::comparison::{Comparison, Direction};
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::verdict::{Subject, Usage};
use crate::version::{Version, is_misplaced};
use crate::wire::{Exchange, ParamEncoding, are_written_alike, misread_value, sample_of};
use codegen::openapi::{Operation, ParamLocation, Parameter, Style};
use json_schema::types::Types;
use sample::normal::{AllOf, Normalizer, Type};
use serde_json::Value;
use std::cell::LazyCell;

/// Compares the parameters of an operation.
pub(super) fn compare(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    misplaced(comparison, pair);
    let used = |operation: &'_ Operation, one: &Parameter| !is_misplaced(operation, one);
    for old in pair
        .before
        .parameters
        .iter()
        .filter(|one| used(pair.before, one))
    {
        match counterpart(pair, old) {
            Some(new) => changed(comparison, pair, old, new),
            None => removed(comparison, pair, old),
        }
    }
    for new in pair
        .after
        .parameters
        .iter()
        .filter(|one| used(pair.after, one))
    {
        let mut known = pair.before.parameters.iter();
        let is_known =
            known.any(|old| counterpart(pair, old).is_some_and(|one| std::ptr::eq(one, new)));
        if !is_known {
            added(comparison, pair, new);
        }
    }
}

/// Tells of path parameters that come and go though the template has no place for them.
fn misplaced(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let names = |operation: &Operation| -> Vec<String> {
        let parameters = operation.parameters.iter();
        let own = parameters.filter(|one| is_misplaced(operation, one));
        own.map(|one| one.name.clone()).collect()
    };
    let (before, after) = (names(pair.before), names(pair.after));
    for (names, others, verb) in [(&before, &after, "removed"), (&after, &before, "added")] {
        for name in names.iter().filter(|name| !others.contains(name)) {
            let scope = Scope::new(&pair.name, format!("path parameter `{name}`"));
            let message =
                format!("was {verb}, but the template has no `{{{name}}}`: it is ignored");
            let changes = &mut comparison.changes;
            changes.note(
                &scope,
                Severity::Docs,
                "request-parameter-misplaced",
                message,
            );
        }
    }
}

/// The same parameter of the version after: path parameters are known by their position, others by name.
fn counterpart<'a>(pair: &OperationPair<'a>, old: &Parameter) -> Option<&'a Parameter> {
    let name = match old.place {
        ParamLocation::Path => pair.name_after(old)?,
        _ => &old.name,
    };
    let mut all = pair.after.parameters.iter();
    all.find(|new| new.place == old.place && is_named(new, name))
}

/// Whether a parameter has a name; those of headers have no case.
pub(super) fn is_named(one: &Parameter, name: &str) -> bool {
    match one.place {
        ParamLocation::Header => one.name.eq_ignore_ascii_case(name),
        _ => one.name == name,
    }
}

fn changed(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    old: &Parameter,
    new: &Parameter,
) {
    let scope = Scope::new(&pair.name, place(new));
    let changes = &mut comparison.changes;
    if !old.required && new.required {
        let line = pair.line().without(&ParamEncoding::of(old));
        let witness = (line.text(), missing(new));
        let kind = "request-parameter-required";
        match is_spread(&comparison.after.schemas, new) {
            // It is missing only if all of its members are.
            true => changes.note(&scope, Severity::Possible, kind, "became required"),
            false => changes.prove(&scope, kind, "became required", witness),
        }
    }
    if old.required && !new.required {
        let kind = "request-parameter-optional";
        changes.note(&scope, Severity::Compatible, kind, "became optional");
    }
    encoding(comparison, pair, &scope, (old, new));
    let own = ParamEncoding::of(old);
    let is_in_path = old.place == ParamLocation::Path;
    let line = LazyCell::new(|| pair.line());
    let arrives =
        |value: &Value| !is_in_path || pair.is_for(&line.with(&ParamEncoding::of(old), value));
    let subject = Subject {
        arrives: &arrives,
        ..Subject::new(
            Direction::Request,
            Some(&old.schema),
            Some(&new.schema),
            own.wire_format(),
        )
    };
    let usage = Usage {
        operation: &pair.name,
        part: "request-parameter",
        place: &scope.place,
        exchange: Exchange::Parameter(pair, old),
    };
    comparison.schemas(&subject, &usage);
    let kind = "request-parameter-docs";
    let changes = &mut comparison.changes;
    if old.description != new.description {
        changes.note(&scope, Severity::Docs, kind, "description was changed");
    }
    if old.deprecated != new.deprecated {
        changes.note(&scope, Severity::Docs, kind, "deprecation was changed");
    }
}

/// A parameter that is written in another way is read as something else.
fn encoding(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    scope: &Scope,
    (old, new): (&Parameter, &Parameter),
) {
    let (before, after) = (ParamEncoding::of(old), ParamEncoding::of(new));
    let (was, is) = (&comparison.before.schemas, &comparison.after.schemas);
    if are_written_alike((was, &old.schema, &before), (is, &new.schema, &after)) {
        return;
    }
    let (was_written, is_written) = (before.phrase(), after.phrase());
    let message = format!("was written in {was_written} and is now in {is_written}");
    // One text is read as that, whatever would separate the items of a list.
    let is_text = before.style == after.style
        && before.writes_like(&after, &Value::from("a"))
        && !is.takes_any(&new.schema, &[Types::ARRAY, Types::OBJECT]);
    let value = match is_text {
        true => None,
        false => misread_value((was, &old.schema, &before), &after),
    };
    let (changes, kind) = (&mut comparison.changes, "request-parameter-style");
    match value {
        Some(value) => {
            let refusal = format!("reads `{}` in {is_written}", before.write(&value));
            let witness = (pair.line().with(&before, &value).text(), refusal);
            changes.prove(scope, kind, message, witness);
        }
        None => changes.note(scope, Severity::Compatible, kind, message),
    }
}

fn removed(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>, old: &Parameter) {
    let (before, after) = (comparison.before, comparison.after);
    let (kind, scope) = (
        "request-parameter-removed",
        Scope::new(&pair.name, place(old)),
    );
    let changes = &mut comparison.changes;
    if old.place != ParamLocation::Query {
        // Other places are shared with proxies and clients, so that what is not declared is accepted.
        let message = "was removed and is no longer read";
        return changes.note(&scope, Severity::Possible, kind, message);
    }
    let encoding = ParamEncoding::of(old);
    let value = sample_of(old, &before.schemas);
    let is_read = has_spread(after, pair.after) || is_spread(&before.schemas, old);
    if is_read || encoding.write(&value).is_empty() {
        // The members of an exploded object are parameters of their own on the wire.
        return changes.note(&scope, Severity::Possible, kind, "was removed");
    }
    let line = pair.line().with(&encoding, &value);
    let refusal = format!("`{}` is not a parameter of this operation", old.name);
    changes.prove(&scope, kind, "was removed", (line.text(), refusal));
}

fn added(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>, new: &Parameter) {
    if new.place == ParamLocation::Path {
        return;
    }
    let (before, after) = (comparison.before, comparison.after);
    let (kind, scope) = (
        "request-parameter-added",
        Scope::new(&pair.name, place(new)),
    );
    let changes = &mut comparison.changes;
    let is_query = new.place == ParamLocation::Query;
    let is_spread = is_query && (is_spread(&after.schemas, new) || has_spread(before, pair.before));
    match (new.required, is_spread) {
        (true, true) => {
            changes.note(
                &scope,
                Severity::Possible,
                kind,
                "was added and is required",
            );
        }
        (true, false) => {
            let witness = (pair.line().text(), missing(new));
            changes.prove(&scope, kind, "was added and is required", witness);
        }
        // It may read what was a member of an object.
        (false, _) => {
            let is_read = is_query && has_spread(before, pair.before);
            changes.note(&scope, Severity::possible_if(is_read), kind, "was added");
        }
    }
}

/// Whether a parameter is an object in a query whose members are written like parameters of their own
/// (OpenAPI 3.1.1 §4.8.12.6).
fn is_spread(bundle: &sample::Bundle, parameter: &Parameter) -> bool {
    parameter.place == ParamLocation::Query
        && parameter.style == Style::Form
        && parameter.explode
        && bundle.schema(&parameter.schema).is_some_and(|schema| {
            let form = Normalizer::new(bundle).of(&AllOf::one(schema));
            form.types.contains(&Type::Object) && form.types.len() < Type::ALL.len()
        })
}

fn has_spread(version: &Version, operation: &Operation) -> bool {
    let mut parameters = operation.parameters.iter();
    parameters.any(|one| is_spread(&version.schemas, one))
}

fn missing(parameter: &Parameter) -> String {
    format!("`{}` is missing (required)", parameter.name)
}

/// A parameter in the words of a report.
fn place(parameter: &Parameter) -> String {
    let place = match parameter.place {
        ParamLocation::Path => "path",
        ParamLocation::Query => "query",
        ParamLocation::Header => "header",
        ParamLocation::Cookie => "cookie",
    };
    format!("{place} parameter `{}`", parameter.name)
}
