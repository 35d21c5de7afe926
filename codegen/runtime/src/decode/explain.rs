//! Decodes a value that a schema describes, or names all that is wrong with
//! it.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::decode::check::Check;
use crate::decode::json_single;
use crate::decode::json_text::{self, NotJson};
use crate::decode::replay::Replay;
use json_schema::issue::{Issue, Issues, Place};
use json_schema::validator::Schemas;
use json_schema::validator::report::Report;

/// The value, after all: one that is valid is brought into the form that
/// `serde` wants. Anything else adds to `issues`.
pub(crate) fn explain<T: DeserializeOwned>(
    schemas: &Schemas,
    schema: &str,
    mut value: Value,
    (place, at): (Place, &str),
    issues: &mut Issues,
) -> Option<T> {
    let mut found = Issues::new();
    schemas.validate(schema, &value, place, at, &mut found);
    if found.is_empty() {
        schemas.normalise(schema, &mut value);
        far(&value, &mut Report::to(&mut found, place, at));
        let value = Replay::new(value.into());
        if let Ok(value) = T::deserialize(value) {
            return Some(value);
        }
        if found.is_empty() {
            Report::to(&mut found, place, at)
                .refuse("type", || "is not of the declared type".to_owned());
        }
    }
    found
        .into_vec()
        .into_iter()
        .for_each(|issue| issues.push(issue));
    None
}

/// Names the numbers that no `f64` holds: they are valid, but types of numbers are made of those.
fn far(value: &Value, report: &mut Report<'_>) -> bool {
    match value {
        Value::Number(number) if number.as_f64().is_none() => {
            report.refuse("type", || "must be within the range of a double".to_owned())
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.all(|(index, item)| report.in_item(index, |report| far(item, report)))
        }
        Value::Object(members) => {
            let mut members = members.iter();
            members.all(|(name, member)| report.in_member(name, |report| far(member, report)))
        }
        _ => true,
    }
}

/// The error of JSON that is not a value of its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodeError {
    /// It is not JSON.
    NotJson(NotJson),
    /// It violates the schema: every violation, at most [`Issue::CAP`].
    Invalid(Vec<Issue>),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::NotJson(error) => error.fmt(f),
            DecodeError::Invalid(issues) => {
                for (index, Issue { at, message, .. }) in issues.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "; " };
                    let space = if at.is_empty() { "" } else { " " };
                    write!(f, "{separator}{at}{space}{message}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for DecodeError {}

/// Decodes JSON into a generated type, as a generated service does with bodies: it accepts the values that the
/// schema accepts, and reports all violations of others.
///
/// `schemas` is the `SCHEMAS` of the generated crate, `schema` the name that the type's schema has in the
/// document.
///
/// # Errors
/// When `bytes` are not JSON, or the value violates its schema.
pub fn decode_json<T: DeserializeOwned + Check>(
    schemas: &Schemas,
    schema: &str,
    bytes: &[u8],
) -> Result<T, DecodeError> {
    decode(schemas, bytes, schema, T::is_valid, "")
}

fn decode<T: DeserializeOwned>(
    schemas: &Schemas,
    bytes: &[u8],
    schema: &str,
    valid: fn(&T) -> bool,
    at: &str,
) -> Result<T, DecodeError> {
    if let Ok(value) = json_single::from_slice(bytes)
        && valid(&value)
    {
        return Ok(value);
    }
    let value = json_text::parse(bytes).map_err(DecodeError::NotJson)?;
    let mut issues = Issues::new();
    let explained = explain(schemas, schema, value, (Place::Body, at), &mut issues);
    explained.ok_or_else(|| DecodeError::Invalid(issues.into_vec()))
}

/// A text of JSON that is part of a body; `at` is its JSON pointer.
///
/// # Errors
/// Returns every violation if the text does not match the schema.
#[cfg(feature = "operations")]
pub(crate) fn json<T: DeserializeOwned>(
    schemas: &Schemas,
    bytes: &[u8],
    schema: &str,
    valid: fn(&T) -> bool,
    at: &str,
) -> Result<T, Vec<Issue>> {
    decode(schemas, bytes, schema, valid, at).map_err(|error| match error {
        DecodeError::Invalid(issues) => issues,
        DecodeError::NotJson(NotJson { reason, .. }) => vec![Issue {
            place: Place::Body,
            at: at.to_owned(),
            keyword: "contentMediaType",
            message: reason.to_owned(),
        }],
    })
}
