//! The path that a template becomes with the values of its parameters: the
//! client's side of `http::segment`.

use std::cmp::Ordering;

use crate::http::captures;
use crate::http::operation::Operation;
use crate::http::segment::{Segment, segments};

/// The characters that a value must not have as they are, because they end it: those between parameters, where the
/// segment of the parameter `name` has several.
pub(crate) fn separators(template: &str, name: &str) -> String {
    let hole = format!("{{{name}}}");
    let mut own = segments(template).filter(|segment| segment.contains(&hole));
    let own = own.next().map(|segment| Segment::parse(segment).0);
    own.iter().flat_map(Segment::separators).collect()
}

/// The path; or the parameter whose value would be taken for another path, or
/// for other values than these, with the reason.
pub(crate) fn filled(
    template: &str,
    values: &[(&'static str, String)],
) -> Result<String, (&'static str, &'static str)> {
    let mut path = template.to_owned();
    for (name, text) in values {
        if text.is_empty() {
            return Err((name, NO_SEGMENT));
        }
        path = path.replace(&format!("{{{name}}}"), text);
    }
    for (template, segment) in template.split('/').zip(path.split('/')) {
        let (pattern, names) = Segment::parse(template);
        let value = |name: &str| values.iter().find(|(known, _)| *known == name);
        let first = names.first().and_then(|name| value(name));
        // These would lead to another path.
        if let Some((name, _)) = first.filter(|_| matches!(segment, "." | "..")) {
            return Err((name, NO_SEGMENT));
        }
        if names.len() < 2 {
            continue;
        }
        let ranges = pattern.captures(segment).unwrap_or_default();
        for (at, name) in names.iter().enumerate() {
            let read = ranges.get(at).and_then(|range| segment.get(range.clone()));
            let is_other = |text: &str| read.is_none_or(|read| !captures::are_same(read, text));
            if let Some((name, _)) = value(name).filter(|(_, text)| is_other(text)) {
                return Err((name, "would be read as another value"));
            }
        }
    }
    Ok(path)
}

const NO_SEGMENT: &str = "makes no path segment";

/// Checks that requests for a path are for the operation, and not for one whose template matches it as well and
/// goes before this one's.
pub(crate) fn check_route(
    operation: &Operation,
    path: &str,
    values: &[(&'static str, String)],
) -> Result<(), (&'static str, &'static str)> {
    let Some(path) = path.strip_prefix(operation.base_path) else {
        return Ok(());
    };
    let rank = |segment: &str| {
        let (pattern, names) = Segment::parse(segment);
        (!names.is_empty(), pattern)
    };
    for rival in operation.rivals {
        let mut pairs = segments(rival).zip(segments(path));
        let is_as_long = segments(rival).count() == segments(path).count();
        if !is_as_long || !pairs.all(|(rival, text)| Segment::parse(rival).0.is_match(text)) {
            continue;
        }
        let mut ranks = segments(rival).zip(segments(operation.path));
        let first = ranks.find_map(|(rival, own)| {
            let order = rank(rival).cmp(&rank(own));
            order.is_ne().then_some((order, own))
        });
        if let Some((Ordering::Less, own)) = first {
            let mut values = values.iter();
            let value = values.find(|(name, _)| own.contains(&format!("{{{name}}}")));
            let name = value.map_or("url", |(name, _)| name);
            return Err((name, "would lead to another operation"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{filled, separators};

    #[test]
    fn separators_are_the_characters_between_parameters_of_one_segment() {
        let template = "/a-b/{x}/v{a}-{b}..{c}.json";
        assert_eq!(separators(template, "x"), "");
        assert_eq!(separators(template, "a"), "-..");
        assert_eq!(separators(template, "c"), "-..");
    }

    #[test]
    fn no_path_segment_is_one_of_dots() {
        let path = |template, text: &str| filled(template, &[("a", text.to_owned())]).is_ok();
        assert!(!path("/{a}", "..") && !path("/.{a}", ".") && !path("/{a}.x", ""));
        assert!(path("/{a}.x", ".") && path("/{a}", "..."));
    }
}
