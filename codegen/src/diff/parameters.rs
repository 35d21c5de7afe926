//! Parameters: a request that was valid has them as they were asked for before.

use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::operations::Both;
use super::pairs::{Pairs, names, required_pair, samples};
use super::report::Severity;
use super::reread;
use super::slot::{Slot, are_alike, misread};
use super::view::{Direction, View};
use super::witness::Subject;
use crate::openapi::{ParamLocation, Parameter};
use serde_json::json;
use std::cell::LazyCell;

/// Compares the parameters of an operation.
pub(super) fn compare(judge: &mut Judge<'_>, both: &Both<'_>) {
    for old in &both.before.parameters {
        match counterpart(both, old) {
            Some(new) => changed(judge, both, old, new),
            // What is the same text in all requests is compared with the path.
            None if old.place == ParamLocation::Path && both.name_after(old).is_none() => {}
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
pub(super) fn counterpart<'a>(both: &Both<'a>, old: &Parameter) -> Option<&'a Parameter> {
    let name = match old.place {
        ParamLocation::Path => both.name_after(old)?,
        _ => &old.name,
    };
    let all = both.after.parameters.iter();
    let mut candidates = all.filter(|new| new.place == old.place);
    candidates.find(|new| is_called(new, name))
}

/// Whether a parameter has that name: those of headers have no case.
pub(super) fn is_called(one: &Parameter, name: &str) -> bool {
    match one.place {
        ParamLocation::Header => one.name.eq_ignore_ascii_case(name),
        _ => one.name == name,
    }
}

fn changed(judge: &mut Judge<'_>, both: &Both<'_>, old: &Parameter, new: &Parameter) {
    let place = place(new);
    if !old.required && new.required {
        let line = both.line().without(&Slot::of(old));
        let message = "became required";
        let witness = (line.text(), missing(&judge.after.view, new));
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
    let (slot, is_in_path) = (Slot::of(old), old.place == ParamLocation::Path);
    let line = LazyCell::new(|| both.line());
    let views = (&judge.before.view, &judge.after.view);
    let sent = LazyCell::new(|| Pairs::of(views.0, &both.before.parameters));
    let expected = LazyCell::new(|| Pairs::of(views.1, &both.after.parameters));
    let subject = Subject {
        direction: Direction::Request,
        before: Some(&old.schema),
        after: Some(&new.schema),
        travels: Slot::of(old).travels(),
        arrives: &|value| {
            sent.are_taken(old, value)
                && expected.leave(new, old, value)
                && (!is_in_path || both.reaches(&line.and(&slot, value)))
        },
        unread: Some(&|value| expected.unread(old, value)),
    };
    let usage = Use {
        operation: &both.name,
        part: "request-parameter",
        place: &place,
        exchange: Exchange::Parameter(both, old),
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

/// What is written another way is read as something else.
fn written(judge: &mut Judge<'_>, both: &Both<'_>, old: &Parameter, new: &Parameter) {
    let (before, after) = (Slot::of(old), Slot::of(new));
    if are_alike(judge, (&before, &old.schema), (&after, &new.schema)) {
        return;
    }
    let (kind, place) = ("request-parameter-style", place(new));
    let message = format!(
        "was written in {} and is now in {}",
        before.way(),
        after.way()
    );
    // What is one text is read as that, whatever would part the items of a list.
    let is_text = before.style == after.style
        && before.writes_as(&after, &json!("a"))
        && !judge.after.view.takes_parts(&new.schema);
    let value = match is_text {
        true => None,
        false => misread(&judge.before.view, &old.schema, &before, &after),
    };
    let Some(value) = value else {
        return note(judge, both, kind, &place, &message);
    };
    let line = both.line().and(&before, &value);
    let refusal = format!("reads `{}` in {}", before.write(&value), after.way());
    let witness = (line.text(), refusal);
    let changes = &mut judge.changes;
    changes.prove(kind, &both.name, &place, message, witness);
}

fn removed(judge: &mut Judge<'_>, both: &Both<'_>, old: &Parameter) {
    let (kind, place) = ("request-parameter-removed", place(old));
    if old.place != ParamLocation::Query {
        // Other places are shared with proxies and clients, so what is not declared is let pass.
        let name = Some(both.name.clone());
        let message = "was removed and is no longer read";
        judge
            .changes
            .note(Severity::Possible, kind, name, &place, message);
        return;
    }
    let slot = Slot::of(old);
    let pairs = Pairs::of(&judge.after.view, &both.after.parameters);
    let samples = samples(&judge.before.view, old);
    let refused = samples.iter().find_map(|value| {
        let mut names = names(old, value).into_iter();
        Some((value, names.find(|name| pairs.reader(name).is_none())?))
    });
    if let Some((value, name)) = refused {
        let line = both.line().and(&slot, value);
        let refusal = format!("`{name}` is not a parameter of this operation");
        let witness = (line.text(), refusal);
        let changes = &mut judge.changes;
        changes.prove(kind, &both.name, &place, "was removed", witness);
        return;
    }
    let mut names = samples.iter().flat_map(|value| names(old, value));
    let message = match names.find_map(|name| pairs.reader(&name)) {
        Some(reader) => format!("was removed, and what is sent is read as `{}`", reader.name),
        None => "was removed".to_owned(),
    };
    let name = Some(both.name.clone());
    judge
        .changes
        .note(Severity::Possible, kind, name, &place, message);
}

fn added(judge: &mut Judge<'_>, both: &Both<'_>, new: &Parameter) {
    let place = place(new);
    if new.required && new.place != ParamLocation::Path {
        let witness = (both.line().text(), missing(&judge.after.view, new));
        let (kind, message) = ("request-parameter-added", "was added and is required");
        judge
            .changes
            .prove(kind, &both.name, &place, message, witness);
    } else if new.place != ParamLocation::Path && !reread::tell(judge, both, new, &place) {
        note(judge, both, "request-parameter-added", &place, "was added");
    }
}

/// What is said where nothing is sent of a parameter: of an object that is a pair for each member,
/// members are missing.
fn missing(view: &View, parameter: &Parameter) -> String {
    let name = required_pair(view, parameter);
    let name = name.unwrap_or_else(|| parameter.name.clone());
    format!("`{name}` is missing (required)")
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

fn note(judge: &mut Judge<'_>, both: &Both<'_>, kind: &str, place: &str, message: &str) {
    let name = Some(both.name.clone());
    judge
        .changes
        .note(Severity::Compatible, kind, name, place, message);
}
