//! Variants that have values in common: a change of one shows in values of no other.

use super::Case;
use crate::contract::{compare, only, parameter, request, response, yaml};
use diff::{Report, Severity};

/// Two places on a map, of which one is narrower in the second schema.
pub(super) const NARROWED: &[Case] = &[
    // No binary fraction is a hundredth.
    (
        "enum",
        "{ type: number, multipleOf: 0.01, enum: [19.99, 5] }",
        "{ type: number, multipleOf: 0.01, enum: [5] }",
    ),
    (
        "enum",
        "{ type: string, pattern: '^[\\p{L}0-9]{1,60}$', enum: [a, b, '-'] }",
        "{ type: string, pattern: '^[\\p{L}0-9]{1,60}$', enum: [a, '-'] }",
    ),
    // All that a limit leaves of a list is null.
    (
        "enum",
        "{ type: [string, 'null'], enum: [a, b, null] }",
        "{ type: [string, 'null'], enum: [a, b, null], minLength: 2 }",
    ),
    // What a union asks for stands beside the members.
    (
        "maxLength",
        "{ type: object, properties: { s: { type: string } }, anyOf: [{ required: [a], properties: { a: { type: integer } } }, { required: [b], properties: { b: { type: integer } } }] }",
        "{ type: object, properties: { s: { type: string, maxLength: 3 } }, anyOf: [{ required: [a], properties: { a: { type: integer } } }, { required: [b], properties: { b: { type: integer } } }] }",
    ),
];

#[test]
fn what_lets_more_pass_is_not_blamed_for_what_refuses() {
    let variants = |a: &str, b: &str| {
        request(&format!(
            "{{ oneOf: [{{ type: object, required: [a], properties: {{ a: {{ type: {a} }}, b: {b} }} }},
                {{ type: object, required: [c], properties: {{ a: {{ type: boolean }} }} }}] }}"
        ))
    };
    let before = variants("string", "{ type: string, maxLength: 3 }");
    let after = variants("integer", "{ type: string }");
    let report = compare(&before, &after);
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.kind, "request-body-type", "{}", report.to_text());
}

#[track_caller]
fn is_no_break(report: &Report) {
    let suspected = report.count(Severity::Breaking) + report.count(Severity::Possible);
    assert_eq!(suspected, 0, "{}", report.to_text());
    assert!(!report.changes.is_empty());
}

#[test]
fn a_variant_that_refuses_its_own_tag_breaks() {
    // A variant that goes by a name must be able to say it.
    let named = |kind: &str| {
        let mut document = request(
            "{ oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
                discriminator: { propertyName: k, mapping: { a: '#/components/schemas/A', b: '#/components/schemas/B' } } }",
        );
        for (name, kind) in [("A", kind), ("B", "string")] {
            document["components"]["schemas"][name] = yaml(&format!(
                "{{ type: object, required: [k], properties: {{ k: {{ type: {kind} }} }} }}"
            ));
        }
        document
    };
    let report = compare(&named("string"), &named("integer"));
    assert_eq!(report.count(Severity::Breaking), 1, "{}", report.to_text());
}

#[test]
fn a_list_in_a_query_is_told_from_its_item() {
    let either = |kind: &str| {
        parameter(&format!(
            "schema: {{ oneOf: [{{ type: string }}, {{ type: array, items: {{ type: {kind} }} }}] }}"
        ))
    };
    let report = compare(&either("string"), &either("integer"));
    assert_eq!(report.count(Severity::Breaking), 1, "{}", report.to_text());
    assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
    // What is too short a text is a list of it, where such a list may be.
    let least = |limit: &str, item: &str| {
        parameter(&format!(
            "schema: {{ oneOf: [{{ type: string{limit} }}, {{ type: array, items: {{ type: string{item} }} }}] }}"
        ))
    };
    is_no_break(&compare(&least("", ""), &least(", minLength: 5", "")));
    let both = compare(&least("", ""), &least(", minLength: 5", ", minLength: 5"));
    assert!(both.is_breaking(), "{}", both.to_text());
    // One object in a list is not that object.
    let objects = |most: u32| {
        parameter(&format!(
            "style: deepObject, explode: true, schema: {{ type: array, items: {{ type: object,
                required: [s], properties: {{ s: {{ type: string, maxLength: {most} }} }} }} }}"
        ))
    };
    let report = compare(&objects(9), &objects(3));
    assert_eq!(report.count(Severity::Breaking), 1, "{}", report.to_text());
    assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
}

#[test]
fn limits_that_say_nothing_are_no_change() {
    for (before, after) in [
        (
            "{ type: object, additionalProperties: false }",
            "{ type: object, additionalProperties: false, maxProperties: 1 }",
        ),
        (
            "{ type: string, enum: [a, b] }",
            "{ type: string, enum: [a, b], maxLength: 3, pattern: '^[ab]$' }",
        ),
        (
            "{ type: string, enum: [a] }",
            "{ type: string, enum: [a, long], maxLength: 3 }",
        ),
    ] {
        let report = compare(&request(before), &request(after));
        assert!(report.changes.is_empty(), "{}", report.to_text());
    }
}

#[test]
fn what_one_way_takes_another_refuses() {
    let document = |most: u32| {
        let mut document = request(
            "{ type: object, properties: {
                a: { anyOf: [{ $ref: '#/components/schemas/X' }, { type: object }] },
                z: { type: object, properties: { y: { type: object, properties: {
                    w: { $ref: '#/components/schemas/X' } } } } } } }",
        );
        document["components"]["schemas"]["X"] = yaml(&format!(
            "{{ type: object, properties: {{ s: {{ type: string, maxLength: {most} }} }} }}"
        ));
        document
    };
    let report = compare(&document(10), &document(3));
    let change = only(&report, Severity::Breaking);
    assert!(change.place.ends_with("/z/y/w/s"), "{}", report.to_text());
    assert!(change.witness.is_some());
}

#[test]
fn a_limit_that_is_said_in_other_words_is_none() {
    let (some, named) = (
        "{ type: object, minProperties: 1 }",
        "{ type: object, required: [a] }",
    );
    is_no_break(&compare(&response(some), &response(named)));
    is_no_break(&compare(&request(named), &request(some)));
    let report = compare(&request(some), &request(named));
    only(&report, Severity::Breaking);
    assert_eq!(report.changes.len(), 1, "{}", report.to_text());
}

#[test]
fn a_union_that_says_types_alone_comes_and_goes() {
    let numbers = "{ anyOf: [{ type: integer }, { type: number }, { type: string }] }";
    let plain = "{ anyOf: [{ type: number }, { type: string }] }";
    for (before, after) in [(numbers, plain), (plain, numbers)] {
        for report in [
            compare(&request(before), &request(after)),
            compare(&response(before), &response(after)),
        ] {
            assert_eq!(
                report.changes.len(),
                report.count(Severity::Docs),
                "{}",
                report.to_text()
            );
        }
    }
    let exact = numbers.replace("anyOf", "oneOf");
    let report = compare(&request(plain), &request(&exact));
    only(&report, Severity::Breaking);
}

#[test]
fn a_list_in_a_form_is_no_text() {
    let document = |most: &str| {
        let mut document = request("{}");
        let schema = yaml(&format!(
            "{{ oneOf: [{{ type: object, properties: {{ a: {{ type: string{most} }}, b: {{ type: string }} }} }},
                {{ type: object, properties: {{ a: {{ type: string }}, c: {{ type: string }} }} }}] }}"
        ));
        document["paths"]["/a"]["post"]["requestBody"]["content"] =
            serde_json::json!({ "application/x-www-form-urlencoded": { "schema": schema } });
        document
    };
    // Only members that the variant does not declare tell it from the other one.
    let report = compare(&document(""), &document(", maxLength: 3"));
    only(&report, Severity::Possible);
}

#[test]
fn of_a_type_that_is_gone_no_more_is_said() {
    let either = "{ oneOf: [{ type: string }, { type: array, minItems: 1, items: { type: string, maxLength: 3 } }, { type: object, required: [a], properties: { a: { type: integer } } }] }";
    let text = "{ type: string }";
    for report in [
        compare(&request(either), &request(text)),
        compare(&response(text), &response(either)),
    ] {
        only(&report, Severity::Breaking);
        assert_eq!(report.changes.len(), 1, "{}", report.to_text());
    }
    is_no_break(&compare(&request(text), &request(either)));
    is_no_break(&compare(&response(either), &response(text)));
    let list = "{ type: array, items: { type: string } }";
    let mail = format!("{{ anyOf: [{{ type: string, format: email }}, {list}] }}");
    is_no_break(&compare(&request(list), &request(&mail)));
}

#[test]
fn null_is_a_value_among_those_that_are_listed() {
    let of = |blank: &str| {
        request(&format!(
            "{{ oneOf: [{{ type: string, enum: [a, b] }}, {blank}{{ enum: [null] }}] }}"
        ))
    };
    let (with, without) = (of("{ enum: [''] }, "), of(""));
    let report = compare(&with, &without);
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.message, "enum lost \"\"");
    assert_eq!(report.changes.len(), 1, "{}", report.to_text());
    is_no_break(&compare(&without, &with));
}

#[test]
fn a_member_that_neither_admits_is_not_told() {
    let document = |variant: &str| {
        request(&format!(
            "{{ {variant}, type: object, additionalProperties: false, properties: {{ z: {{ type: string }} }} }}"
        ))
    };
    let compare = |dialect: &str| {
        let with = format!("{dialect}allOf: [{{ properties: {{ t: {{ type: string }} }} }}]");
        compare(
            &document(&with),
            &document(&format!("{dialect}allOf: [{{}}]")),
        )
    };
    let by_the_letter = compare("$schema: 'https://json-schema.org/draft/2020-12/schema', ");
    assert!(
        by_the_letter.changes.is_empty(),
        "{}",
        by_the_letter.to_text()
    );
    // A closed part means an object that is closed as a whole, in which the property is allowed.
    assert!(compare("").is_breaking());
}
