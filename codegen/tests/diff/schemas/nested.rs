//! Choices within choices, of each of which exactly one variant may hold.

use super::valid;
use crate::contract::{compare, only, request, response};
use codegen::diff::Severity;

/// A choice between `a` and `b`, where `a` is one again, down to a text of that length. All but the outermost
/// may go by a constant.
fn choices(levels: usize, least: u32, by_constant: bool) -> String {
    let text = format!("{{ type: string, minLength: {least} }}");
    (1..=levels).fold(text, |within, level| {
        let [one, other] = match by_constant && level < levels {
            true => [", k: { const: 1 }", ", k: { const: 2 }"],
            false => ["", ""],
        };
        let also = if one.is_empty() { "" } else { ", k" };
        format!(
            "{{ oneOf: [
                {{ type: object, required: [a{also}], properties: {{ a: {within}{one} }} }},
                {{ type: object, required: [b{also}], properties: {{ b: {{ type: string }}{other} }} }}] }}"
        )
    })
}

#[test]
fn what_more_variants_take_is_found_at_each_of_the_choices_around() {
    for (levels, by_constant) in [(2, false), (3, false), (3, true), (6, true), (12, false)] {
        let [fewer, more] = [2, 1].map(|least| choices(levels, least, by_constant));
        for report in [
            compare(&request(&fewer), &request(&more)),
            compare(&response(&more), &response(&fewer)),
        ] {
            let change = only(&report, Severity::Breaking);
            assert_eq!(report.changes.len(), 1, "{}", report.to_text());
            let value = change.witness.as_ref().unwrap().value.as_ref().unwrap();
            assert!(valid(&fewer, value) && !valid(&more, value), "{value}");
        }
    }
}

#[test]
fn choices_that_are_too_many_to_look_at_may_hide_a_break() {
    let [fewer, more] = [2, 1].map(|least| choices(12, least, true));
    for report in [
        compare(&request(&fewer), &request(&more)),
        compare(&response(&more), &response(&fewer)),
    ] {
        only(&report, Severity::Possible);
    }
}

#[test]
fn a_choice_within_a_choice_that_takes_more_is_not_blamed_for_what_takes_less() {
    let document = |few: &str, most: &str| {
        request(&format!(
            "{{ oneOf: [{{ type: object, required: [a], properties: {{ a: {{ oneOf: [
                {{ type: object, required: [b], properties: {{ b: {{ type: string, {few}, {most} }} }} }},
                {{ type: object, required: [c], not: {{ required: [b] }} }}] }} }} }},
                {{ type: object, required: [d], not: {{ required: [a] }} }}] }}"
        ))
    };
    let report = compare(
        &document("minLength: 3", "maxLength: 9"),
        &document("minLength: 2", "maxLength: 8"),
    );
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.kind, "request-body-maxLength");
    assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
}

#[test]
fn of_a_choice_within_one_of_any_what_is_taken_twice_is_refused() {
    let document = |listed: &str| {
        format!(
            "{{ anyOf: [
                {{ required: [a], properties: {{ a: {{ type: object }} }} }},
                {{ required: [a, c], properties: {{ a: {{ oneOf: [
                    {{ enum: [{listed}] }},
                    {{ type: [string, 'null'] }}] }} }} }}] }}"
        )
    };
    let (before, after) = (document("x"), document("y"));
    for (report, accepting, refusing) in [
        (
            compare(&request(&before), &request(&after)),
            &before,
            &after,
        ),
        (
            compare(&response(&before), &response(&after)),
            &after,
            &before,
        ),
    ] {
        let change = only(&report, Severity::Breaking);
        let value = change.witness.as_ref().unwrap().value.as_ref().unwrap();
        assert!(
            valid(accepting, value) && !valid(refusing, value),
            "{value}"
        );
    }
}
