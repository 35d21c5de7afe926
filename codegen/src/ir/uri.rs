//! Percent-encoding of the paths and values in a contract's URLs (RFC 3986), which authors often leave out, and
//! absolute URLs of servers.

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that are encoded in a path (RFC 3986 §2); not `%`, which begins an encoded one.
const NOT_IN_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'|');

/// A path or path template, percent-encoded, except the names of its parameters in braces.
pub(crate) fn encoded(template: &str) -> String {
    let mut out = String::new();
    for part in template.split_inclusive('}') {
        let (text, name) = part.split_at(part.find('{').unwrap_or(part.len()));
        out.extend(utf8_percent_encode(text, NOT_IN_PATH));
        out.push_str(name);
    }
    out
}

/// The characters that are encoded in a value: all but the unreserved ones (RFC 3986 §2.3).
const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A value, percent-encoded so that it is one segment of a path, or one name or value of a query.
pub(crate) fn encoded_value(text: &str) -> String {
    utf8_percent_encode(text, NOT_UNRESERVED).to_string()
}

/// The characters between the parameters of a template's segment, which end their values: inside a value they are
/// encoded. None where the segment has one parameter.
pub(crate) fn separators(segment: &str) -> String {
    let literals = segment.split('{').skip(1);
    let literals: Vec<&str> = literals
        .filter_map(|part| Some(part.split_once('}')?.1))
        .collect();
    let between = literals.split_last().map(|(_, between)| between.concat());
    between.unwrap_or_default()
}

/// The segment of a path template that has a parameter.
pub(crate) fn segment_of<'t>(template: &'t str, parameter: &str) -> &'t str {
    let hole = format!("{{{parameter}}}");
    let mut segments = template.split('/');
    let own = segments.find(|segment| segment.contains(&hole));
    own.unwrap_or_default()
}

/// A text in which these characters are percent-encoded, and any other one by `encode`.
pub(crate) fn escaped(text: &str, chars: &str, encode: impl Fn(&str) -> String) -> String {
    let written = text
        .chars()
        .map(|c| match c.is_ascii() && chars.contains(c) {
            true => format!("%{:02X}", u32::from(c)),
            false => encode(c.encode_utf8(&mut [0; 4])),
        });
    written.collect()
}

/// The server of a contract that names none, to which the relative URLs of others are resolved.
pub(crate) const DEFAULT_SERVER: &str = "http://127.0.0.1:8080";

/// A server's URL without a slash at its end; a relative one is resolved against [`DEFAULT_SERVER`] (RFC 3986 §5.2).
pub(crate) fn absolute(url: &str) -> String {
    let url = url.trim_end_matches('/');
    if url.contains("://") || url.starts_with("{{") {
        return url.to_owned();
    }
    if url.starts_with("//") {
        return format!("https:{url}");
    }
    let mut segments: Vec<&str> = Vec::new();
    for segment in url.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            _ => segments.push(segment),
        }
    }
    let paths = segments.iter().map(|segment| format!("/{segment}"));
    std::iter::once(DEFAULT_SERVER.to_owned())
        .chain(paths)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{absolute, encoded, encoded_value, escaped, segment_of, separators};

    #[test]
    fn paths_are_encoded_as_in_uris() {
        assert_eq!(encoded("/a b/{x y}-|/é"), "/a%20b/{x y}-%7C/%C3%A9");
        assert_eq!(encoded("/a%20b/{x}:go?k=v"), "/a%20b/{x}:go?k=v");
    }

    #[test]
    fn a_value_is_one_segment() {
        assert_eq!(encoded_value("a/b?c=%~-._"), "a%2Fb%3Fc%3D%25~-._");
    }

    #[test]
    fn a_character_that_ends_a_value_is_encoded_in_it() {
        let segment = segment_of("/a-b/{x}/{from}-{to}.json", "to");
        assert_eq!(segment, "{from}-{to}.json");
        assert_eq!(separators(segment), "-");
        assert_eq!(separators("{x}.json"), "");
        assert_eq!(escaped("1-é.", "-", encoded_value), "1%2D%C3%A9.");
    }

    #[test]
    fn urls_of_servers_are_absolute_and_keep_the_names_in_their_paths() {
        for (url, expected) in [
            ("", "http://127.0.0.1:8080"),
            ("/", "http://127.0.0.1:8080"),
            ("./", "http://127.0.0.1:8080"),
            ("v1", "http://127.0.0.1:8080/v1"),
            ("/v1/", "http://127.0.0.1:8080/v1"),
            ("../v1", "http://127.0.0.1:8080/v1"),
            ("./a/../v1", "http://127.0.0.1:8080/v1"),
            ("/.well-known/api", "http://127.0.0.1:8080/.well-known/api"),
            ("..api/v1", "http://127.0.0.1:8080/..api/v1"),
            ("//example.org/v1/", "https://example.org/v1"),
            ("https://example.org/", "https://example.org"),
            ("{{baseUrl}}/v1", "{{baseUrl}}/v1"),
        ] {
            assert_eq!(absolute(url), expected, "{url}");
        }
    }
}
