//! Examples of bodies as the texts that are sent. That of a body which passes one by one is a list (OpenAPI
//! 3.2.0 §4.14.4), and each item is written as its media type has it.

use super::sample::{body_text, text as plain};
use crate::ir::{BodyParts, Content, Framing, Media, PartContent};
use serde_json::Value;

/// The boundary of the parts of an example.
const BOUNDARY: &str = "part";

/// An example of a body as a text; one that is a text already stays as it is.
pub(super) fn text(media: &Media, example: &Value) -> String {
    let items = match example {
        Value::Array(items) => items.as_slice(),
        only => std::slice::from_ref(only),
    };
    let each = items.iter();
    match &media.content {
        _ if example.is_string() => body_text(&media.media_type, example),
        Content::Items(Framing::Lines, ..) => each.map(|item| format!("{item}\n")).collect(),
        Content::Items(Framing::Records, ..) => {
            each.map(|item| format!("\u{1e}{item}\n")).collect()
        }
        Content::Events(..) => each.map(event).collect(),
        Content::Parts(parts) => {
            let each = each
                .enumerate()
                .map(|(index, item)| part(parts, index, item));
            each.collect::<String>() + &format!("--{BOUNDARY}--\r\n")
        }
        _ => body_text(&media.media_type, example),
    }
}

/// The media type of a request's body, with the boundary where it has parts.
pub(super) fn media_type(media: &Media) -> String {
    let declared = &media.media_type;
    let Content::Parts(_) = &media.content else {
        return declared.clone();
    };
    let example = media
        .examples
        .first()
        .and_then(|example| example.value.as_str());
    let own = example.and_then(|text| text.strip_prefix("--")?.lines().next());
    format!("{declared}; boundary={}", own.unwrap_or(BOUNDARY).trim())
}

/// An event: a line for each property, and for each line of `data`.
fn event(item: &Value) -> String {
    let properties = item.as_object().into_iter().flatten();
    let lines = properties.flat_map(|(name, value)| {
        let value = plain(value);
        let lines: Vec<_> = value
            .lines()
            .map(|line| format!("{name}: {line}\n"))
            .collect();
        lines
    });
    lines.collect::<String>() + "\n"
}

fn part(parts: &BodyParts, index: usize, item: &Value) -> String {
    let kind = parts.at(index);
    let content_type = kind.and_then(|kind| kind.sent_type());
    let head = content_type.map(|own| format!("Content-Type: {own}\r\n"));
    let content = match kind.map(|kind| &kind.content) {
        Some(PartContent::Json(..)) => item.to_string(),
        _ => plain(item),
    };
    format!(
        "--{BOUNDARY}\r\n{}\r\n{content}\r\n",
        head.unwrap_or_default()
    )
}
