//! Links (OpenAPI 3.1.1, section 4.8.20): from a request and its response to
//! the values of another operation's request.
//!
//! A value is read as the target's service would read it: into the declared
//! type, checked, by the schema where that is needed.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::decode::explain::explain;
use crate::decode::json_text;
use crate::decode::raw_decode;
use crate::encode::encoded::Encoded;
use crate::encode::expression::scalar;
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use json_schema::issue::{Issues, Place};
use json_schema::validator::Schemas;

/// A link that leads nowhere this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkError {
    /// The name of the link in the contract.
    pub link: &'static str,
    /// Why.
    pub cause: Cause,
}

/// Why a link leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The answer is another than the one that has the link.
    OtherAnswer,
    /// The expression names nothing here, or null: a list has no first item,
    /// a page is the last one.
    Nothing(&'static str),
    /// The expression's value is no value of the target's parameter or body.
    Unfit(&'static str),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let link = self.link;
        match self.cause {
            Cause::OtherAnswer => write!(f, "this answer has no link {link}"),
            Cause::Nothing(expression) => write!(f, "link {link}: {expression} names nothing here"),
            Cause::Unfit(expression) => {
                write!(f, "link {link}: {expression} is no value of what it is for")
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// Where a value comes from: a link, and the expression as the contract
/// writes it.
#[derive(Debug, Clone, Copy)]
pub struct LinkSource(pub &'static str, pub &'static str);

impl LinkSource {
    fn because(self, cause: fn(&'static str) -> Cause) -> LinkError {
        LinkError {
            link: self.0,
            cause: cause(self.1),
        }
    }
}

/// The error of an answer that does not have the link.
#[must_use]
pub const fn other_answer(link: &'static str) -> LinkError {
    LinkError {
        link,
        cause: Cause::OtherAnswer,
    }
}

/// A body of JSON.
#[must_use]
pub fn json<T>(body: &Encoded<T>) -> Option<Value> {
    json_text::parse(body.bytes().ok()?).ok()
}

/// A typed value; none where it is null.
#[must_use]
pub fn value<T: Serialize + ?Sized>(value: &T) -> Option<Value> {
    present(serde_json::to_value(value).ok())
}

fn present(value: Option<Value>) -> Option<Value> {
    value.filter(|value| !value.is_null())
}

/// The value that a JSON pointer names within another.
#[must_use]
pub fn within(value: Option<&Value>, pointer: &str) -> Option<Value> {
    value?.pointer(pointer).cloned()
}

/// A value of the contract itself, as JSON.
#[must_use]
pub fn constant(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// One text of several values; none where one of them is no text, number or
/// truth value.
#[must_use]
pub fn joined(parts: &[Option<Value>]) -> Option<Value> {
    let texts = parts.iter().map(|part| scalar(part.as_ref()?));
    let text: Option<String> = texts.collect();
    text.map(Value::String)
}

/// The value of a parameter; null is none, as no text says it.
///
/// # Errors
/// Returns [`LinkError`] if there is no value, or if it does not match the
/// parameter.
pub fn param<T: DeserializeOwned>(
    told: LinkSource,
    value: Option<Value>,
    schema: (&Schemas, &str),
    valid: fn(&T) -> bool,
) -> Result<T, LinkError> {
    let value = present(value).ok_or(told.because(Cause::Nothing))?;
    if let Some(read) = typed(&value, valid) {
        return Ok(read);
    }
    // Parameters are texts: `7` and `"7"` are the same.
    let Some(text) = scalar(&value) else {
        return explained(told, value, schema);
    };
    let raw = Raw::Text(text.into());
    match raw_decode::decode(&raw) {
        Ok(read) if valid(&read) => Ok(read),
        _ => explained(
            told,
            coerce::value(&raw, &schema.0.json_type(schema.1), Objects::AsJson),
            schema,
        ),
    }
}

/// The value of a parameter that may be absent, where the request that it is
/// taken from does not have it either.
///
/// # Errors
/// Returns [`LinkError`] if there is a value that does not match the parameter.
pub fn optional<T: DeserializeOwned>(
    told: LinkSource,
    value: Option<Value>,
    schema: (&Schemas, &str),
    valid: fn(&T) -> bool,
) -> Result<Option<T>, LinkError> {
    match present(value) {
        None => Ok(None),
        value => param(told, value, schema, valid).map(Some),
    }
}

/// A body of JSON, or of a form, or a parameter that is written as JSON.
///
/// # Errors
/// Returns [`LinkError`] if there is no value, or if it does not match the
/// schema.
pub fn body<T: DeserializeOwned>(
    told: LinkSource,
    value: Option<Value>,
    schema: (&Schemas, &str),
    valid: fn(&T) -> bool,
) -> Result<T, LinkError> {
    let value = value.ok_or(told.because(Cause::Nothing))?;
    match typed(&value, valid) {
        Some(read) => Ok(read),
        None => explained(told, value, schema),
    }
}

/// A body of text.
///
/// # Errors
/// Returns [`LinkError`] if there is no value, or if it is a list or an object.
pub fn text(told: LinkSource, value: Option<Value>) -> Result<String, LinkError> {
    let value = present(value).ok_or(told.because(Cause::Nothing))?;
    scalar(&value).ok_or(told.because(Cause::Unfit))
}

/// A default of the contract.
///
/// # Errors
/// Returns [`LinkError`] if the default does not match its type.
pub fn default<T>(told: LinkSource, value: Option<T>) -> Result<T, LinkError> {
    value.ok_or(told.because(Cause::Unfit))
}

fn typed<T: DeserializeOwned>(value: &Value, valid: fn(&T) -> bool) -> Option<T> {
    T::deserialize(value).ok().filter(valid)
}

fn explained<T: DeserializeOwned>(
    told: LinkSource,
    value: Value,
    (schemas, schema): (&Schemas, &str),
) -> Result<T, LinkError> {
    let cause = match value {
        Value::Null => Cause::Nothing,
        _ => Cause::Unfit,
    };
    let read = explain(
        schemas,
        schema,
        value,
        (Place::Body, ""),
        &mut Issues::new(),
    );
    read.ok_or(told.because(cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TOLD: LinkSource = LinkSource("Next", "$response.body#/next");

    fn schemas() -> Schemas {
        Schemas::parse(r#"{"page": {"type": "integer", "minimum": 1}, "text": {"type": "string"}}"#)
    }

    fn page(value: Value) -> Result<i64, Cause> {
        let read = param(TOLD, Some(value), (&schemas(), "page"), |page| *page >= 1);
        read.map_err(|error| error.cause)
    }

    #[test]
    fn parameters_are_read_as_their_service_reads_them() {
        for same in [json!(7), json!("7"), json!(7.0)] {
            assert_eq!(page(same), Ok(7));
        }
        for unfit in [json!(0), json!("0"), json!("x"), json!([7]), json!({})] {
            assert_eq!(page(unfit), Err(Cause::Unfit(TOLD.1)));
        }
        assert_eq!(page(Value::Null), Err(Cause::Nothing(TOLD.1)));
        let null = Some(Value::Null);
        let nullable = |_: &Option<i64>| true;
        let cursor = param(TOLD, null.clone(), (&schemas(), "page"), nullable);
        assert_eq!(cursor.map_err(|it| it.cause), Err(Cause::Nothing(TOLD.1)));
        let cursor = optional(TOLD, null.clone(), (&schemas(), "page"), nullable);
        assert_eq!(cursor, Ok(None));
        let json = body(TOLD, null, (&schemas(), "page"), nullable);
        assert_eq!(json, Ok(None));
        let text = param(TOLD, Some(json!(7)), (&schemas(), "text"), |_: &String| {
            true
        });
        assert_eq!(text.as_deref(), Ok("7"));
    }

    #[test]
    fn what_is_not_there_may_be_left_out_or_not() {
        let (schemas, valid) = (schemas(), |_: &i64| true);
        assert_eq!(optional(TOLD, None, (&schemas, "page"), valid), Ok(None));
        let missing = body(TOLD, None, (&schemas, "page"), valid);
        assert_eq!(missing.map_err(|it| it.cause), Err(Cause::Nothing(TOLD.1)));
        assert_eq!(value(&None::<i64>), None);
        assert_eq!(within(value(&[1]).as_ref(), "/1"), None);
    }

    #[test]
    fn texts_are_joined_of_what_has_a_text() {
        let parts = [constant("\"v\""), value(&2), value(&true)];
        assert_eq!(joined(&parts), Some(json!("v2true")));
        assert_eq!(joined(&[value(&[1])]), None);
        assert_eq!(joined(&[None]), None);
        let unfit = text(TOLD, value(&[1])).map_err(|it| it.to_string());
        let said = "link Next: $response.body#/next is no value of what it is for";
        assert_eq!(unfit, Err(said.to_owned()));
    }
}
