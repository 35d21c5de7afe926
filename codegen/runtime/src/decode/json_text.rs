//! Bytes that should be JSON, when the typed decode refused them.

use serde::de::DeserializeSeed;
use serde_json::Value;
use serde_json::error::Category;

use crate::http::rejection::Rejection;
use json_schema::json::{self, Any, REPEATED, RESERVED_NAME};

/// The value of a JSON text (RFC 8259) in which no object has a member twice
/// or with a reserved name.
///
/// # Errors
/// Returns [`Rejection::Json`], with the position and the reason, if `bytes`
/// are not such a text.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, Rejection> {
    let text = std::str::from_utf8(bytes).map_err(|_| Rejection::Json {
        reason: "is not UTF-8",
        line: 0,
        column: 0,
    })?;
    if json::has_reserved_name(text) {
        return Err(Rejection::Json {
            reason: RESERVED_NAME,
            line: 0,
            column: 0,
        });
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Any.deserialize(&mut reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| Rejection::Json {
        reason: reason(&error),
        line: error.line(),
        column: error.column(),
    })
}

fn reason(error: &serde_json::Error) -> &'static str {
    let said = error.to_string();
    match error.classify() {
        Category::Eof => "ends too early",
        _ if said.starts_with("recursion limit") => "is nested too deeply",
        _ if said.starts_with("number out of range") => "has a number beyond the range of a double",
        _ if said.starts_with(REPEATED) => REPEATED,
        _ if said.starts_with("trailing characters") => "goes on after the value",
        _ => "is not JSON",
    }
}
