//! What two variants of `oneOf` have in common: a value of both is refused, and mostly one is found.

use super::valid;
use crate::contract::{compare, only, request, response};
use codegen::diff::Severity;

/// An object with that member.
fn with(schema: &str) -> String {
    format!("{{ type: object, required: [b], properties: {{ b: {schema} }} }}")
}

/// A schema that takes more, and one that refuses what several of its variants take.
#[track_caller]
fn is_found(more: &str, fewer: &str) {
    for report in [
        compare(&request(more), &request(fewer)),
        compare(&response(fewer), &response(more)),
    ] {
        assert!(report.is_breaking(), "{}", report.to_text());
        for change in report.of(Severity::Breaking) {
            let value = change.witness.as_ref().unwrap().value.as_ref().unwrap();
            assert!(valid(more, value) && !valid(fewer, value), "{value}");
        }
    }
}

#[test]
fn a_value_of_a_variant_and_of_an_added_one_is_found() {
    for (old, new) in [
        (
            "{ type: string, minLength: 2 }",
            "{ type: string, maxLength: 3 }",
        ),
        (
            "{ type: string, pattern: '^a' }",
            "{ type: string, pattern: 'z$' }",
        ),
        (
            "{ type: integer, multipleOf: 3 }",
            "{ type: integer, multipleOf: 7, minimum: 1 }",
        ),
        (
            "{ type: array, minItems: 2, items: { type: string } }",
            "{ type: array, maxItems: 2, items: { enum: [x, y] } }",
        ),
    ] {
        let (old, new) = (with(old), with(new));
        is_found(&old, &format!("{{ oneOf: [{old}, {new}] }}"));
    }
    let two = |text: &str, listed: &str| {
        format!(
            "{{ type: object, required: [b, t], properties: {{ b: {{ type: string, {text} }}, t: {{ enum: [{listed}] }} }} }}"
        )
    };
    let (old, new) = (two("minLength: 2", "x, y"), two("maxLength: 4", "y, z"));
    is_found(&old, &format!("{{ oneOf: [{old}, {new}] }}"));
}

#[test]
fn a_value_of_a_variant_that_takes_more_and_of_its_neighbour_is_found() {
    let variants = |first: &str| {
        let of = |schema: &str| format!("{{ type: object, properties: {{ c: {schema} }} }}");
        format!("{{ oneOf: [{}, {}] }}", of(first), of("{ type: string }"))
    };
    is_found(
        &variants("{ const: a }"),
        &variants("{ type: string, pattern: '^a' }"),
    );
}

#[test]
fn of_a_choice_within_any_what_two_variants_take_is_found() {
    let pattern = "{ pattern: '^ab?$' }";
    let within = format!("{{ oneOf: [{pattern}, {{ type: string }}] }}");
    let any = |first: &str| format!("{{ anyOf: [{first}, {{ enum: [''] }}] }}");
    is_found(&any(pattern), &any(&within));
}

#[test]
fn an_added_variant_that_may_take_what_another_does_is_never_called_compatible() {
    // Only a text that nobody makes up matches both.
    let (old, new) = (
        with("{ type: string, pattern: '^(?=.*q7).{9}$' }"),
        with("{ type: string, pattern: '^(?=.*[xz]k).{9}$' }"),
    );
    let report = compare(
        &request(&old),
        &request(&format!("{{ oneOf: [{old}, {new}] }}")),
    );
    only(&report, Severity::Possible);
}

#[test]
fn an_added_variant_that_has_nothing_in_common_is_compatible() {
    for (old, new) in [
        (
            "{ type: string, minLength: 4 }",
            "{ type: string, maxLength: 3 }",
        ),
        (
            "{ type: integer, minimum: 4 }",
            "{ type: integer, maximum: 3 }",
        ),
    ] {
        let (old, new) = (with(old), with(new));
        let report = compare(
            &request(&old),
            &request(&format!("{{ oneOf: [{old}, {new}] }}")),
        );
        only(&report, Severity::Compatible);
        assert_eq!(report.changes.len(), 1, "{}", report.to_text());
    }
}
