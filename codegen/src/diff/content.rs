//! Bodies by their media types.

use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::media_types::paired;
use super::node::{All, Kind, Node};
use super::normal::Nodes;
use super::operations::Both;
use super::ranges::{concrete, outside};
use super::report::Severity;
use super::view::{Direction, View};
use super::witness::Subject;
use super::{body_limit, encodings};
use crate::openapi::{Body, Media, canonical, is_json};

/// Compares the request bodies of an operation.
pub(super) fn request(judge: &mut Judge<'_>, both: &Both<'_>) {
    let place = "request body";
    match (&both.before.body, &both.after.body) {
        (None, None) => {}
        (None, Some(new)) if new.required => {
            let (kind, message) = ("request-body-added", "was added and is required");
            let witness = (both.line().text(), "a body is missing".to_owned());
            judge
                .changes
                .prove(kind, &both.name, place, message, witness);
        }
        (None, Some(_)) => {
            note(judge, both, "request-body-added", place, "was added");
        }
        (Some(old), None) => {
            let sent = format!("{} (Content-Type: {})", both.line().text(), first(old));
            let witness = (sent, "the operation takes no body".to_owned());
            let changes = &mut judge.changes;
            changes.prove(
                "request-body-removed",
                &both.name,
                place,
                "was removed",
                witness,
            );
        }
        (Some(old), Some(new)) => bodies(judge, both, old, new),
    }
}

fn bodies(judge: &mut Judge<'_>, both: &Both<'_>, old: &Body, new: &Body) {
    if !old.required && new.required {
        let (kind, message) = ("request-body-required", "became required");
        let witness = (both.line().text(), "a body is missing".to_owned());
        judge
            .changes
            .prove(kind, &both.name, "request body", message, witness);
    }
    if old.required && !new.required {
        note(
            judge,
            both,
            "request-body-optional",
            "request body",
            "became optional",
        );
    }
    body_limit::compare(judge, both, old, new);
    for (media, now) in paired(&old.content, &new.content) {
        if now.whole.is_none() {
            not_taken(judge, both, new, &canonical(&media.media_type));
        }
        for now in now.readings() {
            representation(judge, both, media, now);
        }
    }
    for (media, known) in paired(&new.content, &old.content) {
        if known.whole.is_none() {
            let message = format!("{} is now taken", canonical(&media.media_type));
            let (kind, place) = ("request-body-media-type-added", "request body");
            note(judge, both, kind, place, &message);
        }
    }
    if old.description != new.description {
        let name = Some(both.name.clone());
        let message = "description was changed";
        judge.changes.note(
            Severity::Docs,
            "request-body-docs",
            name,
            "request body",
            message,
        );
    }
}

/// Compares what is said of a media type, or of some of its range.
fn representation(judge: &mut Judge<'_>, both: &Both<'_>, old: &Media, new: &Media) {
    let subject = Subject {
        direction: Direction::Request,
        before: old.schema.as_deref(),
        after: new.schema.as_deref(),
        travels: judge.travels(Direction::Request, old, new),
        arrives: &|_| true,
        unread: None,
    };
    let usage = Use {
        operation: &both.name,
        part: "request-body",
        place: "request body",
        exchange: Exchange::Request(both),
    };
    judge.schemas(&subject, &usage);
    judge.items(Direction::Request, old, new, &usage);
    encodings::compare(judge, both, old, new);
}

/// A media type of which nothing, or not all, is taken any more.
fn not_taken(judge: &mut Judge<'_>, both: &Both<'_>, new: &Body, name: &str) {
    let (kind, place) = ("request-body-media-type-removed", "request body");
    let message = format!("{name} is no longer taken");
    let changes = &mut judge.changes;
    match outside(name, &new.content) {
        Some(sent) => {
            let sent = format!("{} (Content-Type: {sent})", both.line().text());
            let witness = (sent, "415: unsupported media type".to_owned());
            changes.prove(kind, &both.name, place, message, witness);
        }
        None => {
            let name = Some(both.name.clone());
            changes.note(Severity::Possible, kind, name, place, message);
        }
    }
}

fn first(body: &Body) -> String {
    let media = body.content.first();
    concrete(&media.map_or_else(|| "*/*".to_owned(), |media| canonical(&media.media_type)))
}

/// A media type without its parameters, in lower case (RFC 9110 §8.3.1).
pub(super) fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or(media_type);
    essence.trim().to_ascii_lowercase()
}

/// Whether a body is bytes of which a schema says no more than that (OpenAPI 3.1.1 §4.8.14.1): it is a
/// string, `format: binary` or not, or anything.
pub(super) fn is_bytes(view: &View, media: &Media) -> bool {
    let name = essence(&media.media_type);
    let is_form = name.starts_with("multipart/") || name == "application/x-www-form-urlencoded";
    let is_text = name.starts_with("text/") || name.ends_with("xml");
    if is_form || is_text || is_json(&name) || media.item_schema.is_some() {
        return false;
    }
    let key = media.schema.as_deref();
    let Some(schema) = key.and_then(|key| view.schema(key)) else {
        return true;
    };
    let mut node = Node::clone(&Nodes::new(view).of(&All::one(schema)));
    node.marks.remove(&("format", "binary".to_owned()));
    let is_any = node.kinds.len() == Kind::ALL.len();
    let is_string = node.kinds.iter().eq([&Kind::String]);
    (is_any || is_string) && node.unions.is_empty() && node.is_only_unions()
}

fn note(judge: &mut Judge<'_>, both: &Both<'_>, kind: &str, place: &str, message: &str) {
    let name = Some(both.name.clone());
    judge
        .changes
        .note(Severity::Compatible, kind, name, place, message);
}
