//! The table of `format` values that are asserted on strings.
//!
//! A format is asserted where the Rust type of a value implies it or a client
//! would be misled otherwise; every other format is an annotation, as JSON
//! Schema 2020-12 (Validation, §7) has it by default. Formats of numbers are
//! ranges; see [`integer_range`].

mod network;
mod time;

use std::borrow::Cow;

/// Whether `text` is of the format. A format that is not in the table accepts
/// every text.
#[must_use]
pub fn is_valid(format: &str, text: &str) -> bool {
    match format {
        "uuid" => is_uuid(text),
        "date" => time::is_date(text),
        "date-time" => time::is_date_time(text),
        "time" => time::is_time(text),
        "duration" => time::is_duration(text),
        "uri" => network::is_uri(text),
        "uri-reference" => network::is_uri_reference(text),
        "ipv4" => network::is_ipv4(text),
        "ipv6" => network::is_ipv6(text),
        "byte" => is_base64(text),
        "decimal" => is_decimal(text),
        _ => true,
    }
}

/// Whether there is anything to know of the format: a form of texts, or a
/// range of integers.
#[must_use]
pub fn is_known(format: &str) -> bool {
    const TEXTS: [&str; 11] = [
        "uuid",
        "date",
        "date-time",
        "time",
        "duration",
        "uri",
        "uri-reference",
        "ipv4",
        "ipv6",
        "byte",
        "decimal",
    ];
    TEXTS.contains(&format) || integer_range(format).is_some()
}

/// What a text of an asserted format is called in a message.
#[must_use]
pub fn noun(format: &str) -> Cow<'static, str> {
    let known = match format {
        "uuid" => "a UUID (RFC 9562)",
        "date" => "a date (RFC 3339 full-date)",
        "date-time" => "a date and time (RFC 3339)",
        "time" => "a time of day with an offset (RFC 3339 full-time)",
        "duration" => "a duration (RFC 3339, appendix A)",
        "uri" => "an absolute URI (RFC 3986)",
        "uri-reference" => "a URI or a relative reference (RFC 3986)",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "byte" => "base64 (RFC 4648, section 4)",
        "decimal" => "a decimal number",
        _ => return format!("of the format `{format}`").into(),
    };
    known.into()
}

/// The range of an integer format; `None` for a format that bounds nothing.
#[must_use]
pub fn integer_range(format: &str) -> Option<(i128, i128)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" => (0, u64::MAX.into()),
        _ => return None,
    })
}

/// RFC 9562, section 4: 8-4-4-4-12 hexadecimal digits.
#[must_use]
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// RFC 4648, section 4: the standard alphabet, padded, without line breaks.
#[must_use]
pub fn is_base64(text: &str) -> bool {
    let data = text.trim_end_matches('=');
    let padding = text.len() - data.len();
    text.len().is_multiple_of(4)
        && padding <= 2
        && data
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// Digits with a fraction or without, and perhaps a sign: `-1`, `007.50`. No
/// exponent, and no separators (OpenAPI format registry, `decimal`).
#[must_use]
pub fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    number(whole) && number(fraction)
}
