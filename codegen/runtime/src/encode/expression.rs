//! The values of runtime expressions, of which the URLs of callbacks are made
//! (OpenAPI 3.1.1, section 4.8.20.4).

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::encode::param_write::encode;

/// An expression that names nothing, or something that is no text in a URL:
/// null, a list or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unresolved {
    /// As the contract writes it.
    pub expression: &'static str,
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no text here", self.expression)
    }
}

impl std::error::Error for Unresolved {}

/// The text of the value that `pointer` names within another.
///
/// # Errors
/// Returns [`Unresolved`] if `pointer` names nothing, or a value that has no
/// text.
pub fn text<T: Serialize + ?Sized>(
    expression: &'static str,
    value: &T,
    pointer: &str,
) -> Result<String, Unresolved> {
    let value = serde_json::to_value(value).ok();
    let found = value.as_ref().and_then(|value| value.pointer(pointer));
    found.and_then(scalar).ok_or(Unresolved { expression })
}

/// The text of a value that is one, or a number or a truth value.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The same as [`text`], percent-encoded: it cannot become more of the URL than
/// its place.
///
/// # Errors
/// Returns the errors of [`text`].
pub fn part<T: Serialize + ?Sized>(
    expression: &'static str,
    value: &T,
    pointer: &str,
) -> Result<String, Unresolved> {
    text(expression, value, pointer).map(|text| encode(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_texts_and_nothing_else() {
        let body = json!({ "a": { "b/c": ["x y", 7, null] } });
        let at = |pointer| text("$request.body", &body, pointer).ok();
        assert_eq!(at("/a/b~1c/0").as_deref(), Some("x y"));
        assert_eq!(at("/a/b~1c/1").as_deref(), Some("7"));
        for nothing in ["", "/a", "/a/b~1c/2", "/z"] {
            assert_eq!(at(nothing), None, "{nothing}");
        }
        assert_eq!(part("$url", "a/b?", "").as_deref(), Ok("a%2Fb%3F"));
    }
}
