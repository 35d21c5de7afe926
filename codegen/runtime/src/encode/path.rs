//! The path that a template becomes with the values of its parameters: the
//! client's side of `http::segment`.

use crate::http::captures;
use crate::http::segment::Segment;

/// The path; or the parameter whose value would be taken for another path, or
/// for other values than these, with the reason.
pub(crate) fn filled(
    template: &str,
    values: &[(&'static str, String)],
) -> Result<String, (&'static str, &'static str)> {
    let mut path = template.to_owned();
    for (name, text) in values {
        // These would lead to another path.
        if matches!(text.as_str(), "" | "." | "..") {
            return Err((name, "makes no path segment"));
        }
        path = path.replace(&format!("{{{name}}}"), text);
    }
    for (template, segment) in template.split('/').zip(path.split('/')) {
        let (pattern, names) = Segment::parse(template);
        if names.len() < 2 {
            continue;
        }
        let ranges = pattern.captures(segment).unwrap_or_default();
        for (at, name) in names.iter().enumerate() {
            let read = ranges.get(at).and_then(|range| segment.get(range.clone()));
            let is_other = |text: &str| read.is_none_or(|read| !captures::are_same(read, text));
            let value = values.iter().find(|(known, _)| known == name);
            if let Some((name, _)) = value.filter(|(_, text)| is_other(text)) {
                return Err((name, "would be read as another value"));
            }
        }
    }
    Ok(path)
}
