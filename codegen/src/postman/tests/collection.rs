//! The collection for people: the order of requests, the values that they hand on, and their tests.

use super::*;

fn object(properties: Value) -> Value {
    let required: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

fn responding(id: &str, status: &str, schema: Value) -> Value {
    let content = json!({ "application/json": { "schema": schema } });
    let responses = json!({ status: { "description": "It.", "content": content } });
    json!({ "operationId": id, "responses": responses })
}

fn path_param(name: &str) -> Value {
    json!({ "in": "path", "name": name, "required": true, "schema": { "type": "string" }, "example": "shown" })
}

/// The requests of the first folder, each as its name and its path variables.
fn requests(collection: &Value) -> Vec<String> {
    let items = collection["item"][0]["item"].as_array().unwrap().iter();
    let request = |item: &Value| {
        let variables = &item["request"]["url"]["variable"];
        let variables = variables.as_array().map(|_| rows(variables));
        let name = item["name"].as_str().unwrap();
        [vec![name.to_owned()], variables.unwrap_or_default()]
            .concat()
            .join(" ")
    };
    items.map(request).collect()
}

/// The script of a request for an event, line by line.
fn script(collection: &Value, name: &str, listen: &str) -> Vec<String> {
    let items = collection["item"][0]["item"].as_array().unwrap();
    let item = items.iter().find(|item| item["name"] == name).unwrap();
    let events = item["event"].as_array().unwrap();
    let event = events.iter().find(|event| event["listen"] == listen);
    let lines = event.map(|event| event["script"]["exec"].as_array().unwrap());
    let lines = lines.into_iter().flatten();
    lines
        .map(|line| line.as_str().unwrap().to_owned())
        .collect()
}

/// Albums with photos, whose operations are in no useful order.
fn albums(links: bool) -> Value {
    let text = json!({ "type": "string" });
    let mut create = responding("create", "201", object(json!({ "id": text })));
    let mut add = responding("add", "201", object(json!({ "key": text, "id": text })));
    if links {
        create["responses"]["201"]["links"] = json!({ "Get": { "operationId": "get", "parameters": { "album": "$response.body#/id" } } });
        add["responses"]["201"]["links"] = json!({ "Show": { "operationId": "show", "parameters": {
            "path.album": "$request.path.album",
            "photo": "$response.body#/key",
        } } });
    }
    let paths = json!({
        "/albums/{album}/photos/{photo}": {
            "parameters": [path_param("album"), path_param("photo")],
            "delete": silent("remove"),
            "get": silent("show"),
        },
        "/albums/{album}/photos": { "parameters": [path_param("album")], "post": add },
        "/albums/{album}": {
            "parameters": [path_param("album")],
            "delete": silent("delete"),
            "get": silent("get"),
            "patch": silent("change"),
        },
        "/albums": { "post": create },
    });
    contract(paths, json!({}))
}

#[test]
fn a_run_creates_resources_before_it_uses_and_deletes_them() {
    let requests = |links| requests(&collection(&albums(links)));
    let expected = [
        "create",
        "add album={{album}}",
        "show album={{album}} photo={{photo}}",
        "get album={{album}}",
        "change album={{album}}",
        "remove album={{album}} photo={{photo}}",
        "delete album={{album}}",
    ];
    assert_eq!(requests(true), expected);
    assert_eq!(requests(false), expected);
}

#[test]
fn an_id_is_read_where_a_link_says_or_from_the_property_id() {
    let stored = |links| {
        script(&collection(&albums(links)), "add", "test")
            .pop()
            .unwrap()
    };
    let store = |name: &str| {
        format!("pm.collectionVariables.set('photo', pm.response.json()?.{name} ?? '');")
    };
    assert_eq!(stored(true), store("key"));
    assert_eq!(stored(false), store("id"));
}

#[test]
fn a_deleted_resource_is_used_no_more() {
    let mut document = albums(true);
    document["tags"] = json!([{ "name": "first" }, { "name": "second" }]);
    for (path, methods) in document["paths"].as_object_mut().unwrap() {
        for (method, operation) in methods.as_object_mut().unwrap() {
            let is_second = path == "/albums/{album}" && method == "get";
            if method != "parameters" {
                operation["tags"] = json!([if is_second { "second" } else { "first" }]);
            }
        }
    }
    let collection = collection(&document);
    let second = &collection["item"][1]["item"][0];
    assert_eq!(second["name"], "get");
    assert_eq!(rows(&second["request"]["url"]["variable"]), ["album=shown"]);
}

#[test]
fn items_of_lists_are_read_and_not_changed() {
    let text = json!({ "type": "string" });
    let items = json!({ "type": "array", "items": object(json!({ "odd-id": text })) });
    let page = object(json!({ "items": items, "next": text }));
    let mut list = with(
        responding("list", "200", page),
        "summary",
        json!("List\nbooks"),
    );
    let parameters = json!({ "id": "$response.body#/items/0/odd-id" });
    list["responses"]["200"]["links"] = json!({
        "Get": { "operationId": "get", "parameters": parameters },
        "Delete": { "operationId": "delete", "parameters": parameters },
    });
    let book = json!({ "parameters": [path_param("id")], "delete": silent("delete"), "get": silent("get") });
    let paths = json!({ "/books/{id}": book, "/books": { "get": list } });
    let collection = collection(&contract(paths, json!({})));
    assert_eq!(
        requests(&collection),
        ["List\nbooks", "get id={{id}}", "delete id=shown"]
    );
    let skipped = script(&collection, "get", "prerequest");
    assert_eq!(
        skipped,
        [
            "// Skips the request if \"List books\" has found nothing.",
            "if (!pm.collectionVariables.get('id')) pm.execution.skipRequest();",
        ]
    );
    assert!(script(&collection, "delete", "prerequest").is_empty());
    assert_eq!(
        script(&collection, "List\nbooks", "test"),
        [
            "pm.test('Status is 200', () => {",
            "    pm.response.to.have.status(200);",
            "});",
            "pm.test('Content-Type is application/json', () => {",
            "    pm.expect(pm.response.headers.get('Content-Type')).to.include('application/json');",
            "});",
            "pm.test('The body has its required properties', () => {",
            "    pm.expect(pm.response.json()).to.include.all.keys('items', 'next');",
            "});",
            "pm.test('Each item has its required properties', () => {",
            "    for (const item of pm.response.json().items) {",
            "        pm.expect(item).to.include.all.keys('odd-id');",
            "    }",
            "});",
            "pm.collectionVariables.set('id', pm.response.json()?.items?.[0]?.['odd-id'] ?? '');",
        ]
    );
    let declared = rows(&collection["variable"]);
    assert!(declared.contains(&"id=shown".to_owned()), "{declared:?}");
}

#[test]
fn equal_names_of_several_resources_are_told_apart() {
    let text = json!({ "type": "string" });
    let create = |id: &str| responding(id, "201", object(json!({ "id": text })));
    let one = |id: &str| json!({ "parameters": [path_param("id")], "get": silent(id) });
    let paths = json!({
        "/a": { "post": create("a.create") }, "/a/{id}": one("a"),
        "/b": { "post": create("b.create") }, "/b/{id}": one("b"),
    });
    assert_eq!(
        requests(&collection(&contract(paths, json!({})))),
        [
            "a.create",
            "b.create",
            "a id={{a.create.id}}",
            "b id={{b.create.id}}"
        ]
    );
}

#[test]
fn a_stored_value_does_not_hide_a_secret() {
    let text = json!({ "type": "string" });
    let create = responding("create", "201", object(json!({ "token": text })));
    let one = json!({ "parameters": [path_param("token")], "get": silent("get") });
    let schemes = json!({ "token": { "type": "http", "scheme": "bearer" } });
    let collection = collection(&contract(
        json!({ "/tokens": { "post": create }, "/tokens/{token}": one }),
        json!({ "securitySchemes": schemes }),
    ));
    assert_eq!(requests(&collection), ["create", "get token={{token2}}"]);
}

#[test]
fn any_documented_success_passes() {
    let tested = |responses: Value| {
        let operation = json!({ "operationId": "op", "responses": responses });
        let collection = collection(&contract(json!({ "/a": { "get": operation } }), json!({})));
        script(&collection, "op", "test")
    };
    let it = json!({ "description": "It." });
    let statuses = |name: &str, assertion: &str| {
        let name = format!("pm.test('Status is {name}', () => {{");
        vec![name, format!("    {assertion};"), "});".to_owned()]
    };
    assert_eq!(
        tested(json!({ "200": it, "204": it, "404": it })),
        statuses(
            "200 or 204",
            "pm.expect(pm.response.code).to.be.oneOf([200, 204])"
        )
    );
    for success in [json!({ "2XX": it }), json!({ "default": it })] {
        assert_eq!(
            tested(success),
            statuses("2XX", "pm.response.to.be.success")
        );
    }
    assert!(tested(json!({ "404": it })).is_empty());
}

#[test]
fn names_are_quoted_and_long_lists_wrapped() {
    let text = json!({ "type": "string" });
    let names = ["it's", "b\\c", "\"d\"", "e\nf"].map(|name| (name.to_owned(), text.clone()));
    let long = (0..9).map(|n| (format!("a-rather-long-name-{n}"), text.clone()));
    let properties: serde_json::Map<_, _> = names.into_iter().chain(long).collect();
    let operation = responding("op", "200", object(Value::Object(properties)));
    let collection = collection(&contract(json!({ "/a": { "get": operation } }), json!({})));
    let script = script(&collection, "op", "test");
    let keys: Vec<_> = script
        .iter()
        .filter(|line| line.starts_with("        "))
        .collect();
    assert_eq!(keys.len(), 4, "{script:#?}");
    assert!(
        keys[0].starts_with(r#"        'it\'s', 'b\\c', '"d"', 'e\nf', 'a-rather-long-name-0',"#),
        "{keys:#?}"
    );
}

#[test]
fn only_the_response_to_a_creation_makes_a_resource_the_runs_own() {
    let text = json!({ "type": "string" });
    let mut sign_in = responding("sign-in", "200", object(json!({ "user": text })));
    let parameters = json!({ "id": "$response.body#/user" });
    sign_in["responses"]["200"]["links"] =
        json!({ "Get": { "operationId": "get", "parameters": parameters } });
    let user = json!({ "parameters": [path_param("id")], "delete": silent("delete"), "get": silent("get") });
    let paths = json!({ "/sign-in": { "post": sign_in }, "/users/{id}": user });
    assert_eq!(
        requests(&collection(&contract(paths, json!({})))),
        ["sign-in", "get id={{id}}", "delete id=shown"]
    );
}

#[test]
fn a_value_that_no_request_uses_is_not_stored() {
    let text = json!({ "type": "string" });
    let items = |id: &str| {
        let list = json!({ "type": "array", "items": object(json!({ "id": text, "area": text })) });
        responding(id, "200", list)
    };
    let mut areas = items("areas");
    areas["responses"]["200"]["links"] = json!({ "Get": { "operationId": "area", "parameters": { "area": "$response.body#/0/id" } } });
    let mut roads = items("roads");
    roads["responses"]["200"]["links"] = json!({ "Get": { "operationId": "road", "parameters": {
        "area": "$response.body#/0/area",
        "road": "$response.body#/0/id",
    } } });
    let road =
        json!({ "parameters": [path_param("area"), path_param("road")], "get": silent("road") });
    let mut document = contract(
        json!({
            "/areas": { "get": areas },
            "/areas/{area}/roads/{road}": road,
            "/roads": { "get": roads },
        }),
        json!({}),
    );
    document["paths"]["/areas/{area}"] =
        json!({ "parameters": [path_param("area")], "post": silent("area") });
    let collection = collection(&document);
    assert_eq!(
        requests(&collection),
        [
            "areas",
            "roads",
            "road area={{roads.area}} road={{road}}",
            "area area=shown"
        ]
    );
    let stored = script(&collection, "areas", "test");
    assert!(!stored.concat().contains("Variables.set"), "{stored:?}");
}
