//! Ranges of media types (RFC 9110 §12.5.1), and those of a suffix (RFC 6838 §4.2.8), as `application/*+json`,
//! which servers take for ranges, too. None of them is sent itself.

use super::content::essence;
use super::media_types::find;
use crate::openapi::Media;

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
    of_range(range, |name| find(content, name).is_none())
}

/// A media type of a range, or the one it is, if it is one of those that are asked for.
pub(super) fn of_range(range: &str, is_one: impl Fn(&str) -> bool) -> Option<String> {
    let whole = essence(range);
    let Some((group, end)) = whole.split_once("/*") else {
        return Some(range.to_owned()).filter(|name| is_one(name));
    };
    let usual = USUAL.iter().filter(|usual| takes_in(range, usual));
    let example = (group != "*").then(|| format!("{group}/example{end}"));
    let mut all = usual.map(|usual| (*usual).to_owned()).chain(example);
    all.find(|name| is_one(name))
}

/// A media type that a range takes in, to show it.
pub(super) fn concrete(range: &str) -> String {
    of_range(range, |_| true).unwrap_or_else(|| range.to_owned())
}

/// What a content says of the media types that a range takes in.
pub(super) fn within<'m>(range: &str, content: &'m [Media]) -> impl Iterator<Item = &'m Media> {
    content
        .iter()
        .filter(move |media| takes_in(range, &media.media_type))
}

/// Whether a range takes in a media type, or another range.
pub(super) fn takes_in(range: &str, name: &str) -> bool {
    let (range, name) = (essence(range), essence(name));
    let (Some((group, end)), Some((own, subtype))) = (range.split_once("/*"), name.split_once('/'))
    else {
        return false;
    };
    group == "*" || (group == own && subtype.ends_with(end))
}
