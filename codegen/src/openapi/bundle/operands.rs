//! Checks that the value of each keyword has the type that the keyword requires (JSON Schema 2020-12
//! Core §8 to §10, Validation §6 and §9). A keyword with a wrong value is left out of the bundle, so
//! that later stages cannot misread it; of a list, the wrong items are.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::schema::{JsonType, MESSAGE};
use crate::source::Pointer;
use json_schema::format;
use json_schema::keyword::{Keyword, Operand, Subschemas, subschemas};
use serde_json::Value;
use std::collections::HashSet;

/// The fallback for an operand that cannot be used.
const FALLBACK: &str = "it is ignored";

/// The problem with a schema that is neither an object nor a truth value.
const NO_SCHEMA: &str = "a schema must be an object, or true or false";

/// The usable part of a keyword's operand; the rest is reported.
pub(super) fn usable(
    keyword: &str,
    operand: &Value,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let expected = match keyword {
        "discriminator" => {
            let is_named = operand.get("propertyName").is_some_and(Value::is_string);
            (!is_named).then_some("an object with `propertyName`")
        }
        MESSAGE => (!operand.is_string()).then_some("a string"),
        _ => wanted(keyword, operand),
    };
    if let Some(expected) = expected {
        diagnostics.recover(wrong(keyword, at, expected), FALLBACK);
        return None;
    }
    if subschemas(keyword) == Subschemas::One && !is_schema(operand) {
        diagnostics.recover(
            Diagnostic::new(Code::InvalidOperand, at, NO_SCHEMA),
            FALLBACK,
        );
        return None;
    }
    if let Some(message) = problem_of_text(keyword, operand) {
        diagnostics.recover(
            Diagnostic::new(Code::InvalidOperand, at, message),
            "it is kept as it is",
        );
    }
    match (keyword, operand) {
        ("type", _) => types(operand, at, diagnostics),
        ("required", Value::Array(names)) => Some(texts(names, at, diagnostics)),
        _ => Some(operand.clone()),
    }
}

/// Reports a schema that is neither an object nor a truth value; any value is taken instead.
pub(super) fn no_schema(at: &Pointer, diagnostics: &mut Diagnostics) -> Value {
    diagnostics.recover(
        Diagnostic::new(Code::InvalidOperand, at, NO_SCHEMA),
        "any value is taken",
    );
    Value::Bool(true)
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// The expected type of an operand that has another. Operands of annotations are not checked, but
/// for texts.
fn wanted(keyword: &str, operand: &Value) -> Option<&'static str> {
    let (right, expected) = match (keyword, Keyword::named(keyword)?.operand) {
        // OpenAPI 3.0 has truth values there.
        ("exclusiveMinimum" | "exclusiveMaximum", _) => {
            (operand.is_number() || operand.is_boolean(), "a number")
        }
        ("definitions" | "$defs" | "deprecated" | "readOnly" | "writeOnly" | "examples", _) => {
            return None;
        }
        (_, Operand::Text) => (operand.is_string(), "a string"),
        (_, Operand::Values | Operand::Texts) => (operand.is_array(), "an array"),
        (_, Operand::Schemas) => (
            operand.as_array().is_some_and(|all| !all.is_empty()),
            "an array of at least one schema",
        ),
        (_, Operand::SchemasByName) => (operand.is_object(), "an object"),
        (_, Operand::TextsByName) => (
            operand
                .as_object()
                .is_some_and(|all| all.values().all(is_texts)),
            "an object of arrays of strings",
        ),
        (_, Operand::Count) => (is_count(operand), "a whole number of at least 0"),
        (_, Operand::Positive) => (is_positive(operand), "a number above 0"),
        (_, Operand::Number) => (operand.is_number(), "a number"),
        (_, Operand::Flag) => (operand.is_boolean(), "true or false"),
        (_, Operand::Any | Operand::Types | Operand::Schema | Operand::FlagsByName) => return None,
    };
    (!right).then_some(expected)
}

fn wrong(keyword: &str, at: &Pointer, expected: &str) -> Diagnostic {
    let message = format!("expected {expected}");
    let problem = Diagnostic::new(Code::InvalidOperand, at, message);
    if keyword == "required" {
        let help = "an object lists the members that it must have: `required: [name]`";
        return problem.help(help);
    }
    problem
}

fn is_count(operand: &Value) -> bool {
    let whole = |number: f64| number >= 0.0 && number.fract() == 0.0;
    operand.is_u64() || operand.as_f64().is_some_and(whole)
}

/// Decided by the digits: a number may be smaller than any `f64`.
fn is_positive(operand: &Value) -> bool {
    let text = operand.to_string();
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    operand.is_number() && !text.starts_with('-') && digits.contains(|c| matches!(c, '1'..='9'))
}

fn is_texts(operand: &Value) -> bool {
    let items = operand.as_array();
    items.is_some_and(|items| items.iter().all(Value::is_string))
}

/// The problem of the text of a keyword that identifies a schema, as a message (Core §8.1.1, §8.2.1 and §8.2.2).
fn problem_of_text(keyword: &str, operand: &Value) -> Option<&'static str> {
    let text = operand.as_str()?;
    let mut letters = text.chars();
    let is_anchor = |first: char| first.is_ascii_alphabetic() || first == '_';
    let is_rest = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    match keyword {
        "$schema" if !format::is_valid("uri", text) => Some("a dialect must be a URI"),
        "$id" if !format::is_valid("uri-reference", text) => Some("an identifier must be a URI"),
        "$id"
            if text
                .split_once('#')
                .is_some_and(|(_, fragment)| !fragment.is_empty()) =>
        {
            Some("an identifier must have no fragment, which `$anchor` is for")
        }
        "$anchor" | "$dynamicAnchor"
            if !letters.next().is_some_and(is_anchor) || !letters.all(is_rest) =>
        {
            Some(
                "an anchor must consist of letters, digits, `-`, `.` and `_`, and begin with a letter or `_`",
            )
        }
        _ => None,
    }
}

/// The strings of a list.
fn texts(items: &[Value], at: &Pointer, diagnostics: &mut Diagnostics) -> Value {
    let mut listed = HashSet::new();
    if let Some(index) = items.iter().position(|item| !listed.insert(item)) {
        let at = at.child(index.to_string());
        let problem = Diagnostic::new(
            Code::InvalidOperand,
            &at,
            "this name must not be listed twice",
        );
        diagnostics.recover(problem, "it counts once");
    }
    let known = items.iter().filter(|item| {
        if !item.is_string() {
            diagnostics.recover(
                Diagnostic::new(Code::InvalidOperand, at, "expected a string"),
                FALLBACK,
            );
        }
        item.is_string()
    });
    known.cloned().collect()
}

/// The value of `type`, with `null` as a name, which YAML does not read as one.
fn types(operand: &Value, at: &Pointer, diagnostics: &mut Diagnostics) -> Option<Value> {
    let mut named = |operand: &Value| -> Option<Value> {
        if operand.is_null() {
            let message = "the type null must be written as a string";
            let fallback = "null is taken for \"null\"";
            diagnostics.recover(Diagnostic::new(Code::InvalidOperand, at, message), fallback);
            return Some("null".into());
        }
        if operand.as_str().and_then(JsonType::named).is_none() {
            let expected =
                "null, boolean, integer, number, string, array, object or a list of them";
            diagnostics.recover(wrong("type", at, expected), FALLBACK);
            return None;
        }
        Some(operand.clone())
    };
    match operand {
        Value::Array(types) if types.is_empty() => {
            diagnostics.recover(wrong("type", at, "at least one type"), FALLBACK);
            None
        }
        Value::Array(types) => {
            let known: Vec<Value> = types.iter().filter_map(named).collect();
            (!known.is_empty()).then(|| Value::Array(known))
        }
        one => named(one),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The usable part of an operand, and the number of problems reported.
    fn used(keyword: &str, operand: Value) -> (Option<Value>, usize) {
        let mut diagnostics = Diagnostics::lenient();
        let left = usable(keyword, &operand, &Pointer::default(), &mut diagnostics);
        (left, diagnostics.iter().count())
    }

    #[test]
    fn valid_operands_are_kept() {
        for (keyword, operand) in [
            ("type", json!(["string", "null"])),
            ("type", json!("object")),
            ("required", json!(["a"])),
            ("maxLength", json!(3.0)),
            ("exclusiveMinimum", json!(true)),
            ("dependentRequired", json!({ "a": ["b"] })),
            ("x-own", json!(null)),
            ("default", json!(null)),
        ] {
            assert_eq!(
                used(keyword, operand.clone()),
                (Some(operand), 0),
                "{keyword}"
            );
        }
    }

    #[test]
    fn invalid_operands_are_left_out() {
        for (keyword, operand) in [
            ("type", json!({ "type": "string" })),
            ("type", json!(["text"])),
            ("type", json!([])),
            ("oneOf", json!([])),
            ("prefixItems", json!([])),
            ("required", json!(true)),
            ("maxLength", json!(-1)),
            ("maxLength", json!(1.5)),
            ("minimum", json!("1")),
            ("multipleOf", json!(0)),
            ("multipleOf", json!(-0.5)),
            ("$anchor", json!(3)),
            ("contentEncoding", json!([])),
            ("pattern", json!(0)),
            ("properties", json!(null)),
            ("uniqueItems", json!("true")),
            ("not", json!(null)),
            ("items", json!([true])),
            ("dependentRequired", json!({ "a": "b" })),
            ("discriminator", json!("kind")),
        ] {
            assert_eq!(used(keyword, operand), (None, 1), "{keyword}");
        }
    }

    #[test]
    fn only_the_invalid_items_of_lists_are_left_out() {
        assert_eq!(used("required", json!(["a", 1])), (Some(json!(["a"])), 1));
        let types = used("type", json!(["text", "string", null]));
        assert_eq!(types, (Some(json!(["string", "null"])), 2));
    }
}
