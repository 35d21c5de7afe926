//! Query parameters of their own, and the same as the members of one object.

use crate::contract::{compare, document};
use crate::operations::{adds, breaks, suspects};
use codegen::diff::Severity;
use serde_json::Value;

/// An operation with these query parameters: a name and the rest of each.
pub(crate) fn queried(parameters: &[(&str, &str)]) -> Value {
    let each = parameters.iter();
    let each = each.map(|(name, rest)| format!("{{ name: '{name}', in: query, {rest} }}"));
    document(&format!(
        "/a: {{ get: {{ operationId: a, responses: {{ '204': {{ description: d }} }},
            parameters: [{}] }} }}",
        each.collect::<Vec<_>>().join(", ")
    ))
}

const TEXT: &str = "schema: { type: string }";
pub(crate) const NUMBER: &str = "schema: { type: integer }";
pub(crate) const MEMBERS: &str =
    "type: object, properties: { aa: { type: string }, bb: { type: integer } }";

pub(crate) fn object(rest: &str) -> Value {
    queried(&[("f", &format!("schema: {{ {MEMBERS}{rest} }}"))])
}

#[track_caller]
fn same(one: &Value, other: &Value) {
    for (before, after) in [(one, other), (other, one)] {
        let report = compare(before, after);
        assert!(report.changes.is_empty(), "{}", report.to_text());
    }
}

#[test]
fn members_of_an_object_are_parameters_of_their_own() {
    let apart = queried(&[("aa", TEXT), ("bb", NUMBER)]);
    same(&apart, &object(""));
    same(&apart, &object(", additionalProperties: false"));
    let lists = "schema: { type: array, items: { type: string } }";
    let of_lists = "schema: { type: object, properties: {
        aa: { type: string }, bb: { type: array, items: { type: string } } } }";
    same(
        &queried(&[("aa", TEXT), ("bb", lists)]),
        &queried(&[("f", of_lists)]),
    );
    let described = format!("description: d, {TEXT}");
    let of_described =
        "schema: { type: object, properties: { aa: { type: string, description: d } } }";
    same(
        &queried(&[("aa", &described)]),
        &queried(&[("f", of_described)]),
    );
}

#[test]
fn an_open_object_takes_other_names_as_well() {
    let apart = queried(&[("aa", TEXT), ("bb", NUMBER)]);
    let open = object(", additionalProperties: { type: string }");
    let kind = "request-parameter-additionalProperties";
    adds(&compare(&apart, &open), kind);
    breaks(&compare(&open, &apart), kind, "GET /a?extra0=a");
}

#[test]
fn names_in_brackets_are_members_of_an_object_in_brackets() {
    let apart = queried(&[("f[aa]", TEXT), ("f[bb]", NUMBER)]);
    let deep = |rest: &str| {
        queried(&[(
            "f",
            &format!("style: deepObject, schema: {{ {MEMBERS}{rest} }}"),
        )])
    };
    same(&apart, &deep(", additionalProperties: false"));
    let kind = "request-parameter-additionalProperties";
    adds(&compare(&apart, &deep("")), kind);
    breaks(&compare(&deep(""), &apart), kind, "GET /a?f[extra0]=a");
}

#[test]
fn members_that_are_others_than_the_parameters() {
    let apart = queried(&[("aa", TEXT), ("bb", TEXT)]);
    let kind = "request-parameter-type";
    breaks(&compare(&apart, &object("")), kind, "GET /a?bb=a");
    adds(&compare(&object(""), &apart), kind);
    let fewer = queried(&[("aa", TEXT)]);
    let closed = object(", additionalProperties: false");
    let kind = "request-parameter-properties";
    adds(&compare(&fewer, &closed), kind);
    let (apart, more) = (
        queried(&[("aa", TEXT)]),
        queried(&[("aa", TEXT), ("bb", NUMBER), ("cc", TEXT)]),
    );
    assert!(compare(&closed, &apart).is_breaking());
    let kind = "request-parameter-removed";
    breaks(&compare(&more, &closed), kind, "GET /a?cc=a");
}

#[test]
fn members_that_must_be_there() {
    let required = format!("required: true, {TEXT}");
    let (some, none) = (
        queried(&[("aa", &required), ("bb", NUMBER)]),
        queried(&[("aa", TEXT), ("bb", NUMBER)]),
    );
    let whole = format!("required: true, schema: {{ {MEMBERS}, required: [aa] }}");
    let whole = queried(&[("f", &whole)]);
    same(&some, &whole);
    for after in [&some, &whole] {
        let report = compare(&none, after);
        assert!(report.is_breaking(), "{}", report.to_text());
        assert!(
            report.to_text().contains("`aa` is missing"),
            "{}",
            report.to_text()
        );
        assert!(!compare(after, &none).is_breaking());
    }
}

#[test]
fn a_parameter_that_is_gone_was_sent() {
    let none = queried(&[]);
    let kind = "request-parameter-removed";
    let optional = object("");
    breaks(&compare(&optional, &none), kind, "GET /a?aa=a&bb=0");
    let free = queried(&[("f", "schema: { type: object }")]);
    breaks(&compare(&free, &none), kind, "GET /a?extra0=a");
    // Commas are not how members are written.
    let list = "explode: false, schema: { type: array, items: { type: string } }";
    let report = compare(&queried(&[("aa", list)]), &optional);
    suspects(&report, kind);
    assert!(
        report.to_text().contains("is read as `f`"),
        "{}",
        report.to_text()
    );
    suspects(&compare(&queried(&[("aa", TEXT)]), &free), kind);
}

#[test]
fn an_object_that_may_be_of_several_forms_reads_its_members() {
    let apart = queried(&[("aa", TEXT), ("bb", NUMBER)]);
    let (kind, added) = ("request-parameter-oneOf", "request-parameter-type");
    let either = object(", oneOf: [{ required: [aa] }, { required: [bb] }]");
    breaks(&compare(&apart, &either), kind, "GET /a?aa=a&bb=0");
    adds(&compare(&either, &apart), kind);
    // What is of neither variant is no parameter's, or is not sent.
    let any = object(", anyOf: [{ required: [aa] }, { required: [bb] }]");
    suspects(&compare(&apart, &any), kind);
    suspects(&compare(&object(""), &any), kind);
    adds(&compare(&any, &apart), kind);
    let variants = queried(&[(
        "f",
        "schema: { anyOf: [
            { type: object, additionalProperties: false, properties: { aa: { type: string } } },
            { type: object, additionalProperties: false, properties: { bb: { type: integer } } }] }",
    )]);
    let report = compare(&apart, &variants);
    breaks(&report, "request-parameter-variant", "GET /a?aa=a&bb=0");
    let members = MEMBERS.strip_prefix("type: object, ").unwrap();
    let of = |types: &str| queried(&[("f", &format!("schema: {{ {types}{members} }}"))]);
    same(&apart, &of("type: [object, 'null'], "));
    // It may be a text as well, which its own name is for.
    adds(&compare(&apart, &of("")), added);
    breaks(&compare(&of(""), &apart), added, "GET /a?f=true");
}

#[test]
fn a_parameter_becomes_a_member_of_an_object_that_there_was() {
    let of = |members: &str| format!("schema: {{ type: object, {members} }}");
    let (one, both) = (
        of("properties: { bb: { type: integer } }"),
        of("properties: { aa: { type: string }, bb: { type: integer } }"),
    );
    let apart = queried(&[("aa", TEXT), ("f", &one)]);
    same(&apart, &queried(&[("f", &both)]));
    let numbers = of("properties: { aa: { type: integer }, bb: { type: integer } }");
    let kind = "request-parameter-type";
    let report = compare(&apart, &queried(&[("f", &numbers)]));
    breaks(&report, kind, "GET /a?aa=a");
    adds(&compare(&queried(&[("f", &numbers)]), &apart), kind);
    let rest = "additionalProperties: { type: integer }, properties:";
    let [one, both] = [&one, &both].map(|object| object.replace("properties:", rest));
    same(
        &queried(&[("aa", TEXT), ("f", &one)]),
        &queried(&[("f", &both)]),
    );
    // What must be there wherever one of the object's is, need not be beside a parameter of its own.
    let [one, both] =
        [&one, &both].map(|object| object.replace("object,", "object, required: [bb],"));
    let apart = queried(&[("aa", TEXT), ("f", &one)]);
    let report = compare(&apart, &queried(&[("f", &both)]));
    suspects(&report, "request-parameter-removed");
}

#[test]
fn the_name_of_an_object_is_not_sent() {
    let of = |name: &str, members: &str| {
        let schema = format!("schema: {{ type: object, properties: {{ {members} }} }}");
        queried(&[(name, &schema)])
    };
    let before = of("f", "aa: { type: string }");
    same(&before, &of("g", "aa: { type: string }"));
    let kind = "request-parameter-type";
    let after = of("g", "aa: { type: integer }");
    breaks(&compare(&before, &after), kind, "GET /a?aa=a");
    adds(&compare(&after, &before), kind);
    let free = |name: &str, kind: &str| {
        let schema =
            format!("schema: {{ type: object, additionalProperties: {{ type: {kind} }} }}");
        queried(&[(name, &schema)])
    };
    let (texts, numbers) = (free("f", "string"), free("g", "integer"));
    breaks(&compare(&texts, &numbers), kind, "GET /a?extra0=a");
    let apart = queried(&[
        ("aa", TEXT),
        (
            "f",
            "schema: { type: object, properties: { bb: { type: integer } } }",
        ),
    ]);
    same(
        &apart,
        &of("g", "aa: { type: string }, bb: { type: integer }"),
    );
    // What is no longer a member of it may be one of another object, or on its own.
    let closed = |members: &str| {
        format!(
            "schema: {{ type: object, additionalProperties: false, properties: {{ {members} }} }}"
        )
    };
    let [one, other] = ["aa: { type: string }", "bb: { type: integer }"].map(closed);
    let whole = object(", additionalProperties: false");
    let kind = "request-parameter-properties";
    suspects(
        &compare(&whole, &queried(&[("g", &one), ("h", &other)])),
        kind,
    );
    same(&whole, &queried(&[("aa", TEXT), ("g", &other)]));
    let required = other.replace("object,", "object, required: [bb],");
    let apart = queried(&[("aa", TEXT), ("g", &required)]);
    let report = compare(&whole, &apart);
    assert!(!report.to_text().contains("aa=a"), "{}", report.to_text());
}

/// A contract that sends what an operation takes.
pub(crate) fn called(queried: &Value) -> Value {
    let item = &queried["paths"]["/a"];
    let mut document = document(
        "/a: { post: { operationId: b, responses: { '204': { description: d } }, callbacks: { c: {} } } }",
    );
    document["paths"]["/a"]["post"]["callbacks"]["c"]["{$request.query.u}"] = item.clone();
    document["webhooks"]["w"] = item.clone();
    document["webhooks"]["w"]["get"]["operationId"] = "w".into();
    document
}

#[test]
fn what_is_sent_has_members_of_objects_as_well() {
    let apart = called(&queried(&[("aa", TEXT), ("bb", NUMBER)]));
    same(&apart, &called(&object("")));
    let texts = called(&queried(&[("aa", TEXT), ("bb", TEXT)]));
    for (before, after, breaks) in [
        (&apart, &texts, 2),
        (&called(&object("")), &texts, 2),
        (&texts, &apart, 0),
    ] {
        let report = compare(before, after);
        assert_eq!(
            report.count(Severity::Breaking),
            breaks,
            "{}",
            report.to_text()
        );
        assert!(
            !report.to_text().contains("was added"),
            "{}",
            report.to_text()
        );
    }
}

#[test]
fn a_member_may_be_called_like_its_object() {
    let of = |kind: &str| {
        let members = format!("ff: {{ type: {kind} }}, bb: {{ type: integer }}");
        queried(&[(
            "ff",
            &format!("schema: {{ type: object, properties: {{ {members} }} }}"),
        )])
    };
    let (apart, kind) = (
        queried(&[("ff", TEXT), ("bb", NUMBER)]),
        "request-parameter-type",
    );
    same(&apart, &of("string"));
    breaks(&compare(&apart, &of("integer")), kind, "GET /a?ff=a");
    breaks(
        &compare(&of("string"), &queried(&[("ff", NUMBER), ("bb", NUMBER)])),
        kind,
        "GET /a?ff=a",
    );
    // Without such a member, the name of the object is no pair's.
    let named = queried(&[("ff", &format!("schema: {{ {MEMBERS} }}"))]);
    assert!(compare(&queried(&[("ff", TEXT)]), &named).is_breaking());
    // In brackets it is another pair.
    let deep = "style: deepObject, schema: { type: object, properties: { ff: { type: string } } }";
    assert!(compare(&queried(&[("ff", TEXT)]), &queried(&[("ff", deep)])).is_breaking());
}
