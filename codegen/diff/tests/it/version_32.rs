//! Changes of the fields that OpenAPI 3.2 added.

use crate::contract::{compare, with};
use crate::operations::suspects;
use diff::Severity;
use serde_json::{Value, json};

/// A document of OpenAPI 3.2 with these paths and components.
fn newest(paths: &str, components: &str) -> Value {
    let mut document = with(paths, components);
    document["openapi"] = "3.2.0".into();
    document
}

/// A document whose one operation takes that content.
fn taken(content: &str) -> Value {
    newest(
        &format!(
            "/a: {{ post: {{ operationId: a, requestBody: {{ required: true, content: {{ {content} }} }},
                responses: {{ '204': {{ summary: s }} }} }} }}"
        ),
        "{}",
    )
}

/// A document whose one operation gives that content.
fn given(content: &str) -> Value {
    newest(
        &format!(
            "/a: {{ get: {{ operationId: a, responses: {{ '200': {{ summary: s, content: {{ {content} }} }} }} }} }}"
        ),
        "{}",
    )
}

#[test]
fn the_document_around_operations_changes_nothing_on_the_wire() {
    let plain = given("text/plain: {}");
    let mut named = plain.clone();
    named["$self"] = "https://a.example/openapi.yaml".into();
    named["servers"] = json!([{ "url": "/", "name": "own" }]);
    named["tags"] =
        json!([{ "name": "a", "summary": "A", "kind": "nav" }, { "name": "b", "parent": "a" }]);
    let told = "a told response";
    named["paths"]["/a"]["get"]["responses"]["200"]["summary"] = told.into();
    let content = &mut named["paths"]["/a"]["get"]["responses"]["200"]["content"]["text/plain"];
    content["examples"] = json!({ "one": { "dataValue": "a", "serializedValue": "a" } });
    let report = compare(&plain, &named);
    let is_told = |change: &diff::Change| change.severity == Severity::Docs;
    assert!(report.changes.iter().all(is_told), "{}", report.to_text());
}

#[test]
fn events_are_compared_by_what_is_in_them() {
    let events = |maximum: &str| {
        format!(
            "text/event-stream: {{ itemSchema: {{ type: object, required: [data], properties: {{
                event: {{ const: counted }}, data: {{ type: integer {maximum} }} }} }} }}"
        )
    };
    let (wide, narrow) = (events(""), events(", maximum: 3"));
    assert!(compare(&taken(&wide), &taken(&narrow)).is_breaking());
    assert!(!compare(&taken(&narrow), &taken(&wide)).is_breaking());
    assert!(compare(&given(&narrow), &given(&wide)).is_breaking());
}

#[test]
fn parts_are_compared_by_their_places() {
    let parts = |content_type: &str, schema: &str| {
        format!(
            "multipart/mixed: {{ schema: {{ type: array, prefixItems: [{schema}] }},
                prefixEncoding: [{{ contentType: {content_type} }}] }}"
        )
    };
    let (any, few) = ("{ type: object }", "{ type: object, required: [a] }");
    let json = taken(&parts("application/json", any));
    assert!(compare(&json, &json).changes.is_empty());
    let xml = taken(&parts("application/xml", any));
    suspects(&compare(&json, &xml), "request-body-part");
    let picky = taken(&parts("application/json", few));
    assert!(compare(&json, &picky).is_breaking());
    let (json, xml) = (
        parts("application/json", any),
        parts("application/xml", any),
    );
    suspects(&compare(&given(&json), &given(&xml)), "response-body-part");
}

#[test]
fn a_field_of_a_query_string_that_is_written_another_way() {
    let with = |encoding: &str| {
        newest(
            &format!(
                "/a: {{ get: {{ operationId: a, responses: {{ '204': {{ summary: s }} }}, parameters: [
                    {{ name: q, in: querystring, content: {{ application/x-www-form-urlencoded: {{
                        schema: {{ type: object, properties: {{ f: {{ type: array, items: {{ type: integer }} }} }} }},
                        encoding: {{ f: {encoding} }} }} }} }}] }} }}"
            ),
            "{}",
        )
    };
    let (pairs, commas) = (with("{}"), with("{ explode: false }"));
    assert!(compare(&pairs, &pairs).changes.is_empty());
    suspects(&compare(&pairs, &commas), "request-body-part");
}

#[test]
fn a_default_mapping_takes_what_no_other_does() {
    let union = |default: &str| {
        newest(
            "/a: { post: { operationId: a, requestBody: { required: true, content: { application/json: {
                schema: { $ref: '#/components/schemas/U' } } } }, responses: { '204': { summary: s } } } }",
            &format!(
                "{{ schemas: {{
                    U: {{ anyOf: [{{ $ref: '#/components/schemas/A' }}, {{ $ref: '#/components/schemas/B' }}],
                        discriminator: {{ propertyName: kind {default} }} }},
                    A: {{ type: object, required: [kind], properties: {{ kind: {{ const: A }} }} }},
                    B: {{ type: object, properties: {{ kind: {{ type: string }}, b: {{ type: integer }} }} }} }} }}"
            ),
        )
    };
    let (with, without) = (union(", defaultMapping: B"), union(""));
    assert!(compare(&with, &with).changes.is_empty());
    let report = compare(&with, &without);
    assert!(
        !report.changes.is_empty(),
        "a value without a name is refused now"
    );
    assert!(!compare(&without, &with).is_breaking());
}

#[test]
fn a_scheme_is_the_same_by_its_name_and_by_its_uri() {
    let with = |name: &str, scheme: &str| {
        newest(
            &format!(
                "/a: {{ get: {{ operationId: a, security: [{{ '{name}': [] }}], responses: {{ '204': {{ summary: s }} }} }} }}"
            ),
            &format!("{{ securitySchemes: {{ key: {scheme} }} }}"),
        )
    };
    let key = "{ type: apiKey, in: header, name: key }";
    let (name, uri) = (
        with("key", key),
        with("#/components/securitySchemes/key", key),
    );
    assert!(compare(&name, &uri).changes.is_empty());
    let device =
        "{ type: oauth2, oauth2MetadataUrl: 'https://a.example', deprecated: true, flows: {
        deviceAuthorization: { deviceAuthorizationUrl: /d, tokenUrl: /t, scopes: {} } } }";
    let report = compare(&uri, &with("key", device));
    assert!(report.is_breaking(), "{}", report.to_text());
    let http = "{ type: http, scheme: bearer }";
    let report = compare(&with("key", http), &with("key", device));
    assert!(!report.is_breaking(), "{}", report.to_text());
}

#[test]
fn the_text_of_an_example_in_xml_is_no_promise() {
    let xml = |node: &str| {
        given(&format!(
            "application/xml: {{ schema: {{ type: object, xml: {{ nodeType: {node} }} }} }}"
        ))
    };
    assert!(!compare(&xml("element"), &xml("none")).is_breaking());
}
