//! Addresses and URIs.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Dotted decimal without leading zeros (RFC 2673, section 3.2).
#[must_use]
pub(super) fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// RFC 4291, section 2.2, without a zone.
#[must_use]
pub(super) fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// RFC 3986: an absolute URI, scheme included, fragment allowed.
#[must_use]
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = match hierarchy.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", hierarchy),
    };
    is_scheme(scheme)
        && is_authority(authority)
        && is_made_of(path, "/:@")
        && is_made_of(query, "/:@?")
        && is_made_of(fragment, "/:@?")
}

/// RFC 3986, section 4.1: a URI, or a reference that is relative to one.
#[must_use]
pub(super) fn is_uri_reference(text: &str) -> bool {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    match text.split_at(end) {
        // A colon in the first segment would end a scheme.
        (first, _) if first.contains(':') => is_uri(text),
        // With a scheme in front it is a URI, and no relative reference is one without that is not.
        _ => is_uri(&format!("a:{text}")),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (name, port) = match host.strip_prefix('[') {
        Some(literal) => {
            let Some((address, port)) = literal.split_once(']') else {
                return false;
            };
            let future = address.starts_with(['v', 'V']) && is_made_of(address, ":");
            if !is_ipv6(address) && !future {
                return false;
            }
            ("", port.strip_prefix(':').unwrap_or(port))
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    is_made_of(user, ":") && is_made_of(name, "") && port.bytes().all(|b| b.is_ascii_digit())
}

/// Unreserved characters, sub-delimiters, percent-encoded octets and `extra`.
fn is_made_of(text: &str, extra: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let allowed = match byte {
            b'%' => {
                let mut hex = || bytes.next().is_some_and(|b| b.is_ascii_hexdigit());
                hex() && hex()
            }
            _ => {
                byte.is_ascii_alphanumeric()
                    || b"-._~!$&'()*+,;=".contains(&byte)
                    || extra.as_bytes().contains(&byte)
            }
        };
        if !allowed {
            return false;
        }
    }
    true
}
