//! Request bodies by their media types.

use super::{body_limit, forms, wire_format};
use crate::comparison::{Comparison, Direction};
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::verdict::{Subject, Usage};
use crate::version::{concrete, outside, paired};
use crate::wire::Exchange;
use codegen::openapi::{Body, Media, canonical};

/// Compares the request bodies of an operation.
pub(super) fn compare(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let scope = &Scope::new(&pair.name, "request body");
    let line = || pair.line().text();
    let changes = &mut comparison.changes;
    match (&pair.before.body, &pair.after.body) {
        (None, None) => {}
        (None, Some(new)) if new.required => {
            let witness = (line(), "a body is missing".to_owned());
            let message = "was added and is required";
            changes.prove(scope, "request-body-added", message, witness);
        }
        (None, Some(_)) => {
            changes.note(
                scope,
                Severity::Compatible,
                "request-body-added",
                "was added",
            );
        }
        (Some(old), None) => {
            let sent = format!("{} (Content-Type: {})", line(), first(old));
            let witness = (sent, "the operation takes no body".to_owned());
            changes.prove(scope, "request-body-removed", "was removed", witness);
        }
        (Some(old), Some(new)) => both(comparison, pair, scope, (old, new)),
    }
}

fn both(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    scope: &Scope,
    (old, new): (&Body, &Body),
) {
    let changes = &mut comparison.changes;
    if !old.required && new.required {
        let witness = (pair.line().text(), "a body is missing".to_owned());
        changes.prove(scope, "request-body-required", "became required", witness);
    }
    if old.required && !new.required {
        let kind = "request-body-optional";
        changes.note(scope, Severity::Compatible, kind, "became optional");
    }
    body_limit::compare(comparison, pair, scope, (old, new));
    for (media, now) in paired(&old.content, &new.content) {
        if now.whole.is_none() {
            not_taken(comparison, pair, scope, new, &canonical(&media.media_type));
        }
        for now in now.readings() {
            representation(comparison, pair, media, now);
        }
    }
    let changes = &mut comparison.changes;
    for (media, known) in paired(&new.content, &old.content) {
        if known.whole.is_none() {
            let message = format!("{} is now taken", canonical(&media.media_type));
            let kind = "request-body-media-type-added";
            changes.note(scope, Severity::Compatible, kind, message);
        }
    }
    if old.description != new.description {
        let message = "description was changed";
        changes.note(scope, Severity::Docs, "request-body-docs", message);
    }
}

/// Compares what two versions say of a media type, or of some of a range.
fn representation(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    old: &Media,
    new: &Media,
) {
    let direction = Direction::Request;
    let format = wire_format(comparison, direction, old, new);
    let schemas = (old.schema.as_deref(), new.schema.as_deref());
    let usage = Usage {
        operation: &pair.name,
        part: "request-body",
        place: "request body",
        exchange: Exchange::Request(pair),
    };
    let subject = Subject::new(direction, schemas.0, schemas.1, format);
    comparison.schemas(&subject, &usage);
    comparison.items(direction, (old, new), &usage);
    forms::compare(comparison, pair, (old, new));
}

/// A media type of which nothing, or not all, is taken any more.
fn not_taken(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    scope: &Scope,
    new: &Body,
    name: &str,
) {
    let kind = "request-body-media-type-removed";
    let message = format!("{name} is no longer taken");
    let changes = &mut comparison.changes;
    match outside(name, &new.content) {
        Some(sent) => {
            let sent = format!("{} (Content-Type: {sent})", pair.line().text());
            let witness = (sent, "415: unsupported media type".to_owned());
            changes.prove(scope, kind, message, witness);
        }
        None => changes.note(scope, Severity::Possible, kind, message),
    }
}

fn first(body: &Body) -> String {
    let media = body.content.first();
    concrete(&media.map_or_else(|| "*/*".to_owned(), |media| canonical(&media.media_type)))
}
