//! A format belongs to the type beside it.

use super::Findings;
use super::subject::{Subject, types};
use serde_json::Value;

/// The formats of numbers, in the OpenAPI format registry.
const OF_NUMBERS: &[&str] = &[
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "double-int",
    "float",
    "double",
    "decimal",
    "decimal128",
    "unixtime",
    "unix-time",
    "timestamp",
];

/// Formats of numbers that texts have too.
const OF_BOTH: &[&str] = &[
    "int64",
    "uint64",
    "decimal",
    "decimal128",
    "double",
    "float",
    "unixtime",
    "unix-time",
    "timestamp",
];

/// The formats of strings in JSON Schema Validation §7.3 and the OpenAPI format registry.
const OF_STRINGS: &[&str] = &[
    "date",
    "date-time",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "byte",
    "binary",
    "base64url",
    "password",
    "char",
    "html",
    "commonmark",
    "media-range",
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        let Some(format) = spot.members.get("format").and_then(Value::as_str) else {
            continue;
        };
        let types = types(spot.members);
        let has = |name: &str| types.contains(&name);
        let number = has("number") || has("integer");
        let fits = types.is_empty()
            || (OF_STRINGS.contains(&format) && has("string"))
            || (OF_NUMBERS.contains(&format) && number)
            || (OF_BOTH.contains(&format) && has("string"));
        let known = OF_STRINGS.contains(&format) || OF_NUMBERS.contains(&format);
        if known && !fits {
            let types = types.join(" or ");
            findings.report(
                &spot.at.child("format"),
                format!("`{format}` is no format of type {types}"),
            );
        }
    }
}
