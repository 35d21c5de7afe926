//! Any schema may stand anywhere: every shape of schema, in everything that a schema may be wrapped in, in every
//! place. The crate compiles without a warning, and values that are made up for its schemas pass through the
//! generated client and service.

use crate::crates::Crates;
use serde_json::{Map, Value, json};

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn every_shape_may_stand_in_every_wrapper_and_place() {
    let mut crates = Crates::new("wrapped", false);
    let (bodies, parameters) = (document(bodies), document(parameters));
    crates.generate("bodies", &bodies);
    let selftest = crates.selftest("bodies", &bodies);
    // Nothing is made up for some of these values.
    let (called, unsampled) = (selftest.operations, selftest.unsampled);
    assert!(unsampled.len() * 10 < called, "{called}: {unsampled:?}");
    crates.generate("parameters", &parameters);
    crates.check();
    crates.run("bodies");
}

/// Every shape, as a component of its name. None is an object without members alone, which as a form or
/// in a header is no text at all.
fn shapes() -> Value {
    json!({
        "text": { "type": "string" },
        "bounded": { "type": "string", "minLength": 1, "maxLength": 9, "pattern": "^[a-z]+$" },
        "uuid": { "type": "string", "format": "uuid" },
        "time": { "type": "string", "format": "date-time", "minLength": 20 },
        "choice": { "enum": ["a", "b"] },
        "constant": { "const": "a" },
        "one": { "const": 1 },
        "truth": { "const": true },
        "integer": { "type": "integer" },
        "short": { "type": "integer", "format": "int32", "minimum": 1 },
        "digit": { "type": "integer", "minimum": 0, "maximum": 9, "multipleOf": 3 },
        "few": { "type": "integer", "enum": [1, 2, 3] },
        "number": { "type": "number", "minimum": 0.5 },
        "flag": { "type": "boolean" },
        "texts": { "type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1 },
        "set": { "type": "array", "items": { "type": "integer" }, "minItems": 2, "uniqueItems": true },
        "things": { "type": "array", "items": { "type": "object", "properties": { "a": { "type": "string" } } } },
        "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }] },
        "map": { "type": "object", "additionalProperties": { "type": "integer" } },
        "free": { "type": "object" },
        "object": { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" }, "b": { "type": "integer" } } },
        "closed": { "type": "object", "required": ["a"], "properties": { "a": { "const": "a" } }, "additionalProperties": false },
        "some": { "type": "object", "minProperties": 1, "properties": { "a": { "type": "string" }, "b": { "type": "string" } } },
        "either": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
        "tagged": { "oneOf": [
            { "title": "Cat", "type": "object", "required": ["kind"], "properties": { "kind": { "const": "cat" } } },
            { "title": "Dog", "type": "object", "required": ["kind"], "properties": { "kind": { "const": "dog" } } },
        ] },
        "any of": { "anyOf": [
            { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } },
            { "type": "object", "required": ["b"], "properties": { "b": { "type": "string" } } },
        ] },
        "types": { "type": ["string", "integer", "null"] },
        "nothing": { "type": "null" },
        "not": { "not": { "type": "string", "maxLength": 3 } },
        "if": { "type": "object", "if": { "required": ["a"] }, "then": { "required": ["b"] } },
        "tree": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" }, "leaves": { "type": "array", "items": { "$ref": "#/components/schemas/tree" } } } },
        "lists": { "type": "array", "items": { "$ref": "#/components/schemas/lists" } },
        "joined": { "allOf": [{ "$ref": "#/components/schemas/object" }, { "type": "object", "properties": { "c": { "type": "number" } } }] },
        "read only": { "type": "object", "properties": { "a": { "type": "string", "readOnly": true }, "b": { "type": "string" } } },
        "any": {},
    })
}

/// The schemas around a schema, by the name of the member that holds it.
fn wrapped(shape: &str, inline: &Value) -> Wrapped {
    let reference = json!({ "$ref": format!("#/components/schemas/{shape}") });
    let alias = json!({ "$ref": format!("#/components/schemas/{shape} alias") });
    let nothing = json!({ "type": "null" });
    vec![
        ("inline", inline.clone()),
        ("reference", reference.clone()),
        (
            "described",
            json!({ "$ref": reference["$ref"], "description": "It." }),
        ),
        ("all_of", json!({ "allOf": [reference] })),
        (
            "all_of_described",
            json!({ "description": "It.", "allOf": [reference] }),
        ),
        ("one_of", json!({ "oneOf": [reference] })),
        ("any_of", json!({ "anyOf": [reference] })),
        ("alias", alias),
        ("nullable", json!({ "anyOf": [reference, nothing] })),
    ]
}

/// A schema in everything that it may be wrapped in.
type Wrapped = Vec<(&'static str, Value)>;

/// A document with some operations for each shape.
fn document(operations: fn(&str, &Wrapped) -> Vec<(String, Value)>) -> Value {
    let Value::Object(shapes) = shapes() else {
        return Value::Null;
    };
    let (mut schemas, mut paths) = (shapes.clone(), Map::new());
    for (shape, inline) in &shapes {
        let alias = json!({ "allOf": [{ "$ref": format!("#/components/schemas/{shape}") }] });
        schemas.insert(format!("{shape} alias"), alias);
        paths.extend(operations(shape, &wrapped(shape, inline)));
    }
    json!({
        "openapi": "3.1.1",
        "info": { "title": "Shapes", "version": "1" },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// Operations whose bodies hold a schema, and one with answers that do.
fn bodies(shape: &str, wrapped: &Wrapped) -> Vec<(String, Value)> {
    let bodies = [
        (
            "json",
            "application/json",
            places(wrapped),
            answers(wrapped),
        ),
        (
            "form",
            "application/x-www-form-urlencoded",
            members(wrapped),
            nothing(),
        ),
        ("parts", "multipart/form-data", members(wrapped), nothing()),
    ];
    let operations = bodies
        .into_iter()
        .map(|(name, media_type, schema, answers)| {
            let content = json!({ media_type: { "schema": schema } });
            let request = json!({ "required": true, "content": content });
            let operation = json!({ "requestBody": request, "responses": answers });
            (format!("/{name}/{shape}"), json!({ "post": operation }))
        });
    operations.collect()
}

fn nothing() -> Value {
    json!({ "204": { "description": "None." } })
}

/// Operations with a schema in parameters of each style.
fn parameters(shape: &str, wrapped: &Wrapped) -> Vec<(String, Value)> {
    let operations = styles()
        .into_iter()
        .map(|style| of_style(shape, &style, wrapped));
    operations.collect()
}

fn members(wrapped: &Wrapped) -> Value {
    let members = wrapped
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()));
    json!({ "type": "object", "required": ["reference"], "properties": members.collect::<Map<_, _>>() })
}

/// An object with each as a required member, an optional one, an item and the value of a map.
fn places(wrapped: &Wrapped) -> Value {
    let (mut members, mut required) = (Map::new(), Vec::new());
    for (name, schema) in wrapped {
        required.push(format!("{name}_must"));
        members.insert(format!("{name}_must"), schema.clone());
        members.insert(format!("{name}_may"), schema.clone());
        members.insert(
            format!("{name}_list"),
            json!({ "type": "array", "items": schema }),
        );
        let map = json!({ "type": "object", "additionalProperties": schema });
        members.insert(format!("{name}_map"), map);
    }
    json!({ "type": "object", "required": required, "properties": members })
}

/// An answer with each in a header, and others with each as the item of a stream.
fn answers(wrapped: &Wrapped) -> Value {
    let headers = wrapped.iter().map(|(name, schema)| {
        let name = format!("X-{}", name.replace('_', "-"));
        (name, json!({ "schema": schema, "required": true }))
    });
    let headers: Map<String, Value> = headers.collect();
    let mut answers = Map::new();
    answers.insert(
        "204".into(),
        json!({ "description": "None.", "headers": headers }),
    );
    for ((name, schema), status) in wrapped.iter().zip(400..) {
        let content = json!({
            "application/x-ndjson": { "schema": schema },
            "text/event-stream": { "schema": schema },
            "text/plain": { "schema": schema },
        });
        answers.insert(
            status.to_string(),
            json!({ "description": name, "content": content }),
        );
    }
    Value::Object(answers)
}

/// Where parameters may be, and how they may be written there.
fn styles() -> Vec<Value> {
    vec![
        json!({ "in": "path", "style": "simple" }),
        json!({ "in": "path", "style": "label", "explode": true }),
        json!({ "in": "path", "style": "matrix" }),
        json!({ "in": "query", "style": "form" }),
        json!({ "in": "query", "style": "form", "explode": false }),
        json!({ "in": "query", "style": "spaceDelimited", "explode": false }),
        json!({ "in": "query", "style": "pipeDelimited", "explode": false }),
        json!({ "in": "query", "style": "deepObject", "explode": true }),
        json!({ "in": "query" }),
        json!({ "in": "header", "style": "simple" }),
        json!({ "in": "cookie", "style": "form", "explode": false }),
    ]
}

/// An operation with parameters of one style.
fn of_style(shape: &str, style: &Value, wrapped: &Wrapped) -> (String, Value) {
    let text = |name: &str| style[name].as_str().unwrap_or("content");
    let mut path = format!(
        "/{}/{}/{}/{shape}",
        text("in"),
        text("style"),
        style["explode"]
    );
    let mut parameters = Vec::new();
    for (name, schema) in wrapped {
        let mut parameter = style.clone();
        parameter["name"] = json!(name);
        match style.get("style") {
            Some(_) => parameter["schema"] = schema.clone(),
            None => parameter["content"] = json!({ "application/json": { "schema": schema } }),
        }
        if style["in"] == "path" {
            parameter["required"] = json!(true);
            path.push_str(&format!("/{{{name}}}"));
        }
        parameters.push(parameter);
    }
    let operation = json!({ "parameters": parameters, "responses": nothing() });
    (path, json!({ "get": operation }))
}
