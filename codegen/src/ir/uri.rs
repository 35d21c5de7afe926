//! Percent-encoding of the paths in a contract (RFC 3986), whose authors often leave it out.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// The characters that are encoded (RFC 3986 §2); not `%`, which begins an encoded one.
const UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'|');

/// A path or path template, percent-encoded without the names of its parameters.
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
    fn paths_are_encoded_as_in_uris() {
        assert_eq!(encoded("/a b/{x y}-|/é"), "/a%20b/{x y}-%7C/%C3%A9");
        assert_eq!(encoded("/a%20b/{x}:go?k=v"), "/a%20b/{x}:go?k=v");
    }
}
