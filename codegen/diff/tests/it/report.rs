//! The report: one change is told once, the version rule, the three formats.

use crate::contract::{alone, compare, document, only, parameter, request, with};
use diff::Severity;
use serde_json::Value;

#[test]
fn what_many_operations_share_is_told_once() {
    let contract = |max: u32| {
        let operation = |id: &str| {
            format!(
            "{{ post: {{ operationId: {id}, responses: {{ '204': {{ description: d }} }},
                requestBody: {{ content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/S' }} }} }} }} }} }}"
        )
        };
        with(
            &format!(
                "{{ /a: {}, /b: {}, /c: {} }}",
                operation("a"),
                operation("b"),
                operation("c")
            ),
            &format!("{{ schemas: {{ S: {{ type: string, maxLength: {max} }} }} }}"),
        )
    };
    let report = compare(&contract(9), &contract(5));
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.operation.as_deref(), Some("POST /a"));
    assert_eq!(change.other_operations, ["POST /b", "POST /c"]);
}

#[test]
fn a_break_needs_a_new_major() {
    let before = request("{ type: string }");
    for (version, announced) in [
        ("1.0.0", false),
        ("1.9.0", false),
        ("2.0.0", true),
        ("10.0.0", true),
    ] {
        let mut after = request("{ type: string, maxLength: 5 }");
        after["info"]["version"] = version.into();
        let report = compare(&before, &after);
        assert!(report.is_breaking());
        assert_eq!(report.is_announced(), announced, "{version}");
    }
    assert!(compare(&before, &before).is_announced());
}

#[test]
fn the_text_shows_the_witness() {
    let report = compare(
        &parameter("schema: { type: integer, maximum: 200 }"),
        &parameter("schema: { type: integer, maximum: 100 }"),
    );
    let expected = "breaking[request-parameter-maximum]: GET /a, query parameter `p`: maximum was 200 and is now 100
  = witness: GET /a?p=200
  =   value: 200
  = refused: must be at most 100 (maximum)
1.0.0 → 1.0.0: 1 breaking, 0 possible, 0 compatible, 0 docs; a break needs a new major version
";
    assert_eq!(report.to_text(), expected);
}

#[test]
fn the_markdown_has_a_section_for_each_severity() {
    let report = compare(&request("{ type: string }"), &document("{}"));
    let expected = "# Contract 1.0.0 → 1.0.0: 1 breaking, 0 possible, 0 compatible, 0 docs; a break needs a new major version

## Breaking

- `POST /a`: the operation was removed
  - witness: `POST /a`
  - refused: 404: there is no such path
";
    assert_eq!(report.to_markdown(), expected);
}

#[test]
fn the_json_holds_all_of_it() {
    let report = compare(
        &request("{ type: string }"),
        &request("{ type: string, maxLength: 5 }"),
    );
    let read: Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(read["versions"], serde_json::json!(["1.0.0", "1.0.0"]));
    assert_eq!(read["changes"][0]["severity"], "breaking");
    assert_eq!(read["changes"][0]["witness"]["value"], "sample");
}

#[test]
fn a_text_that_is_no_contract_is_an_error() {
    let source = |text: &str| codegen::Source {
        name: "x".into(),
        text: text.into(),
    };
    let good = source(&document("{}").to_string());
    for bad in ["{", "- a", "openapi: 2.0.0"] {
        let bad = source(bad);
        let wrong = diff::diff(alone(&good), alone(&bad)).unwrap_err();
        assert!(!wrong.found.is_empty(), "{}", bad.text);
    }
}

#[test]
fn a_hostile_contract_is_answered() {
    // Every component is made of the next one, twice; the last is the first again.
    let components = |max: u32| {
        let each = (0..16).map(|n| {
            let next = (n + 1) % 16;
            format!(
                "C{n}: {{ maxLength: {max}, allOf: [{{ $ref: '#/components/schemas/C{next}' }},
                    {{ $ref: '#/components/schemas/C{next}' }}],
                    properties: {{ a: {{ $ref: '#/components/schemas/C{next}' }} }} }}"
            )
        });
        format!(
            "{{ schemas: {{ {} }} }}",
            each.collect::<Vec<_>>().join(", ")
        )
    };
    let paths = "/a: { post: { operationId: a, responses: { '204': { description: d } },
        requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/C0' } } } } } }";
    let report = compare(&with(paths, &components(9)), &with(paths, &components(5)));
    assert!(report.is_breaking(), "{}", report.to_text());
}

#[test]
fn further_operations_are_named_and_a_big_report_folds() {
    let document = |max: u32, own: u32| {
        let operation = |at: usize| {
            format!(
                "/a{at}: {{ post: {{ responses: {{ '204': {{ description: d }} }},
                    parameters: [{{ name: q{at}, in: query, schema: {{ type: integer, maximum: {own} }} }}],
                    requestBody: {{ content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/S' }} }} }} }} }} }}, "
            )
        };
        let paths: String = (0..70).map(operation).collect();
        let schemas = format!("{{ schemas: {{ S: {{ type: string, maxLength: {max} }} }} }}");
        with(&format!("{{ {paths} }}"), &schemas)
    };
    let shared = compare(&document(9, 9), &document(5, 9));
    assert_eq!(only(&shared, Severity::Breaking).other_operations.len(), 69);
    let text = shared.to_text();
    assert!(text.contains("POST /a20 and 49 more operations"), "{text}");
    let markdown = shared.to_markdown();
    assert!(
        markdown.contains("also 69 operations</summary>"),
        "{markdown}"
    );
    assert!(markdown.contains("`POST /a69`"), "{markdown}");
    let many = compare(&document(9, 9), &document(9, 5));
    assert_eq!(many.count(Severity::Breaking), 70);
    let text = many.to_text();
    assert!(text.contains("… and 10 more breaking changes"), "{text}");
    let markdown = many.to_markdown();
    assert!(
        markdown.contains("<details><summary>70 changes</summary>"),
        "{markdown}"
    );
}
