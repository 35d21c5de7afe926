//! Saved responses and links.

use super::*;

fn saved(responses: Value) -> Value {
    let operation = json!({ "operationId": "op", "responses": responses });
    only_item(json!({ "/a": { "get": operation } }))["response"].clone()
}

fn names(saved: &Value) -> Vec<(u64, String)> {
    let each = saved.as_array().unwrap().iter();
    each.map(|response| {
        (
            response["code"].as_u64().unwrap(),
            response["name"].as_str().unwrap().to_owned(),
        )
    })
    .collect()
}

#[test]
fn successes_and_documented_errors_are_saved_with_each_example() {
    let text = json!({ "type": "string" });
    let saved = saved(json!({
        "default": { "description": "Otherwise." },
        "5XX": { "description": "Failed." },
        "429": {
            "description": "Slow down.",
            "x-framework-made": "rate-limit",
            "content": { "application/json": { "schema": text, "example": "slow" } },
        },
        "200": {
            "description": "Fine.",
            "content": { "application/json": { "schema": text, "examples": {
                "small": { "summary": "A small one", "value": "s" },
                "large": { "value": "l" },
            } } },
        },
        "202": {
            "description": "Accepted.",
            "content": { "text/plain": { "schema": text } },
        },
        "404": {
            "description": "Gone.",
            "content": { "text/plain": { "schema": text, "example": "gone" } },
        },
        "409": {
            "description": "A conflict.",
            "content": { "text/plain": { "schema": text } },
        },
    }));
    let wanted = [
        (200, "200 A small one"),
        (200, "200 large"),
        (202, "202 Accepted"),
        (404, "404 example"),
    ];
    assert_eq!(
        names(&saved),
        wanted.map(|(code, name)| (code, name.to_owned()))
    );
    assert_eq!(saved[0]["body"], "\"s\"");
    assert_eq!(saved[0]["status"], "OK");
    assert_eq!(saved[0]["_postman_previewlanguage"], "json");
    assert_eq!(saved[2].get("body"), None);
    assert_eq!(rows(&saved[2]["header"]), ["Content-Type=text/plain"]);
}

#[test]
fn required_headers_are_shown() {
    let header = |required: bool, more: Value| {
        let mut header = more;
        header["required"] = json!(required);
        header
    };
    let saved = saved(json!({ "204": { "description": "Done.", "headers": {
        "X-Shown": header(true, json!({ "schema": { "type": "integer" }, "example": 5 })),
        "X-Framework": header(
            true,
            json!({ "schema": { "type": "string", "const": "c" }, "x-framework-made": true })
        ),
        "X-Unknown": header(true, json!({ "schema": { "type": "string" } })),
        "X-Maybe": header(false, json!({ "schema": { "type": "string" }, "example": "m" })),
    } } }));
    assert_eq!(rows(&saved[0]["header"]), ["X-Shown=5", "X-Framework=c"]);
}

#[test]
fn a_saved_response_has_the_request_that_was_sent() {
    let parameter = |name: &str, required: bool| {
        json!({
            "in": "query", "name": name, "required": required, "example": "x",
            "description": "Long.", "schema": { "type": "string" },
        })
    };
    let operation = with(
        silent("op"),
        "parameters",
        json!([parameter("must", true), parameter("may", false)]),
    );
    let item = only_item(json!({ "/a": { "get": operation } }));
    let sent = &item["response"][0]["originalRequest"];
    assert_eq!(
        sent["url"]["query"],
        json!([{ "key": "must", "value": "x" }])
    );
    assert_eq!(sent.get("description"), None);
}

#[test]
fn links_are_described() {
    let operation = json!({ "operationId": "make", "responses": { "201": {
        "description": "Made.",
        "content": { "application/json": {} },
        "links": { "Get": { "$ref": "#/components/links/GetIt" } },
    } } });
    let id = json!({ "name": "id", "in": "query", "schema": { "type": "string" } });
    let paths = json!({
        "/a": { "post": operation },
        "/b": { "parameters": [id], "get": with(silent("get"), "summary", json!("Get it")) },
    });
    let link = json!({
        "operationId": "get",
        "description": "What was made.",
        "parameters": { "id": "$response.body#/id" },
    });
    let collection = collection(&contract(paths, json!({ "links": { "GetIt": link } })));
    let description = &collection["item"][0]["item"][0]["request"]["description"]["content"];
    assert_eq!(
        description,
        "Operation `make`. Needs no credential.\n\n### Next\n\n- **Get it** (`get`): What was made."
    );
}
