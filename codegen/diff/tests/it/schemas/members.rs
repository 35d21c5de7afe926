//! Members: those of open objects, and those that travel one way only.

use crate::contract::{compare, only, request, response};
use diff::Severity;

#[test]
fn an_optional_member_of_an_open_object_may_come_and_go() {
    let (without, with) = (
        "{ type: object, properties: { a: { type: string } } }",
        "{ type: object, properties: { a: { type: string }, b: { type: string } } }",
    );
    for (before, after) in [(without, with), (with, without)] {
        for report in [
            compare(&request(before), &request(after)),
            compare(&response(before), &response(after)),
        ] {
            assert!(!report.is_breaking(), "{}", report.to_text());
        }
    }
    // It is no longer read, or no longer sent.
    for body in [request as fn(&str) -> serde_json::Value, response] {
        let report = compare(&body(with), &body(without));
        let change = only(&report, Severity::Possible);
        assert_eq!(change.message, "`b` was removed");
        only(&compare(&body(without), &body(with)), Severity::Compatible);
    }
}

#[test]
fn a_required_member_that_a_response_loses_is_missed() {
    let report = compare(
        &response("{ type: object, required: [a], properties: { a: { type: string } } }"),
        &response("{ type: object }"),
    );
    let kinds: Vec<_> = report.of(Severity::Breaking).map(|c| &*c.kind).collect();
    assert_eq!(kinds, ["response-body-properties"]);
    assert_eq!(only(&report, Severity::Breaking).message, "`a` was removed");
}

#[test]
fn what_does_not_travel_that_way_does_not_break_it() {
    let member = |annotation: &str, kind: &str| {
        format!(
            "{{ type: object, required: [a], properties: {{ a: {{ {annotation}: true, type: {kind} }} }} }}"
        )
    };
    let (old, new) = (member("readOnly", "string"), member("readOnly", "integer"));
    assert!(!compare(&request(&old), &request(&new)).is_breaking());
    assert!(compare(&response(&old), &response(&new)).is_breaking());
    let (old, new) = (
        member("writeOnly", "string"),
        member("writeOnly", "integer"),
    );
    assert!(compare(&request(&old), &request(&new)).is_breaking());
    assert!(!compare(&response(&old), &response(&new)).is_breaking());
}

#[test]
fn a_member_that_does_not_travel_is_not_required_wherever_that_is_said() {
    let whole =
        "{ type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }";
    let split = "{ allOf: [{ properties: { id: { allOf: [{ type: integer, readOnly: true }] } } },
        { type: object, required: [id] }] }";
    for (before, after) in [(whole, split), (split, whole)] {
        let report = compare(&request(before), &request(after));
        assert!(report.changes.is_empty(), "{}", report.to_text());
    }
}

#[test]
fn an_example_beside_it_that_outlived_its_limit_hides_no_break() {
    let schema = |kind: &str| {
        format!(
            "{{ type: object, required: [name, code, a], properties: {{
                name: {{ type: string, maxLength: 3, examples: [too long] }},
                code: {{ type: integer, minimum: 5, default: 0 }},
                a: {{ type: {kind} }} }} }}"
        )
    };
    let report = compare(&response(&schema("string")), &response(&schema("integer")));
    assert!(report.is_breaking(), "{}", report.to_text());
}
