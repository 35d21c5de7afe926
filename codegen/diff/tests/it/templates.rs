//! Paths with parameters: their names and their values.

use crate::contract::{compare, document, only};
use crate::operations::{adds, breaks, suspects};
use diff::{Report, Severity};
use serde_json::Value;

/// A document whose paths each have a `GET` with path parameters of these names and schemas.
fn gets(paths: &[(&str, &[(&str, &str)])]) -> Value {
    let paths = paths.iter().map(|(path, parameters)| {
        let parameters = parameters.iter().map(|(name, schema)| {
            format!("{{ name: {name}, in: path, required: true, schema: {schema} }}")
        });
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        format!(
            "'{path}': {{ get: {{ parameters: [{parameters}], responses: {{ '204': {{ description: d }} }} }} }}"
        )
    });
    document(&format!("{{ {} }}", paths.collect::<Vec<_>>().join(", ")))
}

#[track_caller]
fn is_silent(report: &Report) {
    assert!(report.changes.is_empty(), "{}", report.to_text());
}

const TEXT: &str = "{ type: string }";
const NUMBER: &str = "{ type: integer }";

#[test]
fn a_modifier_of_other_templates_is_no_part_of_a_name() {
    for path in ["/a/{proxy+}", "/a/{+proxy}", "/a/{*proxy}"] {
        let of = |schema| gets(&[(path, &[("proxy", schema)])]);
        is_silent(&compare(&of(TEXT), &of(TEXT)));
        let plain = gets(&[("/a/{proxy}", &[("proxy", TEXT)])]);
        is_silent(&compare(&of(TEXT), &plain));
        is_silent(&compare(&plain, &of(TEXT)));
        let report = compare(&of(TEXT), &of(NUMBER));
        breaks(&report, "request-parameter-type", "GET /a/a");
        let beside = gets(&[(path, &[("proxy", TEXT)]), ("/a/mine", &[])]);
        let report = compare(&beside, &of(TEXT));
        assert_eq!(only(&report, Severity::Possible).kind, "operation-removed");
        assert!(!report.is_breaking(), "{}", report.to_text());
    }
}

#[test]
fn a_callback_of_a_path_with_a_modifier_is_below_the_server_of_that() {
    let at = |path: &str, base: &str| {
        let mut document = document(&format!(
            "'{path}': {{ get: {{ parameters: [{{ name: proxy, in: path, required: true, schema: {TEXT} }}],
                responses: {{ '204': {{ description: d }} }},
                callbacks: {{ done: {{ 'https://b.example': {{ post: {{ responses: {{ '204': {{ description: d }} }} }} }} }} }} }} }}"
        ));
        document["servers"] = serde_json::json!([{ "url": format!("https://a.example{base}") }]);
        document
    };
    is_silent(&compare(&at("/v1/{proxy+}", ""), &at("/{proxy+}", "/v1")));
}

#[test]
fn a_path_parameter_that_the_template_lacks_is_told_and_ignored() {
    let of = |parameters| gets(&[("/a/{one}/{two}", parameters)]);
    let (none, other) = (of(&[]), of(&[("other", NUMBER)]));
    is_silent(&compare(&other, &other));
    for (before, after, verb) in [(&none, &other, "added"), (&other, &none, "removed")] {
        let report = compare(before, after);
        let change = only(&report, Severity::Docs);
        assert_eq!(change.kind, "request-parameter-misplaced");
        assert!(change.message.contains(verb), "{}", change.message);
        assert!(change.message.contains("`{other}`"), "{}", change.message);
        assert_eq!(report.changes.len(), 1, "{}", report.to_text());
    }
}

#[test]
fn a_parameter_that_is_not_declared_has_its_place() {
    let of = |parameters| gets(&[("/a/{one}/{two}", parameters)]);
    let (last, both) = (of(&[("two", TEXT)]), of(&[("one", NUMBER), ("two", TEXT)]));
    let report = compare(&last, &both);
    assert!(!report.is_breaking(), "{}", report.to_text());
}

#[test]
fn no_segment_is_written_as_nothing() {
    let one = |schema| gets(&[("/a/{a}", &[("a", schema)])]);
    let list = "{ type: array, items: { type: string } }";
    let some = "{ type: array, items: { type: string }, minItems: 1 }";
    for (any, filled, kind) in [
        (
            TEXT,
            "{ type: string, minLength: 1 }",
            "request-parameter-minLength",
        ),
        (list, some, "request-parameter-minItems"),
    ] {
        adds(&compare(&one(any), &one(filled)), kind);
    }
    let shaped = one("{ type: string, pattern: '^[^/]+$' }");
    suspects(&compare(&one(TEXT), &shaped), "request-parameter-pattern");
    let longer = compare(&one(TEXT), &one("{ type: string, minLength: 2 }"));
    breaks(&longer, "request-parameter-minLength", "GET /a/a");
    for pattern in ["^[a-z]+$", "^[^a]+$", "^[0-9]{4}$"] {
        let shape = format!("{{ type: string, pattern: '{pattern}' }}");
        let shaped = gets(&[("/a/{a}", &[("a", &shape)])]);
        let report = compare(&one(TEXT), &shaped);
        assert!(report.is_breaking(), "{}", report.to_text());
    }
    let beside = |schema| gets(&[("/a/{list}/{a}", &[("list", list), ("a", schema)])]);
    let report = compare(&beside(TEXT), &beside(NUMBER));
    breaks(&report, "request-parameter-type", "GET /a/a/a");
}

#[test]
fn a_request_is_for_no_other_path() {
    let beside = |of_all: &str, of_one: &str| {
        document(&format!(
            "{{ '/a/{{a}}': {{ get: {{ parameters: [{{ name: a, in: path, required: true, schema: {of_all} }}, {of_one}],
                responses: {{ '204': {{ description: d }} }} }} }},
                /a/a: {{ get: {{ responses: {{ '204': {{ description: d }} }} }} }} }}"
        ))
    };
    let query = |required: bool| {
        format!("{{ name: q, in: query, required: {required}, schema: {{ type: string }} }}")
    };
    let optional = beside(TEXT, &query(false));
    let report = compare(&optional, &beside(TEXT, &query(true)));
    breaks(&report, "request-parameter-required", "GET /a/b");
    let listed = |values: &str| beside(&format!("{{ enum: [{values}] }}"), &query(false));
    let report = compare(&listed("a, b"), &listed("b"));
    assert!(!report.is_breaking(), "{}", report.to_text());
    let report = compare(&listed("a, b"), &listed("a"));
    breaks(&report, "request-parameter-enum", "GET /a/b");
}
