//! Names of media types (RFC 9110 §8.3.1).

use std::collections::BTreeSet;

/// A media type without its parameters.
pub(crate) fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.to_ascii_lowercase()
}

/// Whether a media type is XML (WHATWG MIME Sniffing §4.6).
pub(crate) fn is_xml(media_type: &str) -> bool {
    essence(media_type).ends_with("xml")
}

/// Whether a media type is JSON (WHATWG MIME Sniffing §4.6; RFC 6838 §4.2.8 for `+json`).
#[must_use]
pub fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    matches!(essence.as_str(), "application/json" | "text/json") || essence.ends_with("+json")
}

/// Whether a body of a media type is a text that may be one value of its schema (RFC 2046 §4.1).
/// XML is not: schemas do not describe it.
#[must_use]
pub fn is_text(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence.starts_with("text/") && !essence.ends_with("xml") && !is_json(&essence)
}

/// A media type in the form in which it is compared: its name in lower case, and the parameters but
/// for a charset in any order (RFC 9110 §8.3.1). The case of a parameter's value is kept, because
/// it may count (§5.6.6).
#[must_use]
pub fn canonical(media_type: &str) -> String {
    let mut parts = media_type.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let compared = parts.filter(|part| !part.is_empty()).map(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        format!("{}={}", name.to_ascii_lowercase(), value.replace('"', ""))
    });
    let compared: BTreeSet<String> = compared
        .filter(|part| !part.starts_with("charset="))
        .collect();
    compared
        .into_iter()
        .fold(essence, |name, part| name + ";" + &part)
}

/// Whether a text is a type and a subtype with, perhaps, parameters, in visible characters.
pub(crate) fn is_media_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default().trim();
    let visible = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_graphic());
    let halves = essence.split_once('/');
    halves.is_some_and(|(kind, subtype)| {
        visible(kind) && visible(subtype) && http::HeaderValue::from_str(text).is_ok()
    })
}
