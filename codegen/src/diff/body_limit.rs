//! How long a body may be (`x-body-limit`).

use super::arriving::{Lists, Travels, accepts};
use super::content::essence;
use super::judge::Judge;
use super::node::{All, Kind, Node};
use super::normal::Nodes;
use super::operations::Both;
use super::report::Severity;
use super::scalar::LONGEST;
use super::text;
use super::view::View;
use crate::openapi::{Body, Media, is_text};
use serde_json::Value;

/// The most bytes that a character has in UTF-8.
const WIDEST: u64 = 4;

/// Compares how long the bodies of an operation may be.
pub(super) fn compare(judge: &mut Judge<'_>, both: &Both<'_>, old: &Body, new: &Body) {
    if old.limit == new.limit {
        return;
    }
    let bytes = |limit: Option<u64>| match limit {
        Some(limit) => format!("{limit} bytes"),
        None => "what the host lets pass".to_owned(),
    };
    let message = format!(
        "the limit was {} and is now {}",
        bytes(old.limit),
        bytes(new.limit)
    );
    let (kind, place) = ("request-body-limit", "request body");
    let severity = match (old.limit, new.limit) {
        (Some(before), Some(after)) if after < before => {
            let length = after.saturating_add(1);
            let (severity, media_type) = gravest(&judge.before.view, old, length);
            if severity == Severity::Breaking {
                let line = both.line().text();
                let sent = format!("{line} (Content-Type: {media_type}; Content-Length: {length})");
                let refusal = format!("413: a body has at most {after} bytes");
                let changes = &mut judge.changes;
                changes.prove(kind, &both.name, place, message, (sent, refusal));
                return;
            }
            severity
        }
        (Some(_), Some(_)) => Severity::Compatible,
        // What a host lets pass is not known here.
        _ => Severity::Possible,
    };
    let name = Some(both.name.clone());
    judge.changes.note(severity, kind, name, place, message);
}

/// What it means that a body of that many bytes is refused, and the first media type for which it
/// means that.
fn gravest(view: &View, body: &Body, length: u64) -> (Severity, String) {
    let each = body.content.iter().map(|media| {
        let severity = refused(view, media, length);
        (severity, essence(&media.media_type))
    });
    let gravest = each.reduce(|one, other| if one.0 < other.0 { other } else { one });
    gravest.unwrap_or_else(|| (Severity::Breaking, "*/*".to_owned()))
}

/// The same for one media type. Blanks around JSON, and what comes before the first part of a form,
/// mean nothing, so that a valid body is as long as one likes; a text is as long as its schema lets
/// it be.
fn refused(view: &View, media: &Media, length: u64) -> Severity {
    let key = media.schema.as_deref();
    let key = key.filter(|_| is_text(&media.media_type));
    let Some((key, schema)) = key.and_then(|key| Some((key, view.schema(key)?))) else {
        return Severity::Breaking;
    };
    let nodes = Nodes::new(view);
    let node = nodes.of(&All::one(schema));
    let is_valid = |text: &Value| accepts(view, Some(key), Travels::Text(Lists::Apart), text);
    if is_any_text(&node) || texts(&node, length).iter().any(is_valid) {
        return Severity::Breaking;
    }
    match longest(&node) {
        Some(longest) if longest < length => Severity::Compatible,
        _ => Severity::Possible,
    }
}

/// Whether texts have no end.
fn is_any_text(node: &Node<'_>) -> bool {
    node.kinds.contains(&Kind::String)
        && node.listed.is_none()
        && !node.bounds.contains_key("maxLength")
        && node.marks.is_empty()
        && node.unions.is_empty()
        && node.opaque.is_empty()
}

/// Texts of at least that many bytes that may be valid.
fn texts(node: &Node<'_>, length: u64) -> Vec<Value> {
    if let Some(listed) = &node.listed {
        let long = listed.iter().filter(|value| bytes(value) >= Some(length));
        return long.cloned().collect();
    }
    let Some(length) = usize::try_from(length).ok().filter(|_| length <= LONGEST) else {
        return Vec::new();
    };
    let patterns = node.marks.iter().filter(|(name, _)| *name == "pattern");
    let shaped = patterns.filter_map(|(_, pattern)| text::matching_of(pattern, length));
    // Lengths are of characters: with wide ones, there are more bytes to them.
    let plain = [text::plain(length), "😀".repeat(length.div_ceil(4))];
    shaped.chain(plain).map(Value::String).collect()
}

/// The bytes of the longest text, where that is known.
fn longest(node: &Node<'_>) -> Option<u64> {
    if let Some(listed) = &node.listed {
        let mut lengths = listed.iter().map(bytes);
        return lengths.try_fold(0, |longest, length| Some(length?.max(longest)));
    }
    let only_texts = node.kinds.iter().all(|kind| *kind == Kind::String);
    let characters = node.bounds.get("maxLength")?.as_u64()?;
    only_texts.then(|| characters.saturating_mul(WIDEST))
}

/// The bytes of a text. What is no text may be written in more than one way.
fn bytes(value: &Value) -> Option<u64> {
    u64::try_from(value.as_str()?.len()).ok()
}
