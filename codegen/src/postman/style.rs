//! A parameter's value in its style. Nothing is percent-encoded here: Postman does that when it sends.

use crate::ir::{Param, Style, Styled};
use json_schema::style;
use serde_json::Value;

/// The pairs of a form, of whose fields these have a style.
pub(super) fn form(value: &Value, styled: &[Styled]) -> Vec<(String, String)> {
    style::form(value, |name| Styled::of(styled, name), str::to_owned)
}

/// The names and values that a parameter writes in a query or a cookie, or a field in a form.
pub(super) fn pairs(name: &str, style: (Style, bool), value: &Value) -> Vec<(String, String)> {
    style::pairs(style, name, value, str::to_owned)
}

/// The one text that a parameter writes in a path or a header.
pub(super) fn one_text(param: &Param, value: &Value) -> String {
    one_text_by(param, value, str::to_owned)
}

/// The same with an encoding.
pub(super) fn one_text_by(param: &Param, value: &Value, encode: impl Fn(&str) -> String) -> String {
    let style = (param.style, param.explode);
    style::one_text(style, &param.field.wire, value, encode)
}
