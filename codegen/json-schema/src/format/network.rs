//! Addresses and URIs.

use std::net::{Ipv4Addr, Ipv6Addr};

use fluent_uri::{Uri, UriRef};

/// Dotted decimal without leading zeros (RFC 2673, section 3.2).
pub(super) fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// RFC 4291, section 2.2, without a zone.
pub(super) fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// RFC 3986: an absolute URI, scheme included, fragment allowed.
pub(super) fn is_uri(text: &str) -> bool {
    Uri::parse(text).is_ok()
}

/// RFC 3986, section 4.1: a URI, or a reference that is relative to one.
pub(super) fn is_uri_reference(text: &str) -> bool {
    UriRef::parse(text).is_ok()
}
