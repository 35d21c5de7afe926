//! The text of URIs (RFC 3986), which contracts write as people do.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// What no URI has as it is (RFC 3986 §2). A `%` begins what is encoded already.
const UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'|');

/// A path, or the template of one, whose text is that of a URI; the names of its parameters stay as
/// they are.
pub(crate) fn encoded(template: &str) -> String {
    let mut out = String::new();
    for part in template.split_inclusive('}') {
        let (text, name) = part.split_at(part.find('{').unwrap_or(part.len()));
        out.extend(utf8_percent_encode(text, UNSAFE));
        out.push_str(name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn texts_of_paths_are_those_of_uris() {
        assert_eq!(encoded("/a b/{x y}-|/é"), "/a%20b/{x y}-%7C/%C3%A9");
        assert_eq!(encoded("/a%20b/{x}:go?k=v"), "/a%20b/{x}:go?k=v");
    }
}
