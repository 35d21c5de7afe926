//! Parameters: a request that was valid has them as they were asked for before.

use super::exchange::{Exchange, Slot, sample, text};
use super::judge::{Judge, Use};
use super::operations::{Both, path_parameters};
use super::report::Severity;
use super::view::Direction;
use super::witness::{Subject, accepts};
use crate::document::{Parameter, Place};
use serde_json::Value;

/// Compares the parameters of an operation.
pub(super) fn compare(judge: &mut Judge<'_>, both: &Both<'_>) {
    for old in &both.before.parameters {
        match counterpart(both, old) {
            Some(new) => changed(judge, both, old, new),
            None => removed(judge, both, old),
        }
    }
    for new in &both.after.parameters {
        let known = both.before.parameters.iter();
        let mut known = known.filter_map(|old| counterpart(both, old));
        if !known.any(|known| std::ptr::eq(known, new)) {
            added(judge, both, new);
        }
    }
}

/// The same parameter of the other contract: path parameters are known by their position, others
/// by their name.
fn counterpart<'a>(both: &Both<'a>, old: &Parameter) -> Option<&'a Parameter> {
    let mut candidates = both
        .after
        .parameters
        .iter()
        .filter(|new| new.place == old.place);
    if old.place == Place::Path {
        let names = path_parameters(both.before);
        let position = names.iter().position(|name| *name == old.name)?;
        let name = *path_parameters(both.after).get(position)?;
        return candidates.find(|new| new.name == name);
    }
    candidates.find(|new| match old.place {
        Place::Header => new.name.eq_ignore_ascii_case(&old.name),
        _ => new.name == old.name,
    })
}

fn changed(judge: &mut Judge<'_>, both: &Both<'_>, old: &Parameter, new: &Parameter) {
    let place = place(new);
    if !old.required && new.required {
        let line = both.line().without(&Slot::of(old));
        let message = "became required";
        let witness = (line.text(), missing(new));
        let changes = &mut judge.changes;
        changes.prove(
            "request-parameter-required",
            &both.name,
            &place,
            message,
            witness,
        );
    }
    if old.required && !new.required {
        note(
            judge,
            both,
            "request-parameter-optional",
            &place,
            "became optional",
        );
    }
    written(judge, both, old, new);
    let subject = Subject {
        direction: Direction::Request,
        before: Some(&old.schema),
        after: Some(&new.schema),
        textual: true,
    };
    let usage = Use {
        operation: &both.name,
        part: "request-parameter",
        place: &place,
        exchange: Exchange::Parameter(both.before, both.view, old),
    };
    judge.schemas(&subject, &usage);
    notes(judge, both, old, new);
}

fn notes(judge: &mut Judge<'_>, both: &Both<'_>, old: &Parameter, new: &Parameter) {
    let mut note = |message: &str| {
        let name = Some(both.name.clone());
        let place = place(new);
        judge.changes.note(
            Severity::Docs,
            "request-parameter-docs",
            name,
            &place,
            message,
        );
    };
    if old.description != new.description {
        note("description was changed");
    }
    if old.deprecated != new.deprecated {
        note("deprecation was changed");
    }
}

/// A list or an object that is written another way is read as something else.
fn written(judge: &mut Judge<'_>, both: &Both<'_>, old: &Parameter, new: &Parameter) {
    if (old.style, old.explode) == (new.style, new.explode) {
        return;
    }
    let view = &judge.before.view;
    let candidates = [
        sample(old, view),
        Value::Array(vec!["a".into(), "b".into()]),
        Value::Array(vec![1.into(), 2.into()]),
        Value::Array(vec![sample_item(old, view, 0), sample_item(old, view, 1)]),
    ];
    let told = |value: &&Value| {
        let several = value.as_array().is_some_and(|items| items.len() > 1)
            || value.as_object().is_some_and(|members| !members.is_empty());
        let prefixed = old.place == Place::Path && old.style != new.style;
        (several || prefixed) && accepts(view, Some(&old.schema), true, value)
    };
    let (before, after) = (style(old), style(new));
    let message = format!("was written in style {before} and is now in style {after}");
    let Some(value) = candidates.iter().find(told) else {
        return note(
            judge,
            both,
            "request-parameter-style",
            &place(new),
            &message,
        );
    };
    let slot = Slot::of(old);
    let line = both.line().and(&slot, value);
    let refusal = format!("reads `{}` in style {after}", text(value));
    let changes = &mut judge.changes;
    let kind = "request-parameter-style";
    changes.prove(
        kind,
        &both.name,
        &place(new),
        message,
        (line.text(), refusal),
    );
}

/// One of several items that a list parameter is likely to take.
fn sample_item(parameter: &Parameter, view: &super::view::View, index: usize) -> Value {
    match sample(parameter, view) {
        Value::Array(items) => items
            .get(index)
            .or(items.first())
            .cloned()
            .unwrap_or_default(),
        other => other,
    }
}

fn style(parameter: &Parameter) -> String {
    let explode = if parameter.explode { ", exploded" } else { "" };
    format!("{:?}{explode}", parameter.style)
}

fn removed(judge: &mut Judge<'_>, both: &Both<'_>, old: &Parameter) {
    let (kind, place) = ("request-parameter-removed", place(old));
    if old.place != Place::Query {
        // Other places are shared with proxies and clients, so what is not declared is let pass.
        let name = Some(both.name.clone());
        let message = "was removed and is no longer read";
        judge
            .changes
            .note(Severity::Possible, kind, name, &place, message);
        return;
    }
    let slot = Slot::of(old);
    let line = both.line().and(&slot, &sample(old, &judge.before.view));
    let refusal = format!("`{}` is not a parameter of this operation", old.name);
    let changes = &mut judge.changes;
    changes.prove(
        kind,
        &both.name,
        &place,
        "was removed",
        (line.text(), refusal),
    );
}

fn added(judge: &mut Judge<'_>, both: &Both<'_>, new: &Parameter) {
    let place = place(new);
    if new.required && new.place != Place::Path {
        let witness = (both.line().text(), missing(new));
        let (kind, message) = ("request-parameter-added", "was added and is required");
        judge
            .changes
            .prove(kind, &both.name, &place, message, witness);
    } else {
        note(judge, both, "request-parameter-added", &place, "was added");
    }
}

fn missing(parameter: &Parameter) -> String {
    format!("`{}` is missing (required)", parameter.name)
}

/// A parameter in the words of a report.
fn place(parameter: &Parameter) -> String {
    let place = match parameter.place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Header => "header",
        Place::Cookie => "cookie",
    };
    format!("{place} parameter `{}`", parameter.name)
}

fn note(judge: &mut Judge<'_>, both: &Both<'_>, kind: &str, place: &str, message: &str) {
    let name = Some(both.name.clone());
    judge
        .changes
        .note(Severity::Compatible, kind, name, place, message);
}
