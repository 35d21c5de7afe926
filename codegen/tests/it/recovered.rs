//! Invalid documents that a lenient run accepts, and its warnings.

use crate::expected::{Differences, entries, folder, name};
use codegen::{Options, Runtime, Source, Workspace};
use std::fs;

/// Every document under `recovered/` is accepted, with the warnings and the coverage beside it.
#[test]
fn reports_the_fallback_of_each_recovery() {
    let mut differences = Differences::default();
    for path in entries(&folder("recovered")) {
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let source = Source {
            name: name(&path),
            text: fs::read_to_string(&path).unwrap().replace("\r\n", "\n"),
        };
        match codegen::generate(&source, &options()) {
            Err(found) => differences.note(&found.render(&source)),
            Ok(output) => {
                let there = output.coverage;
                let text = format!(
                    "{}\n{} of {} operations, raw: {:?}, for callers alone: {:?}\n",
                    output.warnings.render(&source),
                    there.generated,
                    there.documented,
                    there.raw,
                    there.unserved
                );
                differences.compare(&path.with_extension("stderr"), &text);
            }
        }
    }
}

fn options() -> Options {
    Options {
        crate_name: "recovered".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: false,
        samples: Vec::new(),
        ..Options::default()
    }
}

#[test]
fn nothing_is_imported_for_operations_that_are_raw() {
    let client = |is_raw: bool| {
        let answer = "responses: { '204': { description: d } }";
        let get = format!("{{ operationId: books, x-raw: {is_raw}, {answer} }}");
        generated(&format!("/books: {{ get: {get} }}"), "src/client.rs")
    };
    let imports = |client: &str| {
        assert!(client.contains("fn books("), "{client}");
        let mut lines = client
            .lines()
            .filter(|line| line.starts_with("use crate::"));
        let names = |line: &str| line.contains("::api") || line.contains("{api");
        lines.any(names)
    };
    assert!(imports(&client(false)));
    assert!(!imports(&client(true)));
}

#[test]
fn a_schema_that_cannot_be_found_accepts_any_value() {
    let body =
        "{ content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }";
    let paths =
        format!("/books: {{ put: {{ operationId: put, requestBody: {body}, responses: {{}} }} }}");
    let schemas = generated(&paths, "src/schemas.json");
    assert!(schemas.contains(r#""Book": true"#), "{schemas}");
}

#[test]
fn a_part_of_xml_is_a_text() {
    let schema = "{ type: object, minProperties: 1, properties: { sheet: { type: object, properties: { a: { type: integer } } } } }";
    let form = format!(
        "{{ schema: {schema}, encoding: {{ sheet: {{ contentType: application/xml }} }} }}"
    );
    let body = format!("{{ content: {{ multipart/form-data: {form} }} }}");
    let paths =
        format!("/sheets: {{ put: {{ operationId: put, requestBody: {body}, responses: {{}} }} }}");
    let api = generated(&paths, "src/api/default.rs");
    assert!(api.contains("pub sheet: Option<String>"), "{api}");
    // The keywords of an object would refuse every text.
    assert!(!api.contains("form.whole("), "{api}");
}

#[test]
fn the_client_knows_a_default_that_its_schema_refuses() {
    let set = |default: u8| {
        let schema = format!("{{ type: integer, minimum: 5, default: {default} }}");
        let few = format!("{{ name: few, in: query, schema: {schema} }}");
        let get = format!("{{ operationId: get, parameters: [{few}], responses: {{}} }}");
        generated(&format!("/books: {{ get: {get} }}"), "src/client.rs")
    };
    let refused = set(3);
    assert!(
        refused.contains(r#"few_spec, &params.few, "3")"#),
        "{refused}"
    );
    let taken = set(5);
    assert!(taken.contains(".param(few_spec, &params.few)"), "{taken}");
}

/// One file of the output for these paths.
fn generated(paths: &str, file: &str) -> String {
    let head = "openapi: 3.1.1\ninfo: { title: Mended, version: 1.0.0 }\n";
    let source = Source {
        name: "recovered.yaml".into(),
        text: format!("{head}paths: {{ {paths} }}\n"),
    };
    let output = codegen::generate(&source, &options()).unwrap();
    output.files.get(file).unwrap().to_owned()
}
