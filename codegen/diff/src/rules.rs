//! The rules: the promises of each part of a contract, and the severity of their changes.

mod bodies;
mod forms;
mod operations;
mod parameters;
mod responses;
mod security;
mod servers;

use crate::comparison::{Comparison, Direction};
use crate::report::{Scope, Severity};
use crate::version::{covers, essence};
use crate::wire::{ListFormat, WireFormat};
use codegen::openapi::{Media, is_json, is_text};
use sample::Bundle;
use sample::normal::{AllOf, NormalForm, Normalizer, Type};

/// Compares all parts of two contracts.
pub(crate) fn apply(comparison: &mut Comparison<'_>) {
    operations::compare(comparison);
    operations::outgoing(comparison);
}

/// A message of both versions: its sender, and its name in a report.
struct Message<'m> {
    direction: Direction,
    /// The method and path, or the name of a webhook or callback.
    operation: &'m str,
    /// The first part of the kinds of change, such as `request-body`.
    kind: &'m str,
}

impl Message<'_> {
    /// Adds a change without a proof: the end of its kind, and its message.
    fn add_unproven(
        &self,
        comparison: &mut Comparison<'_>,
        place: &str,
        severity: Severity,
        (how, message): (&str, &str),
    ) {
        let (scope, kind) = (
            Scope::new(self.operation, place),
            format!("{}-{how}", self.kind),
        );
        comparison
            .changes
            .add_unproven(&scope, severity, &kind, message);
    }

    /// Adds a breaking change that a message without a body proves.
    fn add_proven(
        &self,
        comparison: &mut Comparison<'_>,
        place: &str,
        (how, message): (&str, &str),
        witness: (String, String),
    ) {
        let (scope, kind) = (
            Scope::new(self.operation, place),
            format!("{}-{how}", self.kind),
        );
        comparison
            .changes
            .add_proven(&scope, &kind, message, witness);
    }
}

/// How the bodies of two media types are written.
fn wire_format<'a>(
    comparison: &Comparison<'a>,
    direction: Direction,
    old: &Media,
    new: &Media,
) -> WireFormat<'a> {
    let (before, after) = (comparison.before, comparison.after);
    let sides = ((&before.schemas, old), (&after.schemas, new));
    let (sent, received) = match direction {
        Direction::Request => sides,
        Direction::Response => (sides.1, sides.0),
    };
    let is_in_range = covers(&received.1.media_type, &sent.1.media_type);
    match (before.fields(old), after.fields(new), direction) {
        (Some(old), Some(new), Direction::Request) => WireFormat::Form(old, new),
        (Some(old), Some(new), Direction::Response) => WireFormat::Form(new, old),
        _ if is_one_text(old) && is_one_text(new) => WireFormat::Text(ListFormat::Separate),
        _ if is_bytes(received) && (is_in_range || is_bytes(sent)) => WireFormat::Bytes,
        _ => WireFormat::Json,
    }
}

/// Whether a body is one text; the data of events are JSON.
fn is_one_text(media: &Media) -> bool {
    is_text(&media.media_type) && essence(&media.media_type) != "text/event-stream"
}

/// Whether a body is bytes that no schema constrains further (OpenAPI 3.1.1 §4.8.14.1).
fn is_bytes((bundle, media): (&Bundle, &Media)) -> bool {
    let name = essence(&media.media_type);
    let is_form = name.starts_with("multipart/") || name == "application/x-www-form-urlencoded";
    let is_text = name.starts_with("text/") || name.ends_with("xml");
    if is_form || is_text || is_json(&name) || media.item_schema.is_some() {
        return false;
    }
    let key = media.schema.as_deref();
    let Some(schema) = key.and_then(|key| bundle.schema(key)) else {
        return true;
    };
    let mut form = NormalForm::clone(&Normalizer::new(bundle).of(&AllOf::one(schema)));
    form.constraints.remove(&("format", "binary".to_owned()));
    let is_any = form.types.len() == Type::ALL.len();
    let is_string = form.types.iter().eq([&Type::String]);
    (is_any || is_string) && form.unions.is_empty() && form.is_only_types_and_unions()
}
