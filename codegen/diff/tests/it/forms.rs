//! Forms: the content, the media type and the style of their fields.

use crate::contract::{compare, document, only};
use crate::operations::suspects;
use diff::Severity;
use serde_json::Value;

/// An operation that takes a form with a field `f`.
fn form(media_type: &str, schema: &str, encoding: &str) -> Value {
    document(&format!(
        "/a: {{ post: {{ operationId: a, responses: {{ '204': {{ description: d }} }},
            requestBody: {{ required: true, content: {{ {media_type}: {{
            schema: {{ type: object, required: [f, g], properties: {{ f: {schema}, g: {{ type: string }} }} }},
            encoding: {{ f: {encoding} }} }} }} }} }} }}"
    ))
}

fn parts(schema: &str, encoding: &str) -> Value {
    form("multipart/form-data", schema, encoding)
}

#[track_caller]
fn breaks(before: &Value, after: &Value, kind: &str, sent: &str) {
    let report = compare(before, after);
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.kind, kind, "{}", report.to_text());
    let exchange = &change.witness.as_ref().unwrap().exchange;
    assert_eq!(
        exchange,
        &format!("POST /a ({sent})"),
        "{}",
        report.to_text()
    );
    assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
}

#[track_caller]
fn adds(before: &Value, after: &Value, kind: &str) {
    let report = compare(before, after);
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
    assert_eq!(only(&report, Severity::Compatible).kind, kind);
}

const FILE: &str = "{ type: string, format: binary }";
const TEXT: &str = "{ type: string }";
const OBJECT: &str = "{ type: object, properties: { a: { type: integer } } }";

#[test]
fn a_file_that_became_something_else() {
    let kind = "request-body-part";
    for (before, after) in [(FILE, TEXT), (TEXT, FILE)] {
        suspects(&compare(&parts(before, "{}"), &parts(after, "{}")), kind);
    }
    // Its schema is another as well.
    for (before, after) in [(TEXT, OBJECT), (OBJECT, TEXT)] {
        let report = compare(&parts(before, "{}"), &parts(after, "{}"));
        let change = only(&report, Severity::Breaking);
        assert_eq!(change.kind, "request-body-type", "{}", report.to_text());
        assert_eq!(only(&report, Severity::Possible).kind, kind);
    }
}

#[test]
fn files_are_counted() {
    let list = |bounds: &str| parts(&format!("{{ type: array, items: {FILE} {bounds} }}"), "{}");
    let one = parts(FILE, "{}");
    for (before, after) in [
        (&one, &list(", minItems: 2")),
        (&list(""), &one),
        (&list(", maxItems: 9"), &list(", maxItems: 5")),
    ] {
        // No value is made up for files.
        only(&compare(before, after), Severity::Possible);
    }
    let kind = "request-body-maxItems";
    adds(&list(", maxItems: 5"), &list(", maxItems: 9"), kind);
}

#[test]
fn the_media_type_and_the_headers_of_a_part() {
    let typed = |types: &str| parts(FILE, &format!("{{ contentType: '{types}' }}"));
    let kind = "request-body-part";
    let (images, png) = (typed("image/*"), typed("image/png"));
    let two = typed("image/jpeg, image/png");
    let (json, any) = (parts(OBJECT, "{}"), parts(FILE, "{}"));
    let xml = parts(OBJECT, "{ contentType: application/xml }");
    for (before, after) in [(&images, &png), (&two, &png), (&any, &png), (&json, &xml)] {
        suspects(&compare(before, after), kind);
    }
    adds(&png, &images, kind);
    let with = |required: bool| {
        let header = format!("X-H: {{ required: {required}, schema: {{ type: string }} }}");
        parts(FILE, &format!("{{ headers: {{ {header} }} }}"))
    };
    let kind = "request-body-part-header-required";
    breaks(&with(false), &with(true), kind, "f: without X-H");
    adds(
        &with(true),
        &with(false),
        "request-body-part-header-optional",
    );
    let of = |schema: &str| {
        let header = format!("X-H: {{ schema: {schema} }}");
        parts(FILE, &format!("{{ headers: {{ {header} }} }}"))
    };
    let (any, short) = (of(TEXT), of("{ type: string, maxLength: 2 }"));
    let longer = "request-body-part-header-maxLength";
    breaks(&any, &short, longer, "f: X-H: sample");
    adds(&short, &any, longer);
    let list = "{ type: array, items: { type: string } }";
    let json = format!("X-H: {{ content: {{ application/json: {{ schema: {list} }} }} }}");
    let json = parts(FILE, &format!("{{ headers: {{ {json} }} }}"));
    let style = "request-body-part-header-style";
    breaks(&of(list), &json, style, "f: X-H: a");
}

#[test]
fn headers_of_parts_come_and_go() {
    let kind = "request-body-part-header-removed";
    let with = |header: &str| parts(FILE, &format!("{{ headers: {{ {header} }} }}"));
    let (none, optional) = (with(""), with("X-H: { schema: { type: string } }"));
    adds(&none, &optional, "request-body-part-header-added");
    for gone in [
        &optional,
        &with("X-H: { required: true, schema: { type: string } }"),
    ] {
        let report = compare(gone, &none);
        let change = only(&report, Severity::Possible);
        assert_eq!(change.kind, kind);
        assert_eq!(report.changes.len(), 1, "{}", report.to_text());
    }
    for (documented, count) in [
        ("X-H: { description: d, schema: { type: string } }", 1),
        (
            "X-H: { description: d, deprecated: true, schema: { type: string } }",
            1,
        ),
    ] {
        let report = compare(&optional, &with(documented));
        assert_eq!(report.count(Severity::Docs), count, "{}", report.to_text());
        assert_eq!(report.changes.len(), count, "{}", report.to_text());
    }
}

#[test]
fn members_that_became_parts_of_their_own() {
    let (deep, spread) = (
        parts(OBJECT, "{ style: deepObject }"),
        parts(OBJECT, "{ style: form }"),
    );
    for (before, after) in [(&deep, &spread), (&spread, &deep)] {
        let report = compare(before, after);
        assert_eq!(only(&report, Severity::Possible).kind, "request-body-part");
    }
}

#[test]
fn files_have_lengths() {
    let of = |bounds: &str| parts(&format!("{{ type: string, format: binary{bounds} }}"), "{}");
    let (any, short, long) = (of(""), of(", maxLength: 5"), of(", minLength: 2"));
    for (before, after) in [(&any, &short), (&any, &long)] {
        only(&compare(before, after), Severity::Possible);
    }
    adds(&short, &any, "request-body-maxLength");
}

#[test]
fn texts_of_a_form_are_read_by_their_schema() {
    for media_type in ["multipart/form-data", "application/x-www-form-urlencoded"] {
        let of = |schema: &str| form(media_type, schema, "{}");
        let report = compare(&of("{ type: integer }"), &of(TEXT));
        assert!(!report.is_breaking(), "{}", report.to_text());
        let list = of("{ type: array, items: { type: string } }");
        let report = compare(&of(TEXT), &list);
        assert!(!report.is_breaking(), "{}", report.to_text());
        let report = compare(&of(TEXT), &of("{ type: integer }"));
        assert_eq!(only(&report, Severity::Breaking).kind, "request-body-type");
        // What is JSON within a form is not.
        let json = |kind: &str| {
            of(&format!(
                "{{ type: object, properties: {{ a: {{ type: {kind} }} }} }}"
            ))
        };
        let is_json = media_type.starts_with("multipart");
        let report = compare(&json("integer"), &json("string"));
        assert_eq!(report.is_breaking(), is_json, "{}", report.to_text());
    }
}

#[test]
fn a_part_that_is_gone_or_new_is_told_once() {
    let without = document(
        "/a: { post: { operationId: a, responses: { '204': { description: d } },
            requestBody: { required: true, content: { multipart/form-data: {
            schema: { type: object, required: [g], properties: { g: { type: string } } } } } } } }",
    );
    let report = compare(&parts(FILE, "{}"), &without);
    assert!(!report.is_breaking(), "{}", report.to_text());
    let report = compare(&without, &parts(FILE, "{}"));
    assert_eq!(
        only(&report, Severity::Breaking).kind,
        "request-body-required"
    );
}
