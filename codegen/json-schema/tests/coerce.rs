//! Raw text as the value that a schema takes it for.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use json_schema::Schemas;
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use serde_json::{Value, json};

#[test]
fn what_a_style_has_no_form_for_is_json() {
    let range = json!({ "type": "object", "properties": { "from": { "type": "number" } } });
    let schemas = Schemas::parse(
        &json!({
            "Range": range,
            "Root": {
                "type": "object",
                "properties": {
                    "one": { "$ref": "#/Range" },
                    "list": { "type": "array", "items": { "$ref": "#/Range" } },
                    "any": {},
                    "text": { "type": "string" },
                },
            },
        })
        .to_string(),
    );
    let mut raw = Raw::object();
    for (name, text) in [
        ("one", r#"{"from":1}"#),
        ("list", r#"[{"from":1},{}]"#),
        ("any", "{}"),
        ("text", "{}"),
    ] {
        raw.insert(name, text.into()).unwrap();
    }
    for (objects, any) in [
        (Objects::AsJson, json!({})),
        (Objects::ByMember, json!("{}")),
    ] {
        let value = coerce::value(&raw, &schemas.json_type("Root"), objects);
        let expected =
            json!({ "one": { "from": 1 }, "list": [{ "from": 1 }, {}], "any": any, "text": "{}" });
        assert_eq!(value, expected);
    }
}

#[test]
fn lists_within_parameters_are_json_unless_they_are_texts_that_are_taken() {
    let list = |items: &str| json!({ "type": "array", "items": { "type": items, "minimum": 1 } });
    let schemas = Schemas::parse(
        &json!({ "Root": { "type": "object", "properties": {
            "whole": list("integer"),
            "words": list("string"),
            "lists": { "type": "array", "items": list("integer") },
            "either": { "type": ["string", "array"], "pattern": "^.a" },
        } } })
        .to_string(),
    );
    let own = |value: &str| json!([value]);
    for (name, text, as_json, by_member) in [
        ("whole", "[1,2]", json!([1, 2]), own("[1,2]")),
        // What is refused is told of what is there.
        ("whole", "[0]", json!([0]), own("[0]")),
        ("whole", "[]", json!([]), own("[]")),
        ("whole", "[1", own("[1"), own("[1")),
        ("whole", "3", json!([3]), json!([3])),
        ("words", r#"["a"]"#, json!(["a"]), own(r#"["a"]"#)),
        ("words", "[1]", own("[1]"), own("[1]")),
        // No object has a member twice.
        (
            "words",
            r#"[{"a":1,"a":2}]"#,
            own(r#"[{"a":1,"a":2}]"#),
            own(r#"[{"a":1,"a":2}]"#),
        ),
        ("words", "[draft]", own("[draft]"), own("[draft]")),
        ("lists", "[[1],[]]", json!([[1], []]), own("[[1],[]]")),
        ("either", "[a]", json!("[a]"), json!("[a]")),
        ("either", "[1]", json!([1]), own("[1]")),
    ] {
        let mut raw = Raw::object();
        raw.insert(name, text.into()).unwrap();
        for (objects, expected) in [(Objects::AsJson, as_json), (Objects::ByMember, by_member)] {
            let value = coerce::value(&raw, &schemas.json_type("Root"), objects);
            assert_eq!(value[name], expected, "{name}={text}");
        }
    }
}

/// The value of a form where `Root` is this schema.
fn read(root: &Value, form: &str) -> Value {
    let tags = json!({
        "A": { "type": "object", "properties": { "code": { "type": "string" } } },
        "B": { "type": "object", "properties": { "code": { "type": "integer" } } },
        "Root": root,
    });
    let schemas = Schemas::parse(&tags.to_string());
    let mut raw = Raw::object();
    for (name, text) in form.split('&').filter_map(|pair| pair.split_once('=')) {
        raw.insert(name, text.into()).unwrap();
    }
    coerce::value(&raw, &schemas.json_type("Root"), Objects::ByMember)
}

/// An object of some members, all of them required.
fn closed(properties: Value) -> Value {
    let required: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
    json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false })
}

#[test]
fn a_text_has_the_type_of_the_branch_that_it_is_meant_for() {
    let (text, whole) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let tagged = json!([
        closed(json!({ "t": { "const": "a" }, "code": text })),
        closed(json!({ "t": { "const": "b" }, "code": whole })),
    ]);
    let named = json!([closed(json!({ "x": whole })), closed(json!({ "y": text })),]);
    let (one, any) = (json!({ "oneOf": tagged }), json!({ "anyOf": tagged }));
    let base = json!({ "type": "object", "properties": { "n": text } });
    let kind = json!({ "allOf": [base, { "oneOf": [
        { "properties": { "k": { "enum": [1] }, "n": { "maxLength": 1 }, "v": text } },
        { "properties": { "k": { "enum": [2] }, "v": whole } },
    ] }] });
    let condition = json!({
        "properties": { "v": {} },
        "if": { "properties": { "t": { "const": "a" } } },
        "then": { "properties": { "v": text } },
    });
    let depends = json!({ "dependentSchemas": { "t": { "properties": { "v": text } } } });
    let discriminator = json!({
        "oneOf": [{ "$ref": "#/A" }, { "$ref": "#/B" }],
        "discriminator": { "propertyName": "t", "mapping": { "a": "A", "b": "B" } },
    });
    let nested = json!({ "properties": { "in": { "oneOf": [one, { "oneOf": named }] } } });
    let more = json!({ "oneOf": [
        { "properties": { "v": { "type": "integer", "minimum": 10 } } },
        { "properties": { "v": { "type": "string", "maxLength": 1 } } },
    ] });
    let scalar = json!({ "properties": { "v": { "type": ["integer", "string"], "minimum": 10 } } });
    let rest = json!({ "unevaluatedProperties": text });
    for (root, form, value) in [
        (&one, "t=a&code=5", json!({ "t": "a", "code": "5" })),
        (&one, "t=b&code=5", json!({ "t": "b", "code": 5 })),
        // Errors are reported for the intended branch.
        (&one, "t=b&code=x", json!({ "t": "b", "code": "x" })),
        (&any, "t=a&code=5", json!({ "t": "a", "code": "5" })),
        (&json!({ "oneOf": named }), "y=1", json!({ "y": "1" })),
        (&json!({ "oneOf": named }), "x=1", json!({ "x": 1 })),
        (
            &json!({ "anyOf": [{ "oneOf": named }, one] }),
            "y=1",
            json!({ "y": "1" }),
        ),
        (&kind, "k=1&v=5&n=5", json!({ "k": 1, "v": "5", "n": "5" })),
        (&kind, "k=2&v=5&n=55", json!({ "k": 2, "v": 5, "n": "55" })),
        (&condition, "t=a&v=5", json!({ "t": "a", "v": "5" })),
        (&condition, "t=b&v=5", json!({ "t": "b", "v": 5 })),
        (&depends, "t=a&v=5", json!({ "t": "a", "v": "5" })),
        (&depends, "v=5", json!({ "v": 5 })),
        (
            &discriminator,
            "t=a&code=5",
            json!({ "t": "a", "code": "5" }),
        ),
        (&discriminator, "t=b&code=5", json!({ "t": "b", "code": 5 })),
        (&nested, "in[y]=1", json!({ "in": { "y": "1" } })),
        (
            &nested,
            "in[t]=a&in[code]=1",
            json!({ "in": { "t": "a", "code": "1" } }),
        ),
        // Neither names nor constants tell: the branch that takes it.
        (&more, "v=5", json!({ "v": "5" })),
        (&more, "v=15", json!({ "v": 15 })),
        (&scalar, "v=5", json!({ "v": "5" })),
        (&rest, "v=5", json!({ "v": "5" })),
    ] {
        assert_eq!(read(root, form), value, "{form} as {root}");
    }
}

#[test]
fn what_is_tried_has_a_bound() {
    // Two to the fiftieth combinations, none of which is valid.
    let choice = |index: usize| {
        let name = format!("v{index}");
        json!({ "anyOf": [
            { "properties": { &name: { "type": "string", "minLength": 2 } } },
            { "properties": { &name: { "type": "integer", "minimum": 10 } } },
        ] })
    };
    let all: Vec<_> = (0..50).map(choice).collect();
    let form: Vec<_> = (0..50).map(|index| format!("v{index}=5")).collect();
    let value = read(&json!({ "type": "object", "allOf": all }), &form.join("&"));
    assert_eq!(value["v49"], 5);
}

#[test]
fn unions_that_share_branches_are_tried_once() {
    // Each refers to all later ones: two to the fifteenth ways lead to the last.
    let last = 16;
    let mut schemas = serde_json::Map::new();
    for index in 0..last {
        let later = (index + 1..=last).map(|later| json!({ "$ref": format!("#/D{later}") }));
        let later: Vec<_> = later.collect();
        schemas.insert(format!("D{index}"), json!({ "anyOf": later }));
    }
    let number = json!({ "type": "integer" });
    let high = json!({ "type": "integer", "minimum": 10 });
    let short = json!({ "type": "string", "maxLength": 1 });
    schemas.insert(
        format!("D{last}"),
        json!({ "type": "object", "properties": { "v": number, "w": high } }),
    );
    let texts = json!({ "type": "object", "properties": { "v": short, "w": short } });
    schemas.insert(
        "Root".to_owned(),
        json!({ "anyOf": [{ "$ref": "#/D0" }, texts] }),
    );
    let schemas = Schemas::parse(&Value::Object(schemas).to_string());
    let mut raw = Raw::object();
    raw.insert("v", "5".into()).unwrap();
    raw.insert("w", "5".into()).unwrap();
    let value = coerce::value(&raw, &schemas.json_type("Root"), Objects::ByMember);
    assert_eq!(value, json!({ "v": "5", "w": "5" }));
}
