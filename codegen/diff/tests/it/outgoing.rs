//! Webhooks and callbacks: their requests are judged as responses are, their responses as requests.

use crate::contract::{compare, document, only, yaml};
use diff::Severity;
use serde_json::{Value, json};

/// A document whose one webhook is that operation.
pub(crate) fn webhook(operation: &str) -> Value {
    json!({
        "openapi": "3.1.1",
        "info": { "title": "T", "version": "1.0.0" },
        "webhooks": { "made": { "post": yaml(operation) } },
    })
}

/// A webhook with a body and an answer of these schemas.
fn exchange(sent: &str, answered: &str) -> Value {
    webhook(&format!(
        "{{ requestBody: {{ required: true, content: {{ application/json: {{ schema: {sent} }} }} }},
            responses: {{ '200': {{ description: d, content: {{ application/json: {{
            schema: {answered} }} }} }} }} }}"
    ))
}

#[track_caller]
fn breaks(before: &Value, after: &Value, kind: &str) {
    let report = compare(before, after);
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.kind, kind, "{}", report.to_text());
    assert!(change.witness.is_some(), "{}", report.to_text());
}

#[track_caller]
fn adds(before: &Value, after: &Value, kind: &str) {
    let report = compare(before, after);
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert_eq!(only(&report, Severity::Compatible).kind, kind);
}

const NO_BODY: &str = "{ responses: { '204': { description: d } } }";

#[test]
fn a_webhook_that_is_gone_or_new() {
    let one = webhook(NO_BODY);
    let none = json!({ "openapi": "3.1.1", "info": { "title": "T", "version": "1.0.0" } });
    breaks(&one, &none, "webhook-removed");
    adds(&none, &one, "webhook-added");
}

#[test]
fn what_is_sent_may_be_less_and_what_is_answered_may_be_more() {
    let (narrow, wide) = ("{ type: integer }", "{ type: number }");
    breaks(
        &exchange(narrow, narrow),
        &exchange(wide, narrow),
        "webhook-body-type",
    );
    adds(
        &exchange(wide, narrow),
        &exchange(narrow, narrow),
        "webhook-body-type",
    );
    breaks(
        &exchange(narrow, wide),
        &exchange(narrow, narrow),
        "webhook-answer-type",
    );
    adds(
        &exchange(narrow, narrow),
        &exchange(narrow, wide),
        "webhook-answer-type",
    );
}

#[test]
fn what_receivers_rely_on_stays() {
    let plain = exchange("{ type: integer }", "{ type: integer }");
    let mut csv = plain.clone();
    let content = "/webhooks/made/post/requestBody/content";
    csv.pointer_mut(content).unwrap()["text/csv"] = json!({});
    breaks(&plain, &csv, "webhook-body-media-type-added");
    let mut optional = plain.clone();
    optional["webhooks"]["made"]["post"]["requestBody"]["required"] = false.into();
    breaks(&plain, &optional, "webhook-body-optional");

    let with = |parameter: &str| {
        let responses = "responses: { '204': { description: d } }";
        webhook(&format!("{{ parameters: [{parameter}], {responses} }}"))
    };
    let optional = "{ name: p, in: query, schema: { type: string } }";
    let required = "{ name: p, in: query, required: true, schema: { type: string } }";
    breaks(&with(""), &with(optional), "webhook-parameter-added");
    let capital = optional.replace("name: p", "name: P");
    breaks(&with(optional), &with(&capital), "webhook-parameter-added");
    breaks(
        &with(required),
        &with(optional),
        "webhook-parameter-optional",
    );
    let header = optional.replace("query", "header");
    adds(&with(""), &with(&header), "webhook-parameter-added");
}

#[test]
fn what_is_sent_and_answered_is_written_as_it_was() {
    let list = "{ type: array, items: { type: string } }";
    let with = |explode: bool, json: bool| {
        let header = match json {
            true => format!("content: {{ application/json: {{ schema: {list} }} }}"),
            false => format!("schema: {list}"),
        };
        webhook(&format!(
            "{{ parameters: [{{ name: p, in: query, explode: {explode}, schema: {list} }}],
                responses: {{ '200': {{ description: d, headers: {{ X-H: {{ {header} }} }} }} }} }}"
        ))
    };
    breaks(
        &with(true, false),
        &with(false, false),
        "webhook-parameter-style",
    );
    breaks(
        &with(true, false),
        &with(true, true),
        "webhook-answer-header-style",
    );
}

#[test]
fn headers_that_receivers_answer_are_taken() {
    let with = |schema: &str| {
        webhook(&format!(
            "{{ responses: {{ '200': {{ description: d, headers: {{ X-H: {{ schema: {schema} }} }} }} }} }}"
        ))
    };
    let (wide, narrow) = ("{ type: integer }", "{ type: integer, maximum: 3 }");
    breaks(&with(wide), &with(narrow), "webhook-answer-header-maximum");
    adds(&with(narrow), &with(wide), "webhook-answer-header-maximum");
}

#[test]
fn what_receivers_answer_is_taken() {
    let answers = |statuses: &str| webhook(&format!("{{ responses: {{ {statuses} }} }}"));
    let (one, two) = (
        "'200': { description: d }",
        "'200': { description: d }, '410': { description: d }",
    );
    breaks(&answers(two), &answers(one), "webhook-answer-removed");
    adds(&answers(one), &answers(two), "webhook-answer-added");
    let seen = "'200': { description: d, headers: { X-Seen: { required: true, schema: {} } } }";
    breaks(&answers(one), &answers(seen), "webhook-answer-header-added");
}

#[test]
fn an_answer_without_a_body_is_taken() {
    let answers = |method: &str, status: &str, content: &str| {
        let answer = format!("'{status}': {{ description: d, content: {content} }}");
        let operation = format!("{{ responses: {{ {answer} }} }}");
        let mut document = webhook("{}");
        document["webhooks"]["made"] = json!({ method: yaml(&operation) });
        document
    };
    let body = "{ application/json: { schema: { type: string } } }";
    let [empty, full] = ["{}", body].map(|content| answers("post", "200", content));
    breaks(&empty, &full, "webhook-answer-body-required");
    let text = compare(&empty, &full).to_text();
    assert!(text.contains("made → 200 (without a body)"), "{text}");
    breaks(&full, &empty, "webhook-answer-media-type-removed");
    // Neither of these has ever had a body (RFC 9110 §9.3.2, §15.3.5).
    for (method, status) in [("post", "204"), ("head", "200")] {
        let [empty, full] = ["{}", body].map(|content| answers(method, status, content));
        let report = compare(&empty, &full);
        assert!(!report.is_breaking(), "{}", report.to_text());
    }
}

#[test]
fn what_is_shown_suffices_for_receivers() {
    let secured = |security: &str| {
        let responses = "responses: { '204': { description: d } }";
        let mut document = webhook(&format!("{{ security: {security}, {responses} }}"));
        document["components"] = yaml(
            "{ securitySchemes: { k: { type: apiKey, in: header, name: X-Sig },
                b: { type: http, scheme: basic } } }",
        );
        document
    };
    let (open, one, other) = ("[]", "[{ k: [] }]", "[{ b: [] }]");
    let (either, all, optional) = (
        "[{ k: [] }, { b: [] }]",
        "[{ k: [], b: [] }]",
        "[{ k: [] }, {}]",
    );
    let kind = "webhook-security-loosened";
    for (before, after, shown) in [
        (one, open, "no credentials"),
        (one, optional, "no credentials"),
        (one, other, "`b`"),
        (one, either, "`b`"),
        (all, one, "`k`"),
    ] {
        let (before, after) = (secured(before), secured(after));
        breaks(&before, &after, kind);
        let text = compare(&before, &after).to_text();
        let sent = format!("webhook POST /made with {shown}");
        assert!(text.contains(&sent), "{text}");
    }
    let kind = "webhook-security-tightened";
    for (before, after) in [(open, one), (optional, one), (either, one), (one, all)] {
        adds(&secured(before), &secured(after), kind);
    }
}

#[test]
fn a_callback_is_known_by_where_it_goes() {
    let document = |id: &str, name: &str, url: &str| {
        json!({
            "openapi": "3.1.1",
            "info": { "title": "T", "version": "1.0.0" },
            "paths": { "/a": { "post": {
                "operationId": id,
                "responses": { "204": { "description": "d" } },
                "callbacks": { name: { url: { "post": yaml(NO_BODY) } } },
            } } },
        })
    };
    let url = "{$request.query.url}";
    let report = compare(&document("a", "done", url), &document("b", "ended", url));
    assert!(!report.is_breaking(), "{}", report.to_text());
    let moved = document("a", "done", "{$request.query.url}/done");
    breaks(&document("a", "done", url), &moved, "callback-url");
}

#[test]
fn callbacks_of_several_names_may_call_the_same_url() {
    let callbacks = |names: [&str; 2]| {
        let called = names.map(|name| {
            let body = format!("{{ schema: {{ const: {name} }} }}");
            format!(
                "{name}: {{ '{{$request.query.url}}': {{ post: {{
                    requestBody: {{ required: true, content: {{ application/json: {body} }} }},
                    responses: {{ '204': {{ description: d }} }} }} }} }}"
            )
        });
        document(&format!(
            "/a: {{ get: {{ responses: {{ '204': {{ description: d }} }},
                parameters: [{{ name: url, in: query, schema: {{ type: string }} }}],
                callbacks: {{ {} }} }} }}",
            called.join(", ")
        ))
    };
    let report = compare(&callbacks(["x", "y"]), &callbacks(["y", "x"]));
    assert!(report.changes.is_empty(), "{}", report.to_text());
    let report = compare(&callbacks(["x", "y"]), &callbacks(["y", "z"]));
    assert!(report.is_breaking(), "{}", report.to_text());
}
