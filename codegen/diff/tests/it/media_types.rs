//! Media types of bodies, and the statuses that they belong to.

use crate::contract::{compare, document, only};
use crate::operations::{adds, breaks, operation, responses, suspects};
use crate::outgoing::webhook;
use crate::work::growth;
use diff::Severity;
use serde_json::Value;

/// A document whose one response has that content.
fn given(content: &str) -> Value {
    responses(&format!(
        "'200': {{ description: d, content: {{ {content} }} }}"
    ))
}

fn taken(content: &str) -> Value {
    operation(&format!(
        ", requestBody: {{ required: true, content: {{ {content} }} }}"
    ))
}

/// A document whose one webhook sends that content.
fn sent(content: &str) -> Value {
    webhook(&format!(
        "{{ requestBody: {{ required: true, content: {{ {content} }} }},
            responses: {{ '204': {{ description: d }} }} }}"
    ))
}

/// A document whose one webhook is answered by that content.
fn answered(content: &str) -> Value {
    webhook(&format!(
        "{{ responses: {{ '200': {{ description: d, content: {{ {content} }} }} }} }}"
    ))
}

const JSON: &str = "application/json: { schema: { type: object } }";
const ANY: &str = "'*/*': { schema: { type: object } }";

#[test]
fn a_range_of_responses_promises_none_of_its_media_types() {
    let (any, json) = (given(ANY), given(JSON));
    adds(&compare(&any, &json), "response-media-type-narrowed");
    let kind = "response-media-type-added";
    suspects(&compare(&json, &any), kind);
    let both = given(&format!("{JSON}, {ANY}"));
    adds(&compare(&json, &both), "response-media-type-added");
    let wider = "application/json: { schema: { type: [object, 'null'] } }";
    let report = compare(&any, &given(wider));
    breaks(&report, "response-body-type", "200 application/json");
    let (images, png) = (given("'image/*': {}"), given("image/png: {}"));
    adds(&compare(&images, &png), "response-media-type-narrowed");
    suspects(&compare(&png, &images), kind);
    let report = compare(&images, &json);
    let kind = "response-media-type-removed";
    breaks(&report, kind, "GET /a (Accept: image/png)");
}

#[test]
fn a_range_is_no_type_of_a_request() {
    let (any, json) = (taken(ANY), taken(JSON));
    let sent = "POST /a/0 (Content-Type: text/plain)";
    breaks(
        &compare(&any, &json),
        "request-body-media-type-removed",
        sent,
    );
    adds(&compare(&json, &any), "request-body-media-type-added");
    breaks(&compare(&any, &operation("")), "request-body-removed", sent);
    let (all, bytes) = (
        taken("'application/*': {}"),
        taken("application/octet-stream: {}"),
    );
    let sent = "POST /a/0 (Content-Type: application/example)";
    breaks(
        &compare(&all, &bytes),
        "request-body-media-type-removed",
        sent,
    );
}

/// The client's `Accept` counts for successes alone.
#[test]
fn an_error_of_another_media_type_is_sent_all_the_same() {
    let of = |error: &str| {
        responses(&format!(
            "'200': {{ description: d, content: {{ application/json: {{}} }} }}, default: {{ description: d {error} }}"
        ))
    };
    let [none, json, problem, both] = [
        "",
        ", content: { application/json: {} }",
        ", content: { application/problem+json: {} }",
        ", content: { application/json: {}, application/problem+json: {} }",
    ]
    .map(of);
    let kind = "response-media-type-removed";
    for (before, after, shown) in [
        (&json, &problem, "400 application/problem+json"),
        (&problem, &json, "400 application/json"),
        (&json, &none, "400 (without a body)"),
    ] {
        let report = compare(before, after);
        breaks(&report, kind, shown);
    }
    suspects(&compare(&both, &json), kind);
    adds(&compare(&json, &both), "response-media-type-added");
    adds(&compare(&none, &json), "response-media-type-added");
}

#[test]
fn an_error_that_is_named_is_no_longer_what_default_says() {
    let of = |more: &str| {
        responses(&format!(
            "default: {{ description: d, content: {{ application/json: {{}} }} }} {more},
             '200': {{ description: d, content: {{ application/json: {{}} }} }}"
        ))
    };
    let (plain, named) = (of(""), of(", '409': { description: d }"));
    let report = compare(&plain, &named);
    breaks(
        &report,
        "response-media-type-removed",
        "409 (without a body)",
    );
    assert!(
        report
            .to_text()
            .contains("response default is application/json")
    );
    adds(&compare(&named, &plain), "response-media-type-added");
}

#[test]
fn default_stands_for_no_success_beside_one() {
    let of = |status: u16| {
        responses(&format!(
            "'{status}': {{ description: d, content: {{ application/json: {{}} }} }}, default: {{ description: d }}"
        ))
    };
    for (before, after) in [(201, 200), (200, 201)] {
        let report = compare(&of(before), &of(after));
        breaks(&report, "response-removed", &format!("GET /a → {before}"));
        assert_eq!(only(&report, Severity::Compatible).kind, "response-added");
        assert_eq!(report.changes.len(), 2, "{}", report.to_text());
    }
}

#[test]
fn a_status_without_a_body_never_had_that_of_default() {
    let errors = format!(
        "'200': {{ description: d }}, default: {{ description: e, content: {{ {JSON} }} }}"
    );
    let before = responses(&errors);
    for status in ["304", "101"] {
        let after = responses(&format!("{errors}, '{status}': {{ description: e }}"));
        for report in [compare(&before, &after), compare(&after, &before)] {
            assert!(report.changes.is_empty(), "{}", report.to_text());
        }
    }
    let after = responses(&format!("{errors}, '409': {{ description: e }}"));
    let kind = "response-media-type-removed";
    breaks(&compare(&before, &after), kind, "409 (without a body)");
}

/// RFC 9110 §8.3.1: the parameters are of the media type.
#[test]
fn media_types_are_told_apart_by_their_parameters() {
    let (first, second, third) = (
        "application/json;v=1: { schema: { type: object } }",
        "Application/JSON; V=\"2\"; charset=utf-8: { schema: { type: array } }",
        "application/json;v=3: { schema: { type: object } }",
    );
    let both = |one: &str, other: &str| format!("{one}, {other}");
    for of in [given, taken, sent, answered] {
        let (old, turned) = (of(&both(first, second)), of(&both(second, first)));
        for after in [&old, &turned] {
            let report = compare(&old, after);
            assert!(report.changes.is_empty(), "{}", report.to_text());
        }
        // Nobody knows whether the one that is gone is taken for the other.
        let [one, two, other] = [third, &both(first, third), &both(second, third)].map(of);
        let (fewer, more) = (compare(&two, &one), compare(&one, &two));
        assert!(!fewer.is_breaking() && !more.is_breaking());
        let possible = fewer.count(Severity::Possible) + more.count(Severity::Possible);
        assert_eq!(possible, 1, "{}{}", fewer.to_text(), more.to_text());
        // Nor whether another one is read like it.
        let report = compare(&old, &other);
        assert!(!report.is_breaking(), "{}", report.to_text());
        assert!(!report.changes.is_empty());
    }
    let wider = "application/json;v=2: { schema: { type: [array, object] } }";
    let report = compare(&given(&both(first, second)), &given(&both(first, wider)));
    breaks(&report, "response-body-type", "200 application/json;v=2");
}

/// Nobody knows whether a body is refused or taken for one of other parameters.
#[test]
fn a_version_that_is_gone_may_be_read_as_another_one() {
    let first = "application/json;v=1: { schema: { type: object } }";
    let others = ["application/json;v=2", "application/json"];
    for other in others.map(|name| format!("{name}: {{ schema: {{ type: string }} }}")) {
        let both = format!("{first}, {other}");
        let removed = "request-body-media-type-removed";
        suspects(&compare(&taken(&both), &taken(&other)), removed);
        let asked = "GET /a (Accept: application/json;v=1)";
        let report = compare(&given(&both), &given(&other));
        suspects(&report, "response-media-type-removed");
        assert!(!report.to_text().contains(asked), "{}", report.to_text());
        suspects(
            &compare(&sent(&other), &sent(&both)),
            "webhook-body-media-type-added",
        );
        suspects(
            &compare(&answered(&both), &answered(&other)),
            "webhook-answer-media-type-removed",
        );
        // The other one may have been sent before.
        let failed = |content: &str| {
            responses(&format!(
                "'200': {{ description: d }}, '400': {{ description: d, content: {{ {content} }} }}"
            ))
        };
        let report = compare(&failed(&both), &failed(&other));
        suspects(&report, "response-media-type-removed");
    }
}

/// Of a range and its own member, the member applies.
#[test]
fn a_range_says_nothing_of_what_stands_beside_it() {
    let any = "'*/*': { schema: { type: array } }";
    let both = &format!("{JSON}, {any}");
    let narrowed = compare(&given(both), &given(JSON));
    adds(&narrowed, "response-media-type-narrowed");
    let report = compare(&taken(both), &taken(JSON));
    let kind = "request-body-media-type-removed";
    breaks(&report, kind, "POST /a/0 (Content-Type: text/plain)");
    // Where only one of the contracts has the member, its bodies were of the range.
    let report = compare(&given(any), &given(both));
    breaks(&report, "response-body-type", "200 application/json");
    let report = compare(&taken(any), &taken(both));
    breaks(&report, "request-body-type", "POST /a/0");
}

#[test]
fn a_range_of_bytes_takes_in_every_body() {
    let bytes = "'*/*': { schema: { type: string, format: binary } }";
    let both = &format!("{JSON}, {bytes}");
    let report = compare(&given(bytes), &given(both));
    assert!(report.changes.is_empty(), "{}", report.to_text());
    let wider = compare(&taken(JSON), &taken(bytes));
    adds(&wider, "request-body-media-type-added");
    let report = compare(&taken(bytes), &taken(both));
    breaks(&report, "request-body-type", "POST /a/0");
}

/// RFC 9110 §9.3.2.
#[test]
fn an_answer_to_head_has_a_media_type_and_no_body() {
    let head = |content: &str| {
        document(&format!(
            "/a: {{ head: {{ responses: {{ '200': {{ description: d, content: {{ {content} }} }} }} }} }}"
        ))
    };
    let [object, list, csv, none] = [
        JSON,
        "application/json: { schema: { type: array } }",
        "text/csv: {}",
        "",
    ]
    .map(head);
    let report = compare(&object, &list);
    assert!(report.changes.is_empty(), "{}", report.to_text());
    let kind = "response-media-type-removed";
    let sent = "HEAD /a (Accept: application/json)";
    breaks(&compare(&object, &csv), kind, sent);
    suspects(&compare(&object, &none), kind);
}

/// RFC 6838 §4.2.8.
#[test]
fn a_range_of_a_suffix_takes_in_what_ends_so() {
    let of = |name: &str| format!("'{name}': {{ schema: {{ type: object }} }}");
    let (hal, suffix) = (of("application/hal+json"), of("application/*+json"));
    let (kind, any) = ("request-body-media-type-removed", of("application/*"));
    let wider = compare(&taken(&hal), &taken(&suffix));
    adds(&wider, "request-body-media-type-added");
    let wider = compare(&taken(&suffix), &taken(&any));
    adds(&wider, "request-body-media-type-added");
    let sent = "POST /a/0 (Content-Type: application/example+json)";
    breaks(&compare(&taken(&suffix), &taken(&hal)), kind, sent);
    breaks(&compare(&taken(&suffix), &taken(JSON)), kind, sent);
    let sent = "POST /a/0 (Content-Type: application/json)";
    breaks(&compare(&taken(JSON), &taken(&suffix)), kind, sent);
    let report = compare(&given(&suffix), &given(&hal));
    adds(&report, "response-media-type-narrowed");
    let report = compare(&given(&hal), &given(&suffix));
    suspects(&report, "response-media-type-added");
}

#[test]
fn many_media_types_are_brought_together_in_time() {
    let many = |from: usize, count: usize| {
        let each = (from..from + count).map(|v| format!("application/json;v={v}: {{}}"));
        taken(&each.collect::<Vec<_>>().join(", "))
    };
    let both = |count| [many(0, count), many(count / 2, count)];
    let growth = growth(100, both, |[before, after]| {
        let report = compare(before, after);
        assert!(!report.is_breaking(), "{}", report.to_text());
    });
    assert!(growth < 10.0, "{growth}");
}
