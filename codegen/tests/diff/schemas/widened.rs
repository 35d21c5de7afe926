//! Variants of which only one may hold, and that come to take what another one takes.

use super::valid;
use crate::contract::{compare, request, response};
use codegen::diff::Severity;

#[track_caller]
fn breaks_both_ways(fewer: &str, more: &str) {
    for report in [
        compare(&request(fewer), &request(more)),
        compare(&response(more), &response(fewer)),
    ] {
        assert_eq!(report.count(Severity::Breaking), 1, "{}", report.to_text());
        assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
        let change = report.of(Severity::Breaking).next().unwrap();
        let value = change.witness.as_ref().unwrap().value.as_ref().unwrap();
        assert!(valid(fewer, value) && !valid(more, value), "{value}");
    }
}

#[test]
fn a_variant_that_widens_into_another_takes_what_may_be_of_one_only() {
    for (other, narrow, wide) in [
        (
            "{ type: object, required: [email] }",
            "{ type: object, required: [phone], properties: { phone: { type: string } } }",
            "{ type: object, properties: { phone: { type: string } } }",
        ),
        (
            "{ type: string }",
            "{ enum: [1, 2] }",
            "{ enum: [1, 2, auto] }",
        ),
        (
            "{ type: object, required: [k], properties: { k: { enum: [b] } } }",
            "{ type: object, required: [k], properties: { k: { enum: [a] } } }",
            "{ type: object, required: [k], properties: { k: { enum: [a, b] } } }",
        ),
        // What the member of the other one takes is only in the list that has grown.
        (
            "{ type: object, required: [k], properties: { k: { type: string } } }",
            "{ type: object, required: [k], properties: { k: { enum: [a] } } }",
            "{ type: object, required: [k], properties: { k: { enum: [a, c] } } }",
        ),
        (
            "{ type: string, format: uuid }",
            "{ type: string, format: date }",
            "{ type: string }",
        ),
        // No value comes to what was refused: all of it was of the other one as well.
        (
            "{ type: [integer, string] }",
            "{ type: integer, minimum: 3 }",
            "{ type: string, maxLength: 2 }",
        ),
        (
            "{ type: object, required: [a], additionalProperties: false, properties: { a: {} } }",
            "{ type: object, additionalProperties: false, properties: { b: {} } }",
            "{ type: object, additionalProperties: false, properties: { a: {}, b: {} } }",
        ),
        (
            "{ type: object, required: [a], additionalProperties: false, properties: { a: {} } }",
            "{ type: object, additionalProperties: false, properties: { b: {} } }",
            "{ type: object, properties: { b: {} } }",
        ),
        // What the other one asks for may stand beside a member that takes more.
        (
            "{ type: object, required: [a], properties: { a: { type: string } } }",
            "{ type: object, required: [b], properties: { b: { type: string } } }",
            "{ type: object, required: [b], properties: { b: { type: [string, integer] } } }",
        ),
        (
            "{ type: object, required: [a], properties: { a: { type: string } } }",
            "{ type: object, required: [b], properties: { b: { type: object, required: [c], properties: { c: { type: integer, maximum: 3 } } } } }",
            "{ type: object, required: [b], properties: { b: { type: object, required: [c], properties: { c: { type: integer, maximum: 4 } } } } }",
        ),
    ] {
        let both = |variant: &str| format!("{{ oneOf: [{other}, {variant}] }}");
        breaks_both_ways(&both(narrow), &both(wide));
        // The same, the other way round and within an object.
        let within = |variant: &str| {
            format!(
                "{{ type: object, required: [m], properties: {{ m: {{ oneOf: [{variant}, {other}] }} }} }}"
            )
        };
        breaks_both_ways(&within(narrow), &within(wide));
    }
}

#[test]
fn a_variant_more_is_brought_together_with_many() {
    let required = |count: usize| {
        let each = (0..count).map(|at| format!("{{ type: object, required: [k{at}] }}"));
        format!("{{ oneOf: [{}] }}", each.collect::<Vec<_>>().join(", "))
    };
    breaks_both_ways(&required(8), &required(9));
    breaks_both_ways(&required(40), &required(41));
}

#[test]
fn what_takes_every_one_of_few_values_breaks_nothing() {
    for (few, more) in [
        ("{ const: a }", "{ type: string, maxLength: 3 }"),
        ("{ enum: [a, b] }", "{ type: string, pattern: '^[a-c]$' }"),
        ("{ type: boolean }", "{ enum: [true, false, 1] }"),
        (
            "{ enum: [a, 1] }",
            "{ type: [string, integer], maxLength: 1, maximum: 1 }",
        ),
        (
            "{ type: object, required: [k], properties: { k: { const: a } } }",
            "{ type: object, required: [k], properties: { k: { type: string, format: hostname } } }",
        ),
    ] {
        for report in [
            compare(&request(few), &request(more)),
            compare(&response(more), &response(few)),
        ] {
            let severe = [Severity::Breaking, Severity::Possible].map(|each| report.count(each));
            assert_eq!(severe, [0, 0], "{}", report.to_text());
        }
    }
    breaks_both_ways("{ type: string, maxLength: 3 }", "{ enum: [a, bbbb] }");
}

/// Two variants of which no value is both.
const EXCLUSIVE: &[[&str; 2]] = &[
    ["{ const: 1 }", "{ type: number, enum: [2, 3] }"],
    [
        "{ type: object, required: [k], properties: { k: { const: a } } }",
        "{ type: object, required: [k], properties: { k: { const: b } } }",
    ],
    [
        "{ type: object, required: [k, l], properties: { k: { type: string } } }",
        "{ type: object, properties: { k: { type: integer } } }",
    ],
    [
        "{ type: object, required: [k], properties: { k: {} } }",
        "{ type: object, additionalProperties: false, properties: { l: {} } }",
    ],
    [
        "{ type: object, required: [k], properties: { k: { type: object, required: [l], properties: { l: { const: 1 } } } } }",
        "{ type: object, required: [k], properties: { k: { anyOf: [{ type: string }, { type: object, required: [l], properties: { l: { const: 2 } } }] } } }",
    ],
];

/// Two variants with values in common.
const COMMON: &[[&str; 2]] = &[
    ["{ const: 1 }", "{ type: number, enum: [1.0, 3] }"],
    [
        "{ type: object, properties: { k: { const: a } } }",
        "{ type: object, properties: { k: { const: b } } }",
    ],
    [
        "{ type: object, required: [k], properties: { k: { type: string } } }",
        "{ type: object, required: [k], properties: { k: { type: [string, integer] } } }",
    ],
];

#[test]
fn one_of_variants_that_exclude_each_other_is_any_of_them() {
    for [one, other] in EXCLUSIVE {
        let [exact, any] = ["oneOf", "anyOf"].map(|word| format!("{{ {word}: [{one}, {other}] }}"));
        for (before, after) in [(&exact, &any), (&any, &exact)] {
            for place in [request, response] {
                let report = compare(&place(before), &place(after));
                assert!(report.changes.is_empty(), "{}", report.to_text());
            }
        }
    }
    for [one, other] in COMMON {
        let [exact, any] = ["oneOf", "anyOf"].map(|word| format!("{{ {word}: [{one}, {other}] }}"));
        breaks_both_ways(&any, &exact);
    }
}
