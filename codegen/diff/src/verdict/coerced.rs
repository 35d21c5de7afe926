//! Changes that do not matter once values are sent as text: any number in a query is a string as well, and no
//! part of a path is empty.

use super::witness::SchemaComparison;
use crate::schema::Finding;
use crate::wire::{Field, ListFormat, WireFormat};
use sample::normal::{AllOf, NormalForm, Normalizer, Type};
use serde_json::Value;

/// Whether every value is sent as a text that is a valid value for the receiver.
pub(super) fn accepts_texts(comparison: SchemaComparison<'_, '_>, finding: &Finding) -> bool {
    let is_text = match comparison.subject.format {
        WireFormat::Json | WireFormat::Bytes => false,
        WireFormat::Text(_) => true,
        WireFormat::Form(sent, _) => sent.around(finding) == Some(Field::Text),
    };
    let schemas = comparison.schemas(finding.pair).filter(|_| is_text);
    let Some((sender, receiver)) = schemas else {
        return false;
    };
    let (sending, receiving) = comparison.forms();
    let (sent, expected) = (sending.of(&sender), receiving.of(&receiver));
    let takes_lists = || {
        let is_text = |ty: &Type| matches!(ty, Type::String | Type::Array);
        sent.types.iter().all(is_text) && takes_lists_of_any_text(receiving, &expected)
    };
    let is_for_empty = |empty: Value, keyword: &str| {
        let least = expected.limit(keyword);
        let is_refused = !(comparison.subject.arrives)(&empty);
        finding.path.is_empty() && least.is_some_and(|least| least <= 1) && is_refused
    };
    match finding.edit.keyword.as_str() {
        "type" if expected.types.contains(&Type::Array) => true,
        "type" => {
            expected.types.contains(&Type::String) && is_one_text(comparison, &sent, &expected)
        }
        "minLength" => takes_lists() || is_for_empty(Value::from(""), "minLength"),
        "minItems" => is_for_empty(Value::Array(Vec::new()), "minItems"),
        "maxLength" | "pattern" | "format" => takes_lists(),
        _ => false,
    }
}

/// Whether a list or an object is sent as one text as well, and any text is accepted.
fn is_one_text(
    comparison: SchemaComparison<'_, '_>,
    sent: &NormalForm<'_>,
    expected: &NormalForm<'_>,
) -> bool {
    let has_parts = |ty: &Type| matches!(ty, Type::Array | Type::Object);
    match comparison.subject.format {
        WireFormat::Text(ListFormat::Joined(_)) => {
            !sent.types.iter().any(has_parts) || is_unconstrained(expected)
        }
        _ => true,
    }
}

fn is_unconstrained(form: &NormalForm<'_>) -> bool {
    form.constraints.is_empty()
        && form.limits.is_empty()
        && form.enumerated.is_none()
        && form.unions.is_empty()
}

/// Whether any text is valid as a one-item list.
fn takes_lists_of_any_text<'a>(forms: &Normalizer<'a>, form: &NormalForm<'a>) -> bool {
    let takes_any = |all: AllOf<'a>| {
        let item = forms.of(&all);
        item.types.contains(&Type::String) && is_unconstrained(&item) && item.opaque.is_empty()
    };
    form.types.contains(&Type::Array)
        && form.limit("minItems").is_none_or(|least| least <= 1)
        && form.limit("maxItems").is_none_or(|most| most > 0)
        && form.unions.is_empty()
        && form.opaque.is_empty()
        && form.item(0).is_none_or(takes_any)
}
