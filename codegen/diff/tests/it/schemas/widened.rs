//! Variants that exclude each other, and values that are few enough to try them all.

use super::valid;
use crate::contract::{compare, request, response};
use diff::Severity;

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
        // What fits two variants proves nothing that a client does, unless it has no members.
        let report = compare(&request(&any), &request(&exact));
        let suspected = report.count(Severity::Possible) + report.count(Severity::Breaking);
        assert_eq!(suspected, 1, "{}", report.to_text());
    }
}
