//! Objects in a query whose members are written like parameters of their own (OpenAPI 3.1.1 §4.8.12.6): such a
//! change is possible at most, since its effect on requests depends on the other parameters.

use crate::contract::{compare, document, only};
use diff::Severity;
use serde_json::Value;

fn queried(parameters: &[(&str, &str)]) -> Value {
    let each = parameters
        .iter()
        .map(|(name, rest)| format!("{{ name: {name}, in: query, {rest} }}"));
    document(&format!(
        "/a: {{ get: {{ operationId: a, responses: {{ '204': {{ description: d }} }},
            parameters: [{}] }} }}",
        each.collect::<Vec<_>>().join(", ")
    ))
}

const TEXT: &str = "schema: { type: string }";
const OBJECT: &str = "schema: { type: object, properties: { aa: { type: string } } }";

#[test]
fn members_that_become_parameters_or_the_reverse_are_possible() {
    let (separate, object) = (queried(&[("aa", TEXT)]), queried(&[("f", OBJECT)]));
    for (before, after) in [(&separate, &object), (&object, &separate)] {
        let report = compare(before, after);
        assert!(!report.is_breaking(), "{}", report.to_text());
        assert!(report.count(Severity::Possible) > 0, "{}", report.to_text());
    }
}

#[test]
fn a_member_that_is_no_longer_declared_is_possible() {
    let less = queried(&[("f", "schema: { type: object, properties: { bb: {} } }")]);
    let report = compare(&queried(&[("f", OBJECT)]), &less);
    let change = only(&report, Severity::Possible);
    assert_eq!(change.message, "`aa` was removed");
}

#[test]
fn a_required_object_may_be_there_by_any_of_its_members() {
    let required = format!("required: true, {OBJECT}");
    let report = compare(&queried(&[]), &queried(&[("f", &required)]));
    assert!(!report.is_breaking(), "{}", report.to_text());
    only(&report, Severity::Possible);
}

#[test]
fn a_member_that_takes_less_is_breaking() {
    let number = OBJECT.replace("string", "integer");
    let report = compare(&queried(&[("f", OBJECT)]), &queried(&[("f", &number)]));
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.witness.as_ref().unwrap().exchange, "GET /a?aa=a");
}
