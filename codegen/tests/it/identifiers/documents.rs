//! Documents that give names to things, one for each kind of thing.

use serde_json::{Map, Value, json};

/// How many of the names one operation has in each place.
const FEW: usize = 5;

/// Names that HTTP or OpenAPI keep for themselves where a header is named.
const HEADERS: &[&str] = &["accept", "authorization", "connection", "host"];

/// Every document, by the kind of the named things.
pub(super) fn all(names: &[String]) -> Vec<(&'static str, Value)> {
    let places = document(
        places(names),
        json!({ "securitySchemes": { "key": key("X-Key") } }),
    );
    let mut all = vec![
        ("variants", variants(names)),
        ("tags", document(tags(names), json!({}))),
        ("operations", document(operations(names), json!({}))),
        ("outgoing", outgoing(names)),
        ("schemes", schemes(names)),
        ("places", places),
    ];
    all.extend(
        SHAPES
            .iter()
            .map(|(kind, shape)| (*kind, schemas(names, *shape))),
    );
    all
}

/// The shape of a schema that has a name.
type Shape = (&'static str, fn(&str) -> Value);

const SHAPES: &[Shape] = &[
    ("objects", |name| {
        json!({ "type": "object", "required": ["value"], "minProperties": 1, "properties": {
            "value": { "type": "string", "maxLength": 9, "pattern": format!("^{name}$") },
            "next": reference(name),
        } })
    }),
    ("constants", |name| json!({ "const": name })),
    (
        "enumerations",
        |name| json!({ "enum": [name, "name", "value"] }),
    ),
    (
        "aliases",
        |name| json!({ "description": name, "allOf": [{ "const": 7 }] }),
    ),
    (
        "lists",
        |name| json!({ "type": "array", "items": { "oneOf": [{ "type": "null" }, reference(name)] } }),
    ),
    ("unions", |name| {
        json!({ "anyOf": [
            { "title": name, "type": "object", "properties": { "value": { "type": "string" } } },
            { "type": "object", "required": ["name"], "properties": { "name": reference(name) } },
            { "type": "string", "format": "uuid" },
        ] })
    }),
    (
        "conditions",
        |name| json!({ "not": { "properties": { "name": reference(name), "value": { "maxItems": 3 } } } }),
    ),
];

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn key(name: &str) -> Value {
    json!({ "type": "apiKey", "in": "header", "name": name })
}

fn document(paths: Value, components: Value) -> Value {
    json!({ "openapi": "3.1.1", "info": { "title": "Names", "version": "1" }, "paths": paths, "components": components })
}

fn object<'n>(members: impl IntoIterator<Item = (&'n String, Value)>) -> Value {
    let members = members
        .into_iter()
        .map(|(name, value)| (name.clone(), value));
    Value::Object(members.collect::<Map<_, _>>())
}

/// Schemas of one shape, and objects with members of the same names.
fn schemas(names: &[String], shape: fn(&str) -> Value) -> Value {
    let mut schemas = object(names.iter().map(|name| (name, shape(name))));
    for (index, some) in names.chunks(FEW).enumerate() {
        let members = object(some.iter().map(|name| (name, reference(name))));
        let required = some.get(1..);
        schemas[format!("z-{index}")] =
            json!({ "type": "object", "required": required, "properties": members });
    }
    document(json!({}), json!({ "schemas": schemas }))
}

/// Strings of the names, and alternatives that are told apart by them.
fn variants(names: &[String]) -> Value {
    let mut schemas = json!({ "z": { "enum": names } });
    for (index, some) in names.chunks(FEW).enumerate() {
        let alternatives = some.iter().map(|name| {
            json!({ "title": name, "type": "object", "required": ["kind"], "properties": { "kind": { "const": name } } })
        });
        schemas[format!("z-{index}")] = json!({ "oneOf": alternatives.collect::<Vec<_>>() });
    }
    document(json!({}), json!({ "schemas": schemas }))
}

fn nothing() -> Value {
    json!({ "204": { "description": "Nothing." } })
}

fn tags(names: &[String]) -> Value {
    let operations = names.iter().enumerate().map(|(index, name)| {
        let one = json!({ "get": { "operationId": format!("z{index}"), "tags": [name], "responses": nothing() } });
        (format!("/{index}"), one)
    });
    Value::Object(operations.collect())
}

fn operations(names: &[String]) -> Value {
    let text = json!({ "application/json": { "schema": { "type": "string" } }, "text/plain": {} });
    let operations = names.iter().enumerate().map(|(index, name)| {
        let one = json!({
            "operationId": name,
            "parameters": [{ "name": "limit", "in": "query", "schema": { "type": "integer" } }],
            "requestBody": { "content": text },
            "responses": {
                "200": { "description": "It.", "content": text },
                "default": { "description": "Any.", "content": text },
            },
        });
        (format!("/{index}"), json!({ "post": one }))
    });
    Value::Object(operations.collect())
}

/// Webhooks, and callbacks of one operation.
fn outgoing(names: &[String]) -> Value {
    let body = json!({ "required": true, "content": { "application/json": { "schema": { "type": "string" } } } });
    let sent = |name: &String| json!({ "post": { "operationId": name, "requestBody": body, "responses": nothing() } });
    let callbacks = object(names.iter().map(|name| {
        let url = format!("https://a.example/{{$request.query.{name}}}");
        (
            name,
            json!({ url: { "post": { "requestBody": body, "responses": nothing() } } }),
        )
    }));
    let parameters = names
        .iter()
        .map(|name| json!({ "name": name, "in": "query", "schema": { "type": "string" } }));
    let subscribe = json!({ "operationId": "z", "parameters": parameters.collect::<Vec<_>>(), "responses": nothing(), "callbacks": callbacks });
    let mut document = document(json!({ "/": { "post": subscribe } }), json!({}));
    document["webhooks"] = object(names.iter().map(|name| (name, sent(name))));
    document
}

/// Schemes of every kind, each asked for alone, with others and in the place of others.
fn schemes(names: &[String]) -> Value {
    let kinds = [
        json!({ "type": "http", "scheme": "basic" }),
        json!({ "type": "http", "scheme": "bearer" }),
        json!({ "type": "http", "scheme": "digest" }),
        json!({ "type": "mutualTLS" }),
        key("X-Key"),
    ];
    let schemes = object(names.iter().zip(kinds.into_iter().cycle()));
    let operations = names.chunks(FEW).enumerate().map(|(index, some)| {
        let each = some.iter().map(|name| object([(name, json!([]))]));
        let mut alternatives: Vec<_> = each.collect();
        alternatives.push(object(some.iter().take(2).map(|name| (name, json!([])))));
        let one = json!({ "operationId": format!("z{index}"), "security": alternatives, "responses": nothing() });
        (format!("/{index}"), json!({ "get": one }))
    });
    document(
        Value::Object(operations.collect()),
        json!({ "securitySchemes": schemes }),
    )
}

/// Operations with names in every place of a request and an answer.
fn places(names: &[String]) -> Value {
    let operations = names.chunks(FEW).enumerate().map(|(index, some)| {
        let path: String = some.iter().map(|name| format!("/{{{name}}}")).collect();
        (
            format!("/{index}{path}"),
            json!({ "post": place(index, some) }),
        )
    });
    Value::Object(operations.collect())
}

fn place(index: usize, names: &[String]) -> Value {
    let text = json!({ "type": "string" });
    let number = json!({ "type": "integer", "minimum": 1, "maximum": 9 });
    let headers: Vec<_> = names
        .iter()
        .filter(|name| !HEADERS.contains(&name.as_str()))
        .collect();
    let mut parameters = Vec::new();
    for name in names {
        parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": number }));
        parameters.push(json!({ "name": name, "in": "query", "schema": number }));
        parameters.push(json!({ "name": name, "in": "cookie", "schema": text }));
    }
    for name in &headers {
        parameters.push(json!({ "name": name, "in": "header", "required": true, "schema": text }));
    }
    let described = object(
        headers
            .iter()
            .map(|name| (*name, json!({ "schema": text }))),
    );
    let members = object(names.iter().map(|name| (name, text.clone())));
    let whole = json!({ "type": "object", "required": names, "properties": members });
    let encoding = object(
        names
            .iter()
            .map(|name| (name, json!({ "headers": described }))),
    );
    let mut files = object(names.iter().map(|name| (name, number.clone())));
    if let Some(first) = names.first() {
        files[first] = json!({ "type": "array", "items": {} });
    }
    let mut accepted = json!({
        "application/json": { "schema": whole },
        "application/x-www-form-urlencoded": { "schema": whole },
        "application/octet-stream": {},
        "multipart/form-data": { "schema": { "type": "object", "properties": files }, "encoding": encoding },
    });
    let mut offered = json!({ "application/json": { "schema": whole } });
    for name in names {
        accepted[format!("application/{name}")] = json!({});
        offered[format!("application/{name}+json")] = json!({ "schema": whole });
    }
    let links = object(names.iter().map(|name| {
        let given = object(
            names
                .iter()
                .take(2)
                .map(|name| (name, json!(format!("$response.body#/{name}")))),
        );
        (
            name,
            json!({ "operationId": format!("z{index}"), "parameters": given }),
        )
    }));
    json!({
        "operationId": format!("z{index}"),
        "security": [{ "key": [] }, {}],
        "x-extensions": true,
        "x-raw-headers": true,
        "parameters": parameters,
        "requestBody": { "content": accepted },
        "responses": {
            "200": { "description": "It.", "headers": described, "content": { "application/json": { "schema": whole } }, "links": links },
            "201": { "description": "One of several.", "headers": described, "content": offered },
            "default": { "description": "Any.", "headers": described, "content": { "text/plain": {} } },
        },
    })
}
