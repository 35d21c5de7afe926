//! Types, and enumerated values.

use super::{Case, valid};
use crate::contract::{compare, only, request, response};
use diff::Severity;

/// Pairs of schemas of which the second accepts less.
pub(super) const NARROWED: &[Case] = &[
    ("enum", "{ type: boolean }", "{ enum: [true, true] }"),
    ("enum", "{ const: false }", "{ type: 'null', const: false }"),
    ("type", "{ type: [string, integer] }", "{ type: string }"),
    ("type", "{ type: number }", "{ type: integer }"),
    ("type", "{ type: [string, 'null'] }", "{ type: string }"),
    ("type", "{}", "{ type: object }"),
    (
        "type",
        "{ type: [object, 'null'], required: [a], dependentRequired: { a: [b], b: [c] } }",
        "{ type: 'null' }",
    ),
    ("type", "true", "{ type: string }"),
    ("type", "{ type: string }", "false"),
    ("enum", "{ enum: [a, b, c] }", "{ enum: [c, a] }"),
    ("enum", "{ type: string }", "{ type: string, enum: [a, b] }"),
    (
        "enum",
        "{ type: integer }",
        "{ type: integer, enum: [1, 2] }",
    ),
    ("enum", "{ enum: [a, b] }", "{ const: a }"),
    ("enum", "{ type: string }", "{ const: a }"),
];

#[test]
fn a_type_beside_a_union_holds_of_its_variants() {
    let object = "{ type: object, required: [a], properties: { a: { type: string } } }";
    for (own, kind, other) in [
        ("{ type: integer }", "string", "{}"),
        ("{ type: integer }", "object", "{ required: [a] }"),
        (object, "array", "{ items: { type: integer } }"),
        (object, "string", "{ type: object, required: [b] }"),
    ] {
        let of_none = format!("{{ allOf: [{{ anyOf: [{own}, {other}] }}, {{ type: {kind} }}] }}");
        for report in [
            compare(&request(own), &request(&of_none)),
            compare(&response(&of_none), &response(own)),
        ] {
            let change = only(&report, Severity::Breaking);
            let value = change.witness.as_ref().unwrap().value.as_ref().unwrap();
            assert!(valid(own, value) && !valid(&of_none, value), "{value}");
        }
    }
    // One that its variants have anyway says nothing.
    let with = format!("{{ type: object, anyOf: [{object}, {{ required: [b] }}] }}");
    let report = compare(&request(object), &request(&with));
    only(&report, Severity::Compatible);
    assert_eq!(report.changes.len(), 1, "{}", report.to_text());
}
