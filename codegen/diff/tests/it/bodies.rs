//! Bodies that are texts, and how long bodies may be.

use crate::contract::{compare, document};
use crate::operations::{adds, breaks, operation, responses, suspects};
use diff::Severity;

#[test]
fn a_body_that_is_a_text_is_read_by_its_schema() {
    let request = |schema: &str| {
        operation(&format!(
            ", requestBody: {{ content: {{ text/plain: {{ schema: {schema} }} }} }}"
        ))
    };
    let response = |schema: &str| {
        responses(&format!(
            "'200': {{ description: d, content: {{ text/plain: {{ schema: {schema} }} }} }}"
        ))
    };
    let (number, text) = ("{ type: integer }", "{ type: string }");
    let report = compare(&request(number), &request(text));
    adds(&report, "request-body-type");
    let report = compare(&request(text), &request(number));
    breaks(&report, "request-body-type", "POST /a/0");
    let report = compare(&response(text), &response(number));
    adds(&report, "response-body-type");
    let report = compare(&response(number), &response(text));
    breaks(&report, "response-body-type", "200 text/plain");
    let (flag, words) = (
        "{ type: boolean }",
        "{ type: string, enum: ['true', 'false'] }",
    );
    let report = compare(&request(flag), &request(words));
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
}

#[test]
fn a_body_that_may_be_less_long() {
    let limited = |limit: &str| {
        operation(&format!(
            ", requestBody: {{ {limit} content: {{ application/json: {{}} }} }}"
        ))
    };
    let [none, small, large] = ["", "x-body-limit: 1000,", "x-body-limit: 2000,"].map(limited);
    let sent = "POST /a/0 (Content-Type: application/json; Content-Length: 1001)";
    let kind = "request-body-limit";
    breaks(&compare(&large, &small), kind, sent);
    adds(&compare(&small, &large), kind);
    suspects(&compare(&none, &small), kind);
    suspects(&compare(&small, &none), kind);
}

#[test]
fn how_long_texts_are_is_not_known() {
    let limited = |limit: u32| {
        operation(&format!(
            ", requestBody: {{ x-body-limit: {limit}, content: {{ text/plain: {{ schema: {{ type: string }} }} }} }}"
        ))
    };
    suspects(&compare(&limited(100), &limited(50)), "request-body-limit");
}

#[test]
fn bytes_are_bytes_however_their_schema_says_so() {
    let contract = |media: &str| {
        document(&format!(
            "/a: {{ post: {{ operationId: a, requestBody: {{ required: true, content: {{ {media} }} }},
                responses: {{ '200': {{ description: d, content: {{ {media} }} }} }} }} }}"
        ))
    };
    for name in ["application/octet-stream", "image/png", "application/pdf"] {
        let said = [
            "{}",
            "{ schema: {} }",
            "{ schema: { type: string } }",
            "{ schema: { type: string, format: binary } }",
        ];
        for (one, other) in said.iter().zip(said.iter().skip(1)) {
            let media = |said: &str| contract(&format!("{name}: {said}"));
            let report = compare(&media(one), &media(other));
            assert!(report.changes.is_empty(), "{}", report.to_text());
            let report = compare(&media(other), &media(one));
            assert!(report.changes.is_empty(), "{}", report.to_text());
        }
    }
    // A structure, or a length, is more than bytes.
    let report = compare(
        &contract("application/yaml: { schema: {} }"),
        &contract("application/yaml: { schema: { type: object, required: [a] } }"),
    );
    assert!(report.is_breaking(), "{}", report.to_text());
}
