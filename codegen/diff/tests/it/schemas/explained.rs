//! Refusals that tell of another place than that of the difference.

use super::valid;
use crate::contract::{compare, only, request, response};
use diff::Severity;

#[test]
fn a_value_of_a_variant_is_gone_though_another_one_is_told_to_be_meant() {
    let union = |word: &str, few: &str| {
        format!(
            "{{ {word}: [
                {{ type: object, additionalProperties: false, required: [code],
                   properties: {{ code: {{ type: string }} }} }},
                {{ type: object, additionalProperties: false, required: [code, retry],
                   properties: {{ code: {{ enum: [{few}] }}, retry: {{ type: integer }} }} }}] }}"
        )
    };
    let within =
        |schema: &str| format!("{{ type: object, required: [m], properties: {{ m: {schema} }} }}");
    for word in ["oneOf", "anyOf"] {
        let (more, fewer) = (union(word, "limit, quota"), union(word, "limit"));
        for (more, fewer) in [
            (more.clone(), fewer.clone()),
            (within(&more), within(&fewer)),
        ] {
            for report in [
                compare(&request(&more), &request(&fewer)),
                compare(&response(&fewer), &response(&more)),
            ] {
                let change = only(&report, Severity::Breaking);
                assert_eq!(report.changes.len(), 1, "{}", report.to_text());
                let value = change.witness.as_ref().unwrap().value.as_ref().unwrap();
                assert!(valid(&more, value) && !valid(&fewer, value), "{value}");
            }
        }
    }
}

#[test]
fn a_member_is_not_blamed_for_one_whose_name_begins_like_its_own() {
    let object = |k: &str, kind: &str| {
        request(&format!(
            "{{ type: object, required: [k, kind], properties: {{ k: {k}, kind: {{ type: {kind} }} }} }}"
        ))
    };
    let report = compare(
        &object("{ enum: [a] }", "string"),
        &object("{ type: string, maxLength: 3 }", "integer"),
    );
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.place, "request body /kind");
    assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
}
