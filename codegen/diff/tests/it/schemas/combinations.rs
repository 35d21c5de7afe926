//! Schemas that are made of others: `allOf`, `anyOf`, `oneOf`, `not` and conditions.

use super::Case;
use crate::contract::{compare, request};

/// Pairs of schemas of which the second accepts less.
pub(super) const NARROWED: &[Case] = &[
    (
        "not",
        "{ type: string }",
        "{ type: string, not: { const: admin } }",
    ),
    (
        "if",
        "{ type: object, properties: { kind: { type: string }, a: {} } }",
        "{ type: object, properties: { kind: { type: string }, a: {} }, if: { properties: { kind: { const: x } }, required: [kind] }, then: { required: [a] } }",
    ),
    (
        "variant",
        "{ oneOf: [{ type: object, required: [k], properties: { k: { const: a } } }, { type: object, required: [k], properties: { k: { const: b } } }] }",
        "{ oneOf: [{ type: object, required: [k], properties: { k: { const: a } } }] }",
    ),
    (
        "variant",
        "{ anyOf: [{ type: object, required: [a] }, { type: object, required: [b] }, { type: object, required: [c] }] }",
        "{ anyOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }",
    ),
    (
        "maxLength",
        "{ oneOf: [{ type: object, required: [k], properties: { k: { const: a }, v: { type: string } } }, { type: object, required: [k], properties: { k: { const: b } } }] }",
        "{ oneOf: [{ type: object, required: [k], properties: { k: { const: b } } }, { type: object, required: [k], properties: { k: { const: a }, v: { type: string, maxLength: 3 } } }] }",
    ),
    (
        "required",
        "{ anyOf: [{ type: object, required: [a], properties: { a: {} } }, { type: object, required: [b], properties: { b: {} } }] }",
        "{ anyOf: [{ type: object, required: [b, d], properties: { b: {} } }, { type: object, required: [a, c], properties: { a: {} } }] }",
    ),
    (
        "minimum",
        "{ allOf: [{ type: object, required: [a], properties: { a: { type: integer } } }, { properties: { b: { type: string } } }] }",
        "{ allOf: [{ type: object, required: [a], properties: { a: { type: integer, minimum: 3 } } }, { properties: { b: { type: string } } }] }",
    ),
];

/// Variants without a name, by the members that they require.
fn variants(required: [&str; 2]) -> serde_json::Value {
    let [one, other] = required;
    let variant = |members| format!("{{ type: object, required: [{members}] }}");
    request(&format!(
        "{{ anyOf: [{}, {}] }}",
        variant(one),
        variant(other)
    ))
}

#[test]
fn a_variant_without_a_name_is_known_by_half_of_its_members() {
    let told = |before, after| -> Vec<String> {
        let report = compare(&variants(before), &variants(after));
        let mut kinds: Vec<_> = report
            .changes
            .iter()
            .map(|change| change.kind.clone())
            .collect();
        kinds.sort();
        kinds
    };
    let changed = told(["a, b, c", "d, e, f"], ["d, e, g", "a, b, h"]);
    assert_eq!(changed, ["request-body-required"; 4]);
    // Every variant has an `id`.
    let replaced = told(["id, a, b", "id, c, d"], ["id, e, f", "id, g, h"]);
    assert_eq!(replaced, ["request-body-variant"; 4]);
}
