//! URLs of a contract (RFC 3986): their percent-encoding, which authors often leave out, and their hosts.

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

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

/// The characters of a value that are encoded: all but the unreserved ones (RFC 3986 §2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A value, percent-encoded so that it is one segment of a path, or one name or value of a query.
pub(crate) fn encoded_value(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// The server for a contract that names none, or a relative one.
pub(crate) const LOCAL: &str = "http://127.0.0.1:8080";

/// A URL without a slash at its end; a relative one is completed by the local host.
pub(crate) fn absolute(url: &str) -> String {
    let url = url.trim_end_matches('/');
    if url.contains("://") || url.starts_with("{{") {
        return url.to_owned();
    }
    if url.starts_with("//") {
        return format!("https:{url}");
    }
    match url.trim_start_matches(['.', '/']) {
        "" => LOCAL.to_owned(),
        path => format!("{LOCAL}/{path}"),
    }
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
