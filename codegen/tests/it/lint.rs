//! Lint rules whose behaviour takes more than the one example in `diagnostic/explain/`.

use codegen::diagnostic::Look;
use codegen::{Reading, Source};

/// The beginning of a document without findings of its own.
const HEAD: &str = "openapi: 3.1.1\ninfo: { title: T, version: 1.0.0, contact: { name: C } }\n";

/// The codes found in a document, in the order of finding, without those that most of these documents have.
fn codes(document: &str) -> Vec<&'static str> {
    let codes = all_codes(document).into_iter();
    codes
        .filter(|code| !["unused-component", "missing-description"].contains(code))
        .collect()
}

fn all_codes(document: &str) -> Vec<&'static str> {
    let source = Source {
        name: "api.yaml".into(),
        text: format!("{HEAD}{document}"),
    };
    let found = codegen::lint::lint(&source, &Reading::default());
    found.iter().map(|problem| problem.code.name()).collect()
}

/// The codes found in schemas of components.
fn of_schemas(schemas: &str) -> Vec<&'static str> {
    codes(&format!("components:\n  schemas:\n{schemas}"))
}

#[test]
fn a_document_without_operations_uses_none_of_its_components() {
    let schemas = "components: { schemas: { A: { type: string } } }\n";
    let is_unused =
        |rest: &str| all_codes(&format!("{rest}{schemas}")).contains(&"unused-component");
    assert!(!is_unused(""));
    assert!(!is_unused("paths: {}\n"));
    assert!(is_unused(
        "paths: { /a: { get: { responses: { '204': { description: D. } } } } }\n"
    ));
    assert!(is_unused(
        "webhooks: { a: { get: { responses: { '204': { description: D. } } } } }\n"
    ));
}

#[test]
fn schemas_need_a_description_or_a_title_that_is_not_blank() {
    let is_missing = |schema: &str| {
        let document = format!("components: {{ schemas: {{ A: {schema}, B: {{ title: B }} }} }}\n");
        all_codes(&document).contains(&"missing-description")
    };
    for described in [
        "{ type: string, description: D. }",
        "{ type: string, title: T }",
        "{ $ref: '#/components/schemas/B' }",
    ] {
        assert!(!is_missing(described), "{described}");
    }
    for missing in [
        "{ type: string }",
        "{ type: string, description: '' }",
        "{ type: string, description: ' ', title: '' }",
    ] {
        assert!(is_missing(missing), "{missing}");
    }
}

#[test]
fn required_properties_may_be_declared_in_enclosing_schemas() {
    let clean = [
        "    A: { allOf: [{ $ref: '#/components/schemas/B' }, { required: [x] }] }\n    \
         B: { type: object, properties: { x: { type: string } } }\n",
        "    A: { type: object, properties: { x: {} }, anyOf: [{ required: [x] }, { minProperties: 2 }] }\n",
        "    A: { type: object, required: [x], additionalProperties: { type: string } }\n",
    ];
    for schemas in clean {
        assert!(
            !of_schemas(schemas).contains(&"undescribed-member"),
            "{schemas}"
        );
    }
}

#[test]
fn operations_without_input_need_no_error_response() {
    let lacks = |inputs: &str| {
        let paths = format!(
            "paths: {{ /a: {{ get: {{ operationId: a, {inputs} responses: {{ '200': {{ description: d }} }} }} }} }}\n"
        );
        codes(&paths).contains(&"missing-answer")
    };
    assert!(!lacks(""));
    assert!(lacks(
        "parameters: [{ name: p, in: query, schema: { type: string } }],"
    ));
    assert!(lacks(
        "requestBody: { content: { text/plain: { schema: { type: string } } } },"
    ));
}

#[test]
fn a_recursive_schema_that_can_end_is_valid() {
    let way_out = "    A: { type: object, required: [b], properties: { b: { $ref: '#/components/schemas/B' } } }\n    \
                   B: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/A' }] }\n";
    assert!(!of_schemas(way_out).contains(&"endless-schema"));
    let none = way_out.replace("{ type: 'null' }, ", "");
    assert!(of_schemas(&none).contains(&"endless-schema"));
}

#[test]
fn variants_are_told_apart_by_types_constants_and_closed_members() {
    let overlap = |variants: &str| {
        of_schemas(&format!("    A: {{ oneOf: [{variants}] }}\n")).contains(&"overlapping-variants")
    };
    assert!(!overlap("{ type: string }, { type: integer }"));
    assert!(!overlap(
        "{ type: integer, maximum: 4 }, { type: integer, minimum: 5 }"
    ));
    assert!(overlap(
        "{ type: integer, maximum: 5 }, { type: integer, minimum: 5 }"
    ));
    assert!(overlap("{ type: integer }, { type: number }"));
    assert!(overlap("{ enum: [a, b] }, { enum: [b, c] }"));
    assert!(!overlap(
        "{ type: object, required: [a], properties: { a: {} }, additionalProperties: false }, \
         { type: object, required: [b], properties: { b: {} }, additionalProperties: false }"
    ));
}

#[test]
fn variants_are_told_apart_within_the_schema_around_them() {
    let overlap = |around: &str, of_second: &str| {
        let event = |name: &str| format!("properties: {{ event: {name} }}");
        let (said, second) = (event("{ const: said }"), event(of_second));
        let schemas = format!("    A: {{ {around} oneOf: [{{ {said} }}, {{ {second} }}] }}\n");
        of_schemas(&schemas).contains(&"overlapping-variants")
    };
    let required = "type: object, required: [event, data],";
    assert!(!overlap(required, "{ const: counted }"));
    assert!(overlap(required, "{ enum: [said, counted] }"));
    assert!(overlap(
        "type: object, required: [data],",
        "{ const: counted }"
    ));
    assert!(overlap("description: D,", "{ const: counted }"));
}

#[test]
fn contradictory_types_are_found_in_all_of_references_and_unions() {
    let contradict = |schema: &str| {
        let schemas = format!(
            "    A: {schema}\n    S: {{ type: string }}\n    N: {{ type: [number, 'null'] }}\n    \
             L: {{ allOf: [{{ $ref: '#/components/schemas/L' }}] }}\n"
        );
        let found = of_schemas(&schemas);
        let found = found.iter().filter(|code| **code == "contradictory-types");
        found.count()
    };
    for (schema, count) in [
        ("{ allOf: [{ type: string }, { type: integer }] }", 1),
        ("{ $ref: '#/components/schemas/S', type: object }", 1),
        (
            "{ allOf: [{ $ref: '#/components/schemas/S' }], enum: [1, 2] }",
            1,
        ),
        (
            "{ properties: { a: { allOf: [{ type: [string, boolean] }, { $ref: '#/components/schemas/N' }] } } }",
            1,
        ),
        (
            "{ allOf: [{ allOf: [{ type: string }, { type: array }] }, { type: string }] }",
            1,
        ),
        (
            "{ allOf: [{ type: integer }, { $ref: '#/components/schemas/N' }] }",
            0,
        ),
        (
            "{ allOf: [{ type: [string, 'null'] }, { $ref: '#/components/schemas/N' }] }",
            0,
        ),
        ("{ anyOf: [{ type: string }, { type: integer }] }", 0),
        (
            "{ type: string, oneOf: [{ type: integer }, { type: array }] }",
            1,
        ),
        (
            "{ allOf: [{ anyOf: [{ type: string }, { type: 'null' }] }, { enum: [1, 2] }] }",
            1,
        ),
        (
            "{ type: object, anyOf: [{ $ref: '#/components/schemas/N' }, false] }",
            1,
        ),
        (
            "{ type: object, anyOf: [{ required: [a] }, { $ref: '#/components/schemas/N' }] }",
            0,
        ),
        ("{ type: string, allOf: [{ maxLength: 3 }, true] }", 0),
    ] {
        assert_eq!(contradict(schema), count, "{schema}");
    }
}

#[test]
fn patterns_are_compiled_wherever_they_stand() {
    assert_eq!(
        of_schemas("    A: { type: object, not: { properties: { a: { pattern: '(' } } } }\n"),
        ["invalid-pattern"]
    );
    assert_eq!(
        of_schemas("    A: { type: object, patternProperties: { '(?:(x)|y)+\\1': {} } }\n"),
        ["unsupported-pattern"]
    );
}

#[test]
fn a_link_names_headers_in_any_case_and_other_parameters_in_theirs() {
    let is_dead = |parameter: &str| {
        let text = format!(
            "openapi: 3.1.1\ninfo: {{ title: T, version: 1.0.0 }}\npaths:\n  /a:\n    get:\n      \
             operationId: a\n      parameters:\n        \
             - {{ name: X-Mark, in: header, schema: {{ type: string }} }}\n        \
             - {{ name: page, in: query, schema: {{ type: string }} }}\n      responses:\n        \
             \"204\":\n          description: None.\n          \
             links: {{ again: {{ operationId: a, parameters: {{ {parameter}: x }} }} }}\n"
        );
        let name = "api.yaml".into();
        let found = codegen::lint::lint(&Source { name, text }, &Reading::default());
        found
            .iter()
            .any(|problem| problem.code.name() == "dead-link")
    };
    for known in ["x-mark", "header.x-mark", "page", "query.page"] {
        assert!(!is_dead(known), "{known}");
    }
    for unknown in ["Page", "query.x-mark", "header.page", "mark"] {
        assert!(is_dead(unknown), "{unknown}");
    }
}

#[test]
fn a_link_to_a_webhook_is_unfollowed_and_not_dead() {
    let answer = "responses: { '204': { description: None.";
    let found = codes(&format!(
        "paths: {{ /a: {{ get: {{ operationId: a, {answer}, links: {{ L: {{ operationId: w }} }} }} }} }} }} }}\n\
         webhooks: {{ w: {{ post: {{ operationId: w, {answer} }} }} }} }} }}\n"
    ));
    let of_links: Vec<_> = found.iter().filter(|code| code.contains("link")).collect();
    assert_eq!(of_links, [&"unfollowed-link"]);
}

#[test]
fn unions_of_unions_are_checked_in_reasonable_time() {
    let last = 24;
    let unions = (0..last).map(|at| {
        let later = (at + 1..=last).map(|to| format!("{{ $ref: '#/components/schemas/S{to}' }}"));
        let later: Vec<String> = later.collect();
        format!("    S{at}: {{ oneOf: [{}] }}\n", later.join(", "))
    });
    let unions: String = unions.collect();
    // Checking each pair of variants against each value would take minutes.
    let found = of_schemas(&format!("{unions}    S{last}: {{ type: string }}\n"));
    assert!(found.contains(&"overlapping-variants"));
}

#[test]
fn every_file_of_a_document_is_checked_and_shown() {
    let source = |name: &str, text: &str| Source {
        name: name.into(),
        text: text.into(),
    };
    let api = source(
        "api.yaml",
        "openapi: 3.1.1
info: { title: T, version: 1.0.0 }
paths:
  /a: { $ref: paths/a.yaml }
",
    );
    let files = [
        source(
            "paths/a.yaml",
            "get:
  operationId: a
  parameters:
    - { name: p, in: query, schema: { $ref: ../schemas.yaml#/P } }
    - { name: p, in: query, schema: { type: string } }
  responses: { '204': { description: d } }
",
        ),
        source(
            "schemas.yaml",
            "P: { type: integer, minimum: 3, maximum: 2, x-lint-allow: { contradictory-bounds: Old. } }
Q: { type: integer, enum: [1], default: x }
",
        ),
    ];
    let reading = Reading {
        files: files.to_vec(),
        ..Reading::default()
    };
    let found = codegen::lint::lint(&api, &reading);
    let text = found.render_files(&api, &files, Look::Plain);
    assert!(
        text.contains("the query parameter `p` is declared twice\n --> paths/a.yaml:5:7"),
        "{text}"
    );
    // A suppression in a file holds in it.
    assert!(!text.contains("contradictory-bounds"), "{text}");
    assert!(!text.contains("not read"), "{text}");
}

#[test]
fn ambiguous_parameters_are_reported_with_both_values() {
    let told = |schema: &str| {
        let source = Source {
            name: "api.yaml".into(),
            text: format!(
                "openapi: 3.1.1\ninfo: {{ title: T, version: 1.0.0 }}\npaths:\n  /a:\n    get:\n      \
                 parameters: [{{ name: p, in: query, schema: {schema} }}]\n      \
                 responses: {{ '204': {{ description: d }} }}\n"
            ),
        };
        let found = codegen::lint::lint(&source, &Reading::default());
        let mut of_parameters = found
            .iter()
            .filter(|problem| problem.code.name() == "ambiguous-parameter");
        of_parameters.next().map(|problem| problem.message.clone())
    };
    for (schema, list, alone) in [
        (
            "{ oneOf: [{ type: integer }, { type: array, items: { type: string } }] }",
            "[\"0\"]",
            "0",
        ),
        (
            "{ oneOf: [{ type: string }, { type: array, items: { type: integer } }] }",
            "[0]",
            "\"0\"",
        ),
        (
            "{ oneOf: [{ type: boolean }, { type: array, items: { enum: ['true'] } }] }",
            "[\"true\"]",
            "true",
        ),
        (
            "{ oneOf: [{ enum: [a, b, c, d, e, f, g, h, i, j, k, l] }, { type: array }] }",
            "[\"a\"]",
            "\"a\"",
        ),
        ("{ type: [integer, array] }", "[0]", "0"),
        ("{ examples: [7] }", "[7]", "7"),
    ] {
        let expected =
            format!("the value `{list}` is serialized like `{alone}`, and is read as `{alone}`");
        assert_eq!(told(schema), Some(expected), "{schema}");
    }
    for schema in [
        "{ type: array, items: { type: string } }",
        "{ oneOf: [{ type: boolean }, { type: array, items: { type: integer } }] }",
        "{ oneOf: [{ type: integer }, { type: array, items: { type: integer }, minItems: 2 }] }",
        "{ oneOf: [{ type: 'null' }, { type: array, items: { type: 'null' } }] }",
    ] {
        assert_eq!(told(schema), None, "{schema}");
    }
}

#[test]
fn names_of_headers_are_the_same_in_any_case() {
    let twice = |place: &str| {
        let parameter =
            |name: &str| format!("{{ name: {name}, in: {place}, schema: {{ type: string }} }}");
        let parameters = ["sum", "SUM"].map(parameter).join(", ");
        let found = codes(&format!(
            "paths: {{ /a: {{ parameters: [{parameters}], get: {{ responses: {{}} }} }} }}\n"
        ));
        found.contains(&"duplicate-parameter")
    };
    assert!(twice("header"));
    assert!(!twice("query"));
}

#[test]
fn a_wrong_example_is_found_at_its_value() {
    let text = r##"
openapi: 3.1.1
info: { title: T, version: 1.0.0 }
paths:
  /books:
    post:
      operationId: books.add
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { pages: { type: array, items: { type: integer } } } }
            examples: { one: { $ref: "#/components/examples/Book" } }
      responses: { "204": { description: Done. } }
components:
  examples:
    Book: { value: { pages: [1, two] } }
"##;
    let source = Source {
        name: "api.yaml".into(),
        text: text.into(),
    };
    let found = codegen::lint::lint(&source, &Reading::default());
    let mut invalid = found
        .iter()
        .filter(|one| one.code.name() == "invalid-value");
    let place = invalid.next().map(|problem| problem.at.to_string());
    assert_eq!(
        place.as_deref(),
        Some("#/components/examples/Book/value/pages/1")
    );
    assert!(invalid.next().is_none());
}
