//! The kinds of break that oasdiff's rules name, each as a pair of contracts: one way it breaks with a
//! witness, and the other way round nothing does.

use crate::contract::{compare, request, response, with};
use crate::schemas::valid;
use diff::{Report, Severity};
use serde_json::Value;

/// The rule, the kind that a report names, and the schemas or contracts before and after.
type Case = (&'static str, &'static str, &'static str, &'static str);

/// Schemas of request bodies.
#[rustfmt::skip]
const REQUESTS: &[Case] = &[
    ("request-body-type-changed", "type", "{ type: number }", "{ type: integer }"),
    ("request-body-became-not-nullable", "type", "{ type: [string, 'null'] }", "{ type: string }"),
    ("request-body-became-enum", "enum", "{ type: string }", "{ type: string, enum: [a, b] }"),
    ("request-body-enum-value-removed", "enum", "{ enum: [a, b] }", "{ enum: [a] }"),
    ("request-body-min-length-increased", "minLength", "{ type: string, minLength: 1 }", "{ type: string, minLength: 3 }"),
    ("request-body-max-length-decreased", "maxLength", "{ type: string, maxLength: 9 }", "{ type: string, maxLength: 3 }"),
    ("request-body-min-increased", "minimum", "{ type: number, minimum: 1 }", "{ type: number, minimum: 1.5 }"),
    ("request-body-max-set", "maximum", "{ type: integer }", "{ type: integer, maximum: 7 }"),
    ("request-body-exclusive-min-set", "exclusiveMinimum", "{ type: number, minimum: 0 }", "{ type: number, minimum: 0, exclusiveMinimum: 0 }"),
    ("request-body-min-items-increased", "minItems", "{ type: array, items: {} }", "{ type: array, items: {}, minItems: 2 }"),
    ("request-body-max-items-decreased", "maxItems", "{ type: array, maxItems: 5 }", "{ type: array, maxItems: 2 }"),
    ("request-body-any-of-removed", "variant", "{ anyOf: [{ required: [a] }, { required: [b] }, { required: [c] }] }", "{ anyOf: [{ required: [a] }, { required: [b] }] }"),
    ("request-body-one-of-removed", "type", "{ oneOf: [{ type: string }, { type: integer }] }", "{ oneOf: [{ type: string }] }"),
    ("request-body-all-of-added", "required", "{ type: object }", "{ allOf: [{ type: object }, { required: [a] }] }"),
    ("request-property-became-required", "required", "{ type: object, properties: { a: {} } }", "{ type: object, required: [a], properties: { a: {} } }"),
    ("request-property-type-changed", "type", "{ properties: { a: { type: [string, integer] } } }", "{ properties: { a: { type: integer } } }"),
    ("request-property-became-not-nullable", "type", "{ properties: { a: { type: [object, 'null'] } } }", "{ properties: { a: { type: object } } }"),
    ("request-property-enum-value-removed", "enum", "{ properties: { a: { enum: [x, y] } } }", "{ properties: { a: { enum: [y] } } }"),
    ("request-property-pattern-added", "pattern", "{ properties: { a: { type: string } } }", "{ properties: { a: { type: string, pattern: '^x+$' } } }"),
    ("request-property-min-items-set", "minItems", "{ properties: { a: { type: array } } }", "{ properties: { a: { type: array, minItems: 1 } } }"),
    ("request-property-max-length-set", "maxLength", "{ properties: { a: { items: { type: string } } } }", "{ properties: { a: { items: { type: string, maxLength: 4 } } } }"),
    ("request-additional-properties-closed", "additionalProperties", "{ type: object }", "{ type: object, additionalProperties: false }"),
];

/// Schemas of response bodies.
#[rustfmt::skip]
const RESPONSES: &[Case] = &[
    ("response-body-type-changed", "type", "{ type: integer }", "{ type: number }"),
    ("response-body-became-nullable", "type", "{ type: string }", "{ type: [string, 'null'] }"),
    ("response-body-max-length-increased", "maxLength", "{ type: string, maxLength: 3 }", "{ type: string, maxLength: 9 }"),
    ("response-body-max-length-unset", "maxLength", "{ type: string, maxLength: 3 }", "{ type: string }"),
    ("response-body-min-length-decreased", "minLength", "{ type: string, minLength: 3 }", "{ type: string, minLength: 1 }"),
    ("response-body-min-items-unset", "minItems", "{ type: array, minItems: 1 }", "{ type: array }"),
    ("response-body-min-decreased", "minimum", "{ type: integer, minimum: 3 }", "{ type: integer, minimum: 2 }"),
    ("response-body-max-increased", "maximum", "{ type: integer, maximum: 3 }", "{ type: integer, maximum: 4 }"),
    ("response-body-any-of-added", "variant", "{ anyOf: [{ required: [a] }, { required: [b] }] }", "{ anyOf: [{ required: [a] }, { required: [b] }, { required: [c] }] }"),
    ("response-body-one-of-added", "type", "{ oneOf: [{ type: string }] }", "{ oneOf: [{ type: string }, { type: integer }] }"),
    ("response-body-all-of-removed", "required", "{ allOf: [{ type: object }, { required: [a] }] }", "{ type: object }"),
    ("response-required-property-removed", "properties", "{ required: [a], properties: { a: {} } }", "{ properties: {} }"),
    ("response-property-became-optional", "required", "{ required: [a], properties: { a: {} } }", "{ properties: { a: {} } }"),
    ("response-property-became-nullable", "type", "{ properties: { a: { type: string } } }", "{ properties: { a: { type: [string, 'null'] } } }"),
    ("response-property-enum-value-added", "enum", "{ properties: { a: { enum: [x] } } }", "{ properties: { a: { enum: [x, y] } } }"),
    ("response-property-type-changed", "type", "{ properties: { a: { type: integer } } }", "{ properties: { a: { type: [integer, string] } } }"),
    ("response-property-pattern-removed", "pattern", "{ properties: { a: { type: string, pattern: '^x+$' } } }", "{ properties: { a: { type: string } } }"),
    ("response-property-min-items-decreased", "minItems", "{ properties: { a: { type: array, minItems: 2 } } }", "{ properties: { a: { type: array, minItems: 1 } } }"),
    ("response-additional-properties-opened", "additionalProperties", "{ type: object, additionalProperties: false }", "{ type: object }"),
];

/// Schemas of response bodies of which a part is never sent: other validators do not know that.
#[rustfmt::skip]
const UNSENT: &[Case] = &[
    ("response-required-property-became-write-only", "properties", "{ required: [a], properties: { a: { type: string } } }", "{ required: [a], properties: { a: { type: string, writeOnly: true } } }"),
];

/// Path items and components.
#[rustfmt::skip]
const CONTRACTS: &[Case] = &[
    ("api-path-removed-without-deprecation", "operation-removed", "paths: { /a: { get: *ok }, /b: { get: *two } }", "paths: { /a: { get: *ok } }"),
    ("api-removed-without-deprecation", "operation-removed", "paths: { /a: { get: *ok, put: *two } }", "paths: { /a: { get: *ok } }"),
    ("api-security-added", "security-tightened", "paths: { /a: { get: *ok } }", "paths: { /a: { get: { <<: *ok, security: [{ key: [] }] } } }"),
    ("api-security-scope-added", "security-tightened", "paths: { /a: { get: { <<: *ok, security: [{ login: [r] }] } } }", "paths: { /a: { get: { <<: *ok, security: [{ login: [r, w] }] } } }"),
    ("api-global-security-removed", "security-tightened", "paths: { /a: { get: { <<: *ok, security: [{ key: [] }, { login: [] }] } } }", "paths: { /a: { get: { <<: *ok, security: [{ login: [] }] } } }"),
    ("request-parameter-became-required", "request-parameter-required", "paths: { /a: { get: *ok, parameters: [{ name: X-Q, in: header, schema: {} }] } }", "paths: { /a: { get: *ok, parameters: [{ name: X-Q, in: header, required: true, schema: {} }] } }"),
    ("request-parameter-enum-value-removed", "request-parameter-enum", "paths: { /a: { get: *ok, parameters: [{ name: q, in: cookie, schema: { enum: [a, b] } }] } }", "paths: { /a: { get: *ok, parameters: [{ name: q, in: cookie, schema: { enum: [a] } }] } }"),
    ("request-parameter-became-enum", "request-parameter-enum", "paths: { '/a/{q}': { get: *ok, parameters: [{ name: q, in: path, required: true, schema: { type: string } }] } }", "paths: { '/a/{q}': { get: *ok, parameters: [{ name: q, in: path, required: true, schema: { type: string, enum: [a] } }] } }"),
    ("request-parameter-type-changed", "request-parameter-type", "paths: { /a: { get: *ok, parameters: [{ name: q, in: query, schema: { type: string } }] } }", "paths: { /a: { get: *ok, parameters: [{ name: q, in: query, schema: { type: integer } }] } }"),
    ("request-parameter-pattern-added", "request-parameter-pattern", "paths: { /a: { get: *ok, parameters: [{ name: q, in: query, schema: { type: string } }] } }", "paths: { /a: { get: *ok, parameters: [{ name: q, in: query, schema: { type: string, pattern: '^[0-9]$' } }] } }"),
    ("request-parameter-max-items-decreased", "request-parameter-maxItems", "paths: { /a: { get: *ok, parameters: [{ name: q, in: query, schema: { type: array, items: { type: string } } }] } }", "paths: { /a: { get: *ok, parameters: [{ name: q, in: query, schema: { type: array, items: { type: string }, maxItems: 2 } }] } }"),
    ("request-body-became-required", "request-body-required", "paths: { /a: { post: { <<: *ok, requestBody: { content: { application/json: {} } } } } }", "paths: { /a: { post: { <<: *ok, requestBody: { required: true, content: { application/json: {} } } } } }"),
    ("request-body-media-type-removed", "request-body-media-type-removed", "paths: { /a: { post: { <<: *ok, requestBody: { content: { application/json: {}, text/plain: {} } } } } }", "paths: { /a: { post: { <<: *ok, requestBody: { content: { application/json: {} } } } } }"),
    ("response-success-status-removed", "response-removed", "paths: { /a: { get: { <<: *ok, responses: { '200': *d, '204': *d } } } }", "paths: { /a: { get: { <<: *ok, responses: { '204': *d } } } }"),
    ("response-media-type-removed", "response-media-type-removed", "paths: { /a: { get: { <<: *ok, responses: { '200': { <<: *d, content: { application/json: {}, text/csv: {} } } } } } }", "paths: { /a: { get: { <<: *ok, responses: { '200': { <<: *d, content: { application/json: {} } } } } } }"),
    ("required-response-header-removed", "response-header-removed", "paths: { /a: { get: { <<: *ok, responses: { '200': { <<: *d, headers: { X-H: { required: true, schema: {} } } } } } } }", "paths: { /a: { get: { <<: *ok, responses: { '200': *d } } } }"),
    ("response-header-became-optional", "response-header-optional", "paths: { /a: { get: { <<: *ok, responses: { '200': { <<: *d, headers: { X-H: { required: true, schema: {} } } } } } } }", "paths: { /a: { get: { <<: *ok, responses: { '200': { <<: *d, headers: { X-H: { schema: {} } } } } } } }"),
];

/// Path items in which something is new and asked for; to no longer read it is not harmless either.
#[rustfmt::skip]
const ASKED: &[Case] = &[
    ("new-required-request-parameter", "request-parameter-added", "paths: { /a: { get: *ok } }", "paths: { /a: { get: *ok, parameters: [{ name: q, in: query, required: true, schema: {} }] } }"),
    ("added-required-request-body", "request-body-added", "paths: { /a: { post: *ok } }", "paths: { /a: { post: { <<: *ok, requestBody: { required: true, content: { application/json: {} } } } } }"),
    ("new-required-request-property", "request-body-required", "paths: { /a: { post: { <<: *ok, requestBody: { required: true, content: { application/json: { schema: { type: object } } } } } } }", "paths: { /a: { post: { <<: *ok, requestBody: { required: true, content: { application/json: { schema: { type: object, required: [a], properties: { a: { type: string } } } } } } } } }"),
    ("request-property-became-not-read-only", "request-body-required", "paths: { /a: { post: { <<: *ok, requestBody: { required: true, content: { application/json: { schema: { required: [a], properties: { a: { type: string, readOnly: true } } } } } } } } }", "paths: { /a: { post: { <<: *ok, requestBody: { required: true, content: { application/json: { schema: { required: [a], properties: { a: { type: string } } } } } } } } }"),
];

#[test]
fn a_request_of_every_kind() {
    let judge = |case: &Case| {
        let (_, keyword, wide, narrow) = case;
        let kind = format!("request-body-{keyword}");
        one_way(case, &kind, request, Some((wide, narrow)))
    };
    every(REQUESTS, judge);
}

#[test]
fn a_response_of_every_kind() {
    let judge = |case: &Case| {
        let (_, keyword, narrow, wide) = case;
        let kind = format!("response-body-{keyword}");
        one_way(case, &kind, response, Some((wide, narrow)))
    };
    every(RESPONSES, judge);
    every(UNSENT, |case| {
        let kind = format!("response-body-{}", case.1);
        one_way(case, &kind, response, None)
    });
}

#[test]
fn a_contract_of_every_kind() {
    every(CONTRACTS, |case| {
        let (_, kind, before, after) = case;
        let (before, after) = (contract(before), contract(after));
        proven(&compare(&before, &after), kind)?;
        harmless(&compare(&after, &before))
    });
}

#[test]
fn what_is_new_and_asked_for() {
    every(ASKED, |case| {
        let (_, kind, before, after) = case;
        proven(&compare(&contract(before), &contract(after)), kind).map(drop)
    });
}

/// Whether a case breaks with a value, in the direction that it is about, and is harmless the other
/// way round. The value is valid by the wide schema alone, where another validator can tell.
fn one_way(
    case: &Case,
    kind: &str,
    body: impl Fn(&str) -> Value,
    told: Option<(&str, &str)>,
) -> Result<(), String> {
    let (_, _, before, after) = case;
    let report = compare(&body(before), &body(after));
    let value = proven(&report, kind)?.ok_or("no value")?;
    if told.is_some_and(|(wide, narrow)| !valid(wide, &value) || valid(narrow, &value)) {
        return Err(format!("{value} is no witness"));
    }
    harmless(&compare(&body(after), &body(before)))
}

/// The value of a witness, where a break of that kind was found, all breaks have one, and nothing is
/// merely suspected.
fn proven(report: &Report, kind: &str) -> Result<Option<Value>, String> {
    let found = report
        .of(Severity::Breaking)
        .find(|change| change.kind == kind);
    let change = found.ok_or_else(|| format!("no {kind}\n{}", report.to_text()))?;
    let all = report
        .of(Severity::Breaking)
        .all(|change| change.witness.is_some());
    if !all || report.count(Severity::Possible) > 0 {
        return Err(format!("unsure\n{}", report.to_text()));
    }
    Ok(change
        .witness
        .as_ref()
        .and_then(|witness| witness.value.clone()))
}

fn harmless(report: &Report) -> Result<(), String> {
    let suspected = report.is_breaking() || report.count(Severity::Possible) > 0;
    if suspected || report.changes.is_empty() {
        return Err(format!("not harmless\n{}", report.to_text()));
    }
    Ok(())
}

/// A document with these paths; `*ok` and `*two` are operations, and `*d` is a response.
fn contract(paths: &str) -> Value {
    let text = format!(
        "x: {{ d: &d {{ description: d }}, ok: &ok {{ operationId: one, responses: {{ '200': *d }} }},
            two: &two {{ operationId: two, responses: {{ '200': *d }} }} }}\n{paths}"
    );
    let mut value: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
    value.apply_merge().unwrap();
    let schemes = "{ securitySchemes: { key: { type: apiKey, in: header, name: X-Key },
        login: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.example/t',
        scopes: { r: read, w: write } } } } } }";
    let mut document = with("{}", schemes);
    document["paths"] = serde_json::to_value(&value["paths"]).unwrap();
    document
}

/// Judges every case, and shows all that went wrong.
#[track_caller]
fn every(cases: &[Case], judge: impl Fn(&Case) -> Result<(), String>) {
    let wrong = cases
        .iter()
        .filter_map(|case| Some(format!("{}: {}", case.0, judge(case).err()?)));
    let wrong: Vec<_> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}
