//! The conformance collection: expected responses, stored values, and requests that must be rejected.

use super::*;

/// The lines of an item's script.
fn script(item: &Value) -> String {
    let lines = item["event"][0]["script"]["exec"]
        .as_array()
        .unwrap()
        .iter();
    let lines: Vec<_> = lines.map(|line| line.as_str().unwrap()).collect();
    lines.join("\n")
}

/// The responses that a script expects.
fn expected(item: &Value) -> Value {
    let script = script(item);
    let start = script.find("contract.check(pm, ").unwrap() + "contract.check(pm, ".len();
    let values = serde_json::Deserializer::from_str(&script[start..]).into_iter();
    values.map(Result::unwrap).next().unwrap()
}

/// The schemas that all scripts share.
fn schemas(collection: &Value) -> Value {
    let script = script(collection);
    let start = script.find("schemas: ").unwrap() + "schemas: ".len();
    let values = serde_json::Deserializer::from_str(&script[start..]).into_iter();
    values.map(Result::unwrap).next().unwrap()
}

fn responding(id: &str, status: &str, schema: Value) -> Value {
    json!({
        "operationId": id,
        "responses": { status: {
            "description": "It.",
            "content": { "application/json": { "schema": schema } },
        } },
    })
}

#[test]
fn schemas_are_rewritten_in_draft_07() {
    let paths = json!({ "/a": { "get": responding("a", "200", json!({ "$ref": "#/components/schemas/A" })) } });
    let collection = conformance(&contract(
        paths,
        json!({ "schemas": {
            "A": {
                "description": "Said nowhere.",
                "type": ["object", "null"],
                "properties": {
                    "pair": { "type": "array", "prefixItems": [{ "type": "string" }], "items": false },
                    "b": { "$ref": "#/components/schemas/B", "minLength": 2 },
                },
                "dependentRequired": { "pair": ["b"] },
            },
            "B": { "type": "string", "format": "made-up" },
        } }),
    ));
    assert_eq!(
        schemas(&collection),
        json!({
            "A": {
                "type": ["object", "null"],
                "properties": {
                    "pair": { "type": "array", "items": [{ "type": "string" }], "additionalItems": false },
                    "b": { "allOf": [{ "$ref": "#/definitions/B" }, { "minLength": 2 }] },
                },
                "dependencies": { "pair": ["b"] },
            },
            "B": { "type": "string" },
        })
    );
    let body = &expected(&collection["item"][0]["item"][0])["200"]["bodies"]["application/json"];
    assert_eq!(
        *body,
        json!({ "name": "a A", "schema": { "$ref": "#/definitions/A" } })
    );
}

#[test]
fn scripts_check_the_order_of_lists() {
    let list = json!({
        "type": "array",
        "x-order": [{ "by": "/size", "descending": true }],
        "x-unique": ["/id"],
        "x-elsewhere": 1,
        "items": { "type": "object" },
    });
    let paths = json!({ "/a": { "get": responding("a", "200", list.clone()) } });
    let mut expected = list;
    expected.as_object_mut().unwrap().remove("x-elsewhere");
    let lowered = schemas(&conformance(&contract(paths, json!({}))));
    assert_eq!(
        lowered.as_object().unwrap().values().next(),
        Some(&expected)
    );
}

#[test]
fn keywords_unknown_to_draft_07_are_listed() {
    let schema = json!({ "allOf": [{ "$ref": "#/components/schemas/A" }] });
    let collection = conformance(&contract(
        json!({ "/a": { "get": responding("a", "200", schema) } }),
        json!({ "schemas": { "A": {
            "type": "object",
            "unevaluatedProperties": false,
            "properties": { "letters": { "type": "string", "pattern": "^\\p{L}+$" } },
        } } }),
    ));
    let body = &expected(&collection["item"][0]["item"][0])["200"]["bodies"]["application/json"];
    assert_eq!(
        body["unchecked"],
        json!(["pattern \"^\\\\p{L}+$\"", "unevaluatedProperties"])
    );
}

#[test]
fn created_resources_are_read_and_deleted() {
    let id = json!([{ "in": "path", "name": "id", "required": true, "schema": { "type": "string" }, "example": "shown" }]);
    let mut create = responding("create", "201", json!({ "type": "object" }));
    create["responses"]["201"]["links"] = json!({
        "Get": { "operationId": "get", "parameters": { "id": "$response.body#/id" } },
        "Delete": { "operationId": "delete", "parameters": { "id": "$response.body#/id" } },
    });
    let mut list = responding("list", "200", json!({ "type": "array" }));
    list["responses"]["200"]["links"] =
        json!({ "Get": { "operationId": "get", "parameters": { "id": "$response.body#/0/id" } } });
    let files = files(&contract(
        json!({
            "/a/{id}": {
                "parameters": id,
                "delete": silent("delete"),
                "get": responding("get", "200", json!({ "type": "object" })),
            },
            "/a": { "get": list, "post": create },
        }),
        json!({}),
    ));
    let collection = parsed(&files, "postman/conformance.json");
    let items = collection["item"][0]["item"].as_array().unwrap();
    let names: Vec<_> = items.iter().map(|item| &item["name"]).collect();
    assert_eq!(names, ["create", "get", "list", "delete"]);
    let stored: Vec<_> = script(&items[0])
        .lines()
        .filter(|line| line.contains("store"))
        .map(str::to_owned)
        .collect();
    assert_eq!(stored, [r#"contract.store(pm, "create.id", "/id");"#]);
    assert_eq!(
        rows(&items[1]["request"]["url"]["variable"]),
        ["id={{create.id}}"]
    );
    assert_eq!(
        rows(&items[3]["request"]["url"]["variable"]),
        ["id={{create.id}}"]
    );
    assert!(!script(&items[2]).contains("store"));
    let declared = rows(&collection["variable"]);
    assert!(
        declared.contains(&"create.id=shown".to_owned()),
        "{declared:?}"
    );
    // An environment would hide what was created.
    let environment = parsed(&files, "postman/environment.json");
    assert_eq!(environment["values"].as_array().unwrap().len(), 1);
}

#[test]
fn only_documented_rejections_are_requested() {
    let mut operation = responding("a", "200", json!({ "type": "object" }));
    operation["parameters"] = json!([
        { "in": "path", "name": "id", "required": true, "schema": { "type": "string", "format": "uuid" } },
        { "in": "query", "name": "limit", "schema": { "type": "integer" } },
        { "in": "query", "name": "day", "schema": { "type": "string", "format": "date" } },
        { "in": "query", "name": "words", "schema": { "type": "string" } },
    ]);
    operation["requestBody"] = json!({
        "content": { "application/json": { "schema": { "type": "object" }, "example": {} } },
    });
    let error = json!({
        "description": "Refused.",
        "x-framework-made": "validation",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
    });
    operation["responses"]["400"] = error;
    let document = contract(
        json!({ "/a/{id}": { "post": operation } }),
        json!({ "schemas": { "Error": { "type": "object" } } }),
    );
    let without_rejections = contract(json!({ "/a": { "get": silent("a") } }), json!({}));
    assert_eq!(
        conformance(&without_rejections)["item"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let Some(rejections) = conformance(&document)["item"].get(1).cloned() else {
        panic!("there are no rejections");
    };
    assert_eq!(rejections["name"], "Rejections");
    let items = rejections["item"].as_array().unwrap();
    let [path, query, body] = &items[..] else {
        panic!("{items:#?}");
    };
    assert_eq!(
        rows(&path["request"]["url"]["variable"]),
        ["id=~out-of-range~"]
    );
    assert_eq!(
        query["request"]["url"]["raw"],
        "{{baseUrl}}/a/:id?limit=~out-of-range~"
    );
    assert_eq!(body["request"]["body"]["raw"], "null");
    assert!(expected(&items[0])["400"]["bodies"]["application/json"]["schema"].is_object());
}
