//! Ranges of media types (RFC 9110 §12.5.1). None of them is sent itself.

use super::content::{essence, find};
use crate::document::Media;

/// The media types that are shown for a range.
const USUAL: [&str; 5] = [
    "text/plain",
    "application/octet-stream",
    "image/png",
    "audio/mpeg",
    "video/mp4",
];

/// A media type of a range, or the one it is, of which a content says nothing.
pub(super) fn outside(range: &str, content: &[Media]) -> Option<String> {
    let is_outside = |name: &String| find(content, name).is_none();
    let Some(group) = range.strip_suffix('*') else {
        return Some(range.to_owned()).filter(is_outside);
    };
    let usual = USUAL.iter().filter(|usual| takes_in(range, usual));
    let example = (group != "*/").then(|| format!("{group}example"));
    let mut all = usual.map(|usual| (*usual).to_owned()).chain(example);
    all.find(is_outside)
}

/// A media type that a range takes in, to show it.
pub(super) fn concrete(range: &str) -> String {
    outside(range, &[]).unwrap_or_else(|| range.to_owned())
}

/// What a content says of the media types that a range takes in.
pub(super) fn within<'m>(range: &str, content: &'m [Media]) -> impl Iterator<Item = &'m Media> {
    content
        .iter()
        .filter(move |media| takes_in(range, &essence(&media.media_type)))
}

fn takes_in(range: &str, name: &str) -> bool {
    let group = range.strip_suffix('*');
    group.is_some_and(|group| group == "*/" || name.starts_with(group))
}
