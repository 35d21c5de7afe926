//! A parameter's value in its style. Nothing is percent-encoded here: Postman does that when it sends.

use crate::ir::{Param, Style};
use json_schema::style;
use serde_json::Value;

/// The names and values that a parameter writes in a query or a cookie, or a field in a form.
pub(super) fn pairs(name: &str, style: (Style, bool), value: &Value) -> Vec<(String, String)> {
    style::pairs(style, name, value, str::to_owned)
}

/// The one text that a parameter writes in a path or a header.
pub(super) fn one_text(param: &Param, value: &Value) -> String {
    let style = (param.style, param.explode);
    style::one_text(style, &param.field.wire, value, str::to_owned)
}
