#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::ir::Content;
use crate::{Options, Reading, Runtime, Source, Workspace, lowered};
use json_schema::Schemas;
use json_schema::issue::{Issues, Place};
use serde_json::{Value, json};

/// The forms that a schema accepts; a file is the number of its bytes.
fn taken(schema: Value, forms: &[Value]) -> Vec<bool> {
    let body = json!({ "content": { "multipart/form-data": { "schema": schema } } });
    let file = json!({ "type": "string", "format": "binary" });
    let components = json!({ "schemas": {
        "Tree": { "properties": { "f": file, "t": { "$ref": "#/components/schemas/Tree" } } },
        "Signed": { "type": "string", "contentMediaType": "image/png", "pattern": "^x" },
        "A": { "required": ["k"], "properties": { "k": { "const": "a" }, "f": { "type": "string", "format": "binary", "maxLength": 1 } } },
        "B": { "required": ["k"], "properties": { "k": { "const": "b" }, "f": { "type": "string", "format": "binary", "minLength": 2 } } },
    } });
    let operation = json!({ "operationId": "send", "requestBody": body, "responses": { "204": { "description": "Done." } } });
    let document = json!({
        "openapi": "3.1.1",
        "info": { "title": "Forms", "version": "1" },
        "paths": { "/forms": { "post": operation } },
        "components": components,
    });
    let source = Source {
        name: "forms.json".into(),
        text: document.to_string(),
    };
    let options = Options {
        crate_name: "forms".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: false,
        samples: Vec::new(),
        ..Options::default()
    };
    let api = lowered(&source, &Reading::default(), &options).unwrap().api;
    let body = api.operations[0].body.as_ref().unwrap();
    let Content::Multipart(form) = &body.media[0].content else {
        unreachable!("a form");
    };
    let key = form.whole.as_deref().unwrap();
    let schemas = Schemas::parse(&Value::Object(api.schemas.clone()).to_string());
    let is_taken = |form: &Value| {
        let mut issues = Issues::new();
        schemas.validate(key, form, Place::Body, "", &mut issues);
        issues.is_empty()
    };
    forms.iter().map(is_taken).collect()
}

fn file(with: Value) -> Value {
    let mut file = json!({ "type": "string", "format": "binary" });
    let members = with.as_object().unwrap().clone();
    file.as_object_mut().unwrap().extend(members);
    json!({ "properties": { "f": file } })
}

#[test]
fn lengths_are_numbers_of_bytes() {
    let [short, long] = [json!({ "maxLength": 2 }), json!({ "minLength": 2_000_000 })];
    let either = json!({ "oneOf": [file(short), file(long)] });
    let forms = [2, 3, 1_999_999, 2_000_000].map(|length| json!({ "f": length }));
    assert_eq!(taken(either, &forms), [true, false, false, true]);
    let list = json!({ "minProperties": 1, "properties": { "f": { "type": "array", "items": { "format": "binary", "type": ["string", "null"], "maxLength": 2 } } } });
    let forms = [json!({ "f": [1, 2] }), json!({ "f": [1, 3] }), json!({})];
    assert_eq!(taken(list, &forms), [true, false, false]);
    let referred = json!({ "minProperties": 1, "additionalProperties": { "$ref": "#/components/schemas/Signed", "maxLength": 5 } });
    assert_eq!(
        taken(referred, &[json!({ "f": 5 }), json!({ "f": 6 })]),
        [true, false]
    );
}

#[test]
fn a_file_is_no_number_and_is_found_behind_other_patterns() {
    let bytes = json!({ "type": "string", "format": "binary" });
    let either = json!({ "minProperties": 1, "properties": { "f": { "oneOf": [bytes, { "type": "integer" }] } } });
    assert_eq!(taken(either, &[json!({ "f": 7 })]), [true]);
    let never = json!({ "minProperties": 1, "properties": { "f": { "allOf": [bytes, { "type": ["integer", "boolean"] }] } } });
    assert_eq!(
        taken(never, &[json!({ "f": 7 }), json!({ "g": 7 })]),
        [false, true]
    );
    let mut scan = bytes.clone();
    scan["minLength"] = json!(5000);
    let patterns = json!({ "minProperties": 1, "patternProperties": { "^[a-z]+_id$": { "type": "integer" }, "_scan$": scan } });
    let forms = [
        json!({ "a_scan": 5000 }),
        json!({ "a_scan": 4999 }),
        json!({ "a_id": 1 }),
    ];
    assert_eq!(taken(patterns, &forms), [true, false, true]);
}

#[test]
fn keywords_on_the_content_of_files_refuse_nothing() {
    let any = file(json!({}));
    let odd = file(json!({ "pattern": "^x", "maxLength": 9 }));
    let one = file(json!({ "const": "x" }));
    let note = json!({ "required": ["note"] });
    for (schema, expected) in [
        (json!({ "oneOf": [odd, one] }), [true, true, true]),
        (
            json!({ "oneOf": [odd], "anyOf": [odd] }),
            [true, true, false],
        ),
        (
            json!({ "allOf": [any, { "not": odd }] }),
            [true, true, true],
        ),
        (
            json!({ "allOf": [any, { "not": note }] }),
            [true, false, true],
        ),
        (
            json!({ "allOf": [any], "if": odd, "then": note }),
            [true, true, true],
        ),
        (
            json!({ "allOf": [any], "if": odd, "then": note, "else": { "maxProperties": 1 } }),
            [true, true, true],
        ),
        (
            json!({ "allOf": [any], "if": odd, "then": note, "else": note }),
            [false, true, false],
        ),
        (
            json!({ "allOf": [any], "if": { "required": ["note"] }, "then": odd }),
            [true, true, true],
        ),
        (
            json!({ "allOf": [any], "minProperties": 2 }),
            [false, true, false],
        ),
    ] {
        let forms = [
            json!({ "f": 4 }),
            json!({ "f": 4, "note": "" }),
            json!({ "f": 10 }),
        ];
        assert_eq!(taken(schema.clone(), &forms), expected, "{schema}");
    }
}

#[test]
fn conditions_evaluate_the_same_members_as_before() {
    let odd = file(json!({ "pattern": "^x" }));
    let closed = json!({ "anyOf": [file(json!({}))], "if": odd, "unevaluatedProperties": false });
    let forms = [json!({ "f": 4 }), json!({ "g": "" })];
    assert_eq!(taken(closed, &forms), [true, false]);
}

#[test]
fn references_and_names_of_variants_are_those_of_the_copies() {
    let tree = json!({ "minProperties": 1, "allOf": [{ "$ref": "#/components/schemas/Tree" }] });
    assert_eq!(taken(tree, &[json!({ "f": 4 }), json!({})]), [true, false]);
    let variants = ["A", "B"].map(|name| json!({ "$ref": format!("#/components/schemas/{name}") }));
    let tagged = json!({ "oneOf": variants, "discriminator": { "propertyName": "k" } });
    let forms = [
        json!({ "k": "a", "f": 1 }),
        json!({ "k": "a", "f": 2 }),
        json!({ "k": "b", "f": 2 }),
    ];
    assert_eq!(taken(tagged, &forms), [true, false, true]);
}
