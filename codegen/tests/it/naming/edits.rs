//! Edits of documents: additions, and changes of prose.

use serde_json::{Map, Value, json};

/// An edit with its name.
type Edit = (&'static str, fn(&mut Value));

pub(crate) const ADDITIONS: &[Edit] = &[
    ("an operation of a new tag at the front", |document| {
        operation(
            document,
            json!({ "operationId": "added.here", "tags": ["Added things"] }),
            0,
        );
    }),
    ("an operation of a new tag at the end", |document| {
        operation(
            document,
            json!({ "operationId": "added.here", "tags": ["Added things"] }),
            usize::MAX,
        );
    }),
    ("an operation of a known tag at the front", |document| {
        let tag = known_tag(document);
        operation(
            document,
            json!({ "operationId": "added.here", "tags": [tag] }),
            0,
        );
    }),
    ("an operation without a name at the front", |document| {
        operation(document, json!({}), 0);
    }),
    ("an operation that uses all that is shared", shares),
    ("a parameter", |document| {
        each_operation(document, |operation| {
            let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
            let added = json!({ "name": "addedHere", "in": "header", "schema": { "enum": ["one", "two"] } });
            parameters.as_array_mut().unwrap().insert(0, added);
        });
    }),
    ("a response", |document| {
        each_operation(document, |operation| {
            let Some(responses) = operation.get_mut("responses") else {
                return;
            };
            let headers =
                json!({ "Added-Here": { "schema": { "type": "string", "pattern": "^a+$" } } });
            let added =
                json!({ "description": "Added.", "headers": headers, "content": content() });
            insert(responses, "418", added, 0);
        });
    }),
    ("a schema at the front", |document| schema(document, 0)),
    ("a schema at the end", |document| {
        schema(document, usize::MAX)
    }),
    ("a schema with two forms", |document| {
        let id = json!({ "type": "integer", "readOnly": true });
        let added = json!({ "type": "object", "properties": { "id": id } });
        insert(component(document, "schemas"), "AddedHere", added, 0);
        let schema = json!({ "$ref": "#/components/schemas/AddedHere" });
        let content = json!({ "application/json": { "schema": schema } });
        let responses = json!({ "204": { "description": "Taken." } });
        let item = json!({ "post": {
            "requestBody": { "content": content }, "responses": responses
        } });
        insert(member(document, "paths"), "/added-here", item, 0);
    }),
    ("a security scheme", |document| {
        let scheme = json!({ "type": "apiKey", "in": "header", "name": "Added-Key" });
        insert(
            component(document, "securitySchemes"),
            "addedKey",
            scheme,
            0,
        );
    }),
    ("a webhook", |document| {
        let is_30 = document["openapi"].as_str().unwrap().starts_with("3.0");
        if !is_30 {
            let item = json!({ "post": with_parts(json!({ "operationId": "added.hook" })) });
            insert(member(document, "webhooks"), "addedHook", item, 0);
        }
    }),
];

pub(crate) const PROSE: &[Edit] = &[
    ("other texts", |document| {
        each_object(document, &mut |members| {
            for name in ["description", "summary"] {
                if let Some(Value::String(text)) = members.get_mut(name) {
                    *text = "Other: `Words`, of another_kind.".to_owned();
                }
            }
            if members.contains_key("version")
                && let Some(title) = members.get_mut("title")
            {
                *title = "Another title".into();
            }
        })
    }),
    ("no texts in schemas", |document| {
        each_object(document, &mut |members| {
            if is_schema(members) {
                members.shift_remove("description");
            }
            members.shift_remove("summary");
        })
    }),
    ("texts in schemas", |document| {
        each_object(document, &mut |members| {
            if is_schema(members) && !members.contains_key("$ref") {
                let texts = members.entry("description");
                texts.or_insert_with(|| "Some words.".into());
            }
        });
    }),
    ("texts beside references", |document| {
        each_object(component(document, "schemas"), &mut |members| {
            if members.get("$ref").is_some_and(Value::is_string) {
                let texts = members.entry("description");
                texts.or_insert_with(|| "Some words.".into());
            }
        });
    }),
    ("texts at the end", |document| {
        each_object(document, &mut |members| {
            for name in ["description", "summary"] {
                if let Some(text) = members.shift_remove(name) {
                    members.insert(name.into(), text);
                }
            }
        })
    }),
];

/// An operation with schemas of its own for all its parts.
fn with_parts(mut operation: Value) -> Value {
    let own = json!({
        "parameters": [
            { "name": "kind", "in": "query", "schema": { "enum": ["a", "b"] } },
            { "name": "X-Kind", "in": "header", "schema": { "type": "string", "pattern": "^x+$" } }
        ],
        "requestBody": { "content": content() },
        "responses": {
            "200": { "description": "Fine.", "content": content() },
            "default": { "description": "Not.", "content": content() }
        }
    });
    let members = operation.as_object_mut().unwrap();
    members.extend(own.as_object().unwrap().clone());
    operation
}

fn content() -> Value {
    let inner = json!({ "type": "object", "properties": { "a": { "enum": ["x"] } } });
    let schema = json!({
        "type": "object",
        "properties": {
            "inner": inner,
            "item": { "type": "array", "items": inner },
            "either": { "oneOf": [{ "type": "integer" }, inner] },
            "code": { "type": "string", "pattern": "^[a-c]{2}$" }
        }
    });
    json!({ "application/json": { "schema": schema } })
}

fn operation(document: &mut Value, named: Value, at: usize) {
    let item = json!({ "put": with_parts(named) });
    insert(member(document, "paths"), "/added-here", item, at);
}

/// Inserts an operation before all others that uses every component, and parts of them.
fn shares(document: &mut Value) {
    let name = |kind: &str| -> Vec<String> {
        let all = document.pointer(&format!("/components/{kind}"));
        all.and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
            .cloned()
            .collect()
    };
    let all = |kind: &str| -> Vec<Value> {
        let names = name(kind).into_iter();
        names
            .map(|name| json!({ "$ref": format!("#/components/{kind}/{name}") }))
            .collect()
    };
    let in_path = |parameter: &&Value| {
        let at = parameter["$ref"].as_str().unwrap().trim_start_matches('#');
        document.pointer(at).unwrap()["in"] == "path"
    };
    let parameters: Vec<Value> = all("parameters");
    let parameters: Vec<&Value> = parameters.iter().filter(|p| !in_path(p)).collect();
    let schemas: Map<String, Value> = all("schemas")
        .into_iter()
        .enumerate()
        .map(|(number, schema)| (format!("part{number}"), schema))
        .chain(parts(document).into_iter().enumerate().map(|(number, at)| {
            (
                format!("inner{number}"),
                json!({ "$ref": format!("#{at}") }),
            )
        }))
        .collect();
    let schema = json!({ "type": "object", "properties": schemas });
    let mut responses = Map::new();
    let codes = [
        200, 201, 202, 203, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412,
    ];
    // The framework's answers have a status of their own.
    let own = |response: &Value| {
        let at = response["$ref"].as_str().unwrap().trim_start_matches('#');
        document.pointer(at).unwrap()["x-framework-made"].is_null()
    };
    let shared = all("responses").into_iter().filter(own);
    for (code, response) in codes.iter().zip(shared) {
        responses.insert(code.to_string(), response);
    }
    let headers = name("headers").into_iter().map(|name| {
        let header = json!({ "$ref": format!("#/components/headers/{name}") });
        (name, header)
    });
    let headers: Map<String, Value> = headers.collect();
    let media = json!({ "application/json": { "schema": schema } });
    responses.insert(
        "default".into(),
        json!({ "description": "All.", "headers": headers, "content": media }),
    );
    let callbacks = name("callbacks").into_iter().map(|name| {
        let callback = json!({ "$ref": format!("#/components/callbacks/{name}") });
        (name, callback)
    });
    let callbacks: Map<String, Value> = callbacks.collect();
    let operation = json!({
        "operationId": "added.too",
        "parameters": parameters,
        "requestBody": { "content": media },
        "responses": responses,
        "callbacks": callbacks,
    });
    insert(
        member(document, "paths"),
        "/added-here-too",
        json!({ "post": operation }),
        0,
    );
}

/// The places of schemas inside the components' schemas, as members of objects.
fn parts(document: &Value) -> Vec<String> {
    let schemas = document
        .pointer("/components/schemas")
        .and_then(Value::as_object);
    let mut parts = Vec::new();
    for (name, schema) in schemas.into_iter().flatten() {
        let members = schema.get("properties").and_then(Value::as_object);
        for member in members.into_iter().flat_map(Map::keys) {
            let (name, member) = (escape(name), escape(member));
            parts.push(format!("/components/schemas/{name}/properties/{member}"));
        }
    }
    parts
}

fn escape(token: &str) -> String {
    token
        .replace('~', "~0")
        .replace('/', "~1")
        .replace('%', "%25")
        .replace('$', "%24")
}

fn schema(document: &mut Value, at: usize) {
    let added = content()
        .pointer("/application~1json/schema")
        .unwrap()
        .clone();
    insert(component(document, "schemas"), "AddedHere", added, at);
}

fn known_tag(document: &mut Value) -> Value {
    let mut tag = json!("default");
    each_operation(document, |operation| {
        if let Some(known) = operation.get("tags").and_then(|tags| tags.get(0)) {
            tag = known.clone();
        }
    });
    tag
}

fn each_operation(document: &mut Value, mut edit: impl FnMut(&mut Map<String, Value>)) {
    let items = member(document, "paths").as_object_mut().unwrap();
    for (_, item) in items {
        for method in ["get", "put", "post", "delete", "options", "head", "patch"] {
            if let Some(Value::Object(operation)) = item.get_mut(method) {
                edit(operation);
            }
        }
    }
}

/// Visits every object except data.
fn each_object(value: &mut Value, edit: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                const VALUES: [&str; 6] = [
                    "default",
                    "const",
                    "enum",
                    "example",
                    "examples",
                    "x-rust-type",
                ];
                if !VALUES.contains(&name.as_str()) {
                    each_object(member, edit);
                }
            }
            edit(members);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, edit)),
        _ => {}
    }
}

fn is_schema(members: &Map<String, Value>) -> bool {
    let is_text = |name| members.get(name).is_some_and(Value::is_string);
    is_text("type") || is_text("$ref")
}

fn component<'v>(document: &'v mut Value, kind: &str) -> &'v mut Value {
    member(member(document, "components"), kind)
}

/// A member that is an object, made if it is not there.
fn member<'v>(value: &'v mut Value, name: &str) -> &'v mut Value {
    let members = value.as_object_mut().unwrap();
    members.entry(name).or_insert_with(|| json!({}))
}

fn insert(value: &mut Value, name: &str, added: Value, at: usize) {
    let members = value.as_object_mut().unwrap();
    members.shift_remove(name);
    let at = at.min(members.len());
    members.shift_insert(at, name.to_owned(), added);
}
