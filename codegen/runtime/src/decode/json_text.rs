//! Bytes that should be JSON, when the typed decode refused them.

use std::fmt;

use serde::de::DeserializeSeed;
use serde_json::Value;
use serde_json::error::Category;

use json_schema::json::{self, Any, REPEATED, RESERVED_NAME};

/// The error of bytes that are not JSON, or in which an object repeats a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotJson {
    /// The reason, as a predicate without a subject.
    pub reason: &'static str,
    /// The line, from 1; 0 where the location is unknown.
    pub line: usize,
    /// The column in bytes, from 1; 0 where the location is unknown.
    pub column: usize,
}

impl NotJson {
    const fn without_location(reason: &'static str) -> NotJson {
        NotJson {
            reason,
            line: 0,
            column: 0,
        }
    }
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotJson {
            reason,
            line,
            column,
        } = self;
        match line {
            0 => f.write_str(reason),
            _ => write!(f, "{reason} (line {line}, column {column})"),
        }
    }
}

impl std::error::Error for NotJson {}

/// Parses JSON (RFC 8259) in which no object has a property twice or with a reserved name.
///
/// # Errors
/// Returns the location and the reason if `bytes` are not such JSON.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, NotJson> {
    let text = std::str::from_utf8(bytes).map_err(|_| NotJson::without_location("is not UTF-8"))?;
    if json::has_reserved_name(text) {
        return Err(NotJson::without_location(RESERVED_NAME));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Any.deserialize(&mut reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| NotJson {
        reason: reason(&error),
        line: error.line(),
        column: error.column(),
    })
}

fn reason(error: &serde_json::Error) -> &'static str {
    let said = error.to_string();
    match error.classify() {
        Category::Eof => "ends unexpectedly",
        _ if said.starts_with("recursion limit") => "is nested too deeply",
        _ if said.starts_with("number out of range") => "has a number out of range",
        _ if said.starts_with(REPEATED) => REPEATED,
        _ if said.starts_with("trailing characters") => "has trailing characters",
        _ => "is not JSON",
    }
}
