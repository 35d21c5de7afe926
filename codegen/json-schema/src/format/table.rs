//! The table of formats: those of JSON Schema (2020-12 Validation, section 7.3)
//! and of the OpenAPI format registry, and two that are widely written.

use super::{Format, Length, is_base64, is_decimal, is_uuid, network, time};
use crate::types::Types;

const TEXT: Types = Types::STRING;
const NUMBER: Types = Types::NUMBER;
/// Numbers that are often sent as texts, so that they keep all their digits.
const BOTH: Types = NUMBER.union(TEXT);

/// The formats; those that are checked come first, because they are looked up
/// for each text.
#[rustfmt::skip]
pub(super) const FORMATS: &[Format] = &[
    Format::new("uuid", TEXT)
        .checked(is_uuid, "a UUID (RFC 9562)")
        .length(Length::Within(36, 36))
        .samples(&["01890a5d-ac96-774b-bcce-b302099a8057", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"]),
    Format::new("date-time", TEXT)
        .checked(time::is_date_time, "a date and time (RFC 3339)")
        .length(Length::Short)
        .samples(&["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00Z"]),
    Format::new("date", TEXT)
        .checked(time::is_date, "a date (RFC 3339 full-date)")
        .length(Length::Within(10, 10))
        .samples(&["2026-01-31", "2025-12-01"]),
    Format::new("time", TEXT)
        .checked(time::is_time, "a time of day with an offset (RFC 3339 full-time)")
        .length(Length::Short)
        .samples(&["12:00:00Z"]),
    Format::new("duration", TEXT)
        .checked(time::is_duration, "a duration (RFC 3339, appendix A)")
        .samples(&["P1D", "PT5M"]),
    Format::new("uri", TEXT)
        .checked(network::is_uri, "an absolute URI (RFC 3986)")
        .samples(URIS),
    Format::new("uri-reference", TEXT)
        .checked(network::is_uri_reference, "a URI or a relative reference (RFC 3986)")
        .samples(URI_REFERENCES),
    Format::new("ipv4", TEXT)
        .checked(network::is_ipv4, "an IPv4 address")
        .length(Length::Within(7, 15))
        .samples(&["192.0.2.1"]),
    Format::new("ipv6", TEXT)
        .checked(network::is_ipv6, "an IPv6 address")
        .length(Length::Within(2, 45))
        .samples(&["2001:db8::1"]),
    Format::new("byte", TEXT)
        .checked(is_base64, "base64 (RFC 4648, section 4)")
        .samples(BASE64),
    Format::new("decimal", BOTH)
        .checked(is_decimal, "a decimal number")
        .samples(&["1.5", "0"]),

    Format::new("int8", NUMBER).range(i8::MIN as i128, i8::MAX as i128),
    Format::new("int16", NUMBER).range(i16::MIN as i128, i16::MAX as i128),
    Format::new("int32", NUMBER).range(i32::MIN as i128, i32::MAX as i128),
    Format::new("int64", BOTH).range(i64::MIN as i128, i64::MAX as i128),
    Format::new("uint8", NUMBER).range(0, u8::MAX as i128),
    Format::new("uint16", NUMBER).range(0, u16::MAX as i128),
    Format::new("uint32", NUMBER).range(0, u32::MAX as i128),
    Format::new("uint64", BOTH).range(0, u64::MAX as i128),

    Format::new("double-int", NUMBER),
    Format::new("float", BOTH),
    Format::new("double", BOTH),
    Format::new("decimal128", BOTH),
    Format::new("unixtime", BOTH),
    Format::new("unix-time", BOTH),
    Format::new("timestamp", BOTH),

    Format::new("email", TEXT).samples(EMAILS),
    Format::new("idn-email", TEXT).samples(EMAILS),
    Format::new("hostname", TEXT).samples(HOSTS),
    Format::new("idn-hostname", TEXT).samples(HOSTS),
    Format::new("iri", TEXT).samples(URIS),
    Format::new("iri-reference", TEXT).samples(URI_REFERENCES),
    Format::new("uri-template", TEXT),
    Format::new("json-pointer", TEXT).samples(&["/a", ""]),
    Format::new("relative-json-pointer", TEXT),
    Format::new("regex", TEXT).samples(&["^a$"]),
    Format::new("binary", TEXT),
    Format::new("base64url", TEXT),
    Format::new("password", TEXT),
    Format::new("char", TEXT),
    Format::new("html", TEXT),
    Format::new("commonmark", TEXT),
    Format::new("media-range", TEXT),

    // Of no registry, so that no type is theirs.
    Format::new("url", Types::ALL).samples(URIS),
    Format::new("base64", Types::ALL).samples(BASE64),
];

const URIS: &[&str] = &["https://example.org/a", "urn:example:a"];
const URI_REFERENCES: &[&str] = &["/a", "https://example.org/a"];
const EMAILS: &[&str] = &["someone@example.org", "a@b.example"];
const HOSTS: &[&str] = &["example.org"];
const BASE64: &[&str] = &["YWJj", "YQ==", ""];
