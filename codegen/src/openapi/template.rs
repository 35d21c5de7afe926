//! Templates, which are texts with names between braces: paths (OpenAPI 3.2.0 §4.8.2) and URLs of servers
//! (§4.5.1).

/// The problem of a path outside of its braces, as a message: segments consist of `pchar` (RFC 3986 §3.3).
pub(super) fn problem_of_path(path: &str) -> Option<String> {
    let is_plain = |c: char| is_unreserved(c) || "!$&'()*+,;=:@/".contains(c);
    problem(path, is_plain)
}

/// The problem of a server's URL outside of its braces, as a message: it consists of the literals of RFC 6570
/// §2.1.
pub(super) fn problem_of_url(url: &str) -> Option<String> {
    if url.is_empty() {
        return Some("the URL of a server must not be empty".to_owned());
    }
    // RFC 6570 has no apostrophe (erratum 6937), which URLs may have.
    let is_plain = |c: char| match c.is_ascii() {
        true => c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c),
        false => !c.is_control(),
    };
    problem(url, is_plain)
}

fn is_unreserved(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~')
}

/// The first problem of a template, as a message; `is_plain` tells which characters need no encoding.
fn problem(template: &str, is_plain: impl Fn(char) -> bool) -> Option<String> {
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '{' => match after.split_once('}') {
                Some((name, after)) if !name.is_empty() && !name.contains('{') => after,
                _ => return Some("braces must enclose a name".to_owned()),
            },
            '%' => match after.get(..2) {
                Some(digits) if digits.chars().all(|c| c.is_ascii_hexdigit()) => {
                    after.get(2..).unwrap_or_default()
                }
                _ => return Some("`%` must be followed by two hexadecimal digits".to_owned()),
            },
            _ if is_plain(c) => after,
            '?' | '#' => return Some("a path must have neither a query nor a fragment".to_owned()),
            _ => return Some(format!("`{c}` must be percent-encoded")),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{problem_of_path, problem_of_url};

    #[test]
    fn templates_are_of_the_characters_of_their_place() {
        for path in [
            "/",
            "/a/{b c}.json",
            "/%C3%A4/{a}:cancel",
            "//",
            "/a;b=(c)@d",
        ] {
            assert_eq!(problem_of_path(path), None, "{path}");
        }
        for path in [
            "/a b", "/ä", "/%zz", "/%", "/{", "/{}", "/a}", "/a?b", "/a#b", "/a|b",
        ] {
            assert!(problem_of_path(path).is_some(), "{path}");
        }
        for url in [
            "/",
            "https://{a}.example:{port}/b'c",
            "https://ö.example",
            ".",
            "{url}",
        ] {
            assert_eq!(problem_of_url(url), None, "{url}");
        }
        for url in ["", "https://<host>", "/a b", "/%zz", "/{}", "/{a", "/a|b"] {
            assert!(problem_of_url(url).is_some(), "{url}");
        }
    }
}
