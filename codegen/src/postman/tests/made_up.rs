//! Requests of contracts without examples, and of streams.

use super::{collection, contract, only_item, rows};
use serde_json::{Value, json};

#[test]
fn what_is_required_is_made_up_from_its_schema() {
    let text = json!({ "type": "string", "pattern": "^[a-c]{3}$" });
    let param = |name: &str, place: &str, required: bool| json!({ "name": name, "in": place, "required": required, "schema": text });
    let paths = json!({ "/a/{id}": { "post": {
        "operationId": "a",
        "parameters": [
            param("id", "path", true),
            param("needed", "query", true),
            param("optional", "query", false),
            param("X-Needed", "header", true),
        ],
        "requestBody": { "required": true, "content": {
            "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } },
        } },
        "responses": { "204": { "description": "Done." } },
    } } });
    let components = json!({ "schemas": {
        "Thing": {
            "type": "object",
            "required": ["name", "size", "part"],
            "properties": {
                "name": { "type": "string", "minLength": 2 },
                "size": { "type": "integer", "minimum": 7 },
                "part": { "$ref": "#/components/schemas/Part" },
                "more": { "type": "string" },
            },
        },
        "Part": { "type": "object", "required": ["on"], "properties": { "on": { "type": "boolean" } } },
    } });
    let collection = collection(&contract(paths, components));
    let request = &collection["item"][0]["item"][0]["request"];
    let body = request["body"]["raw"].as_str().unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    assert!(body["name"].as_str().unwrap().len() >= 2, "{body}");
    assert!(body["size"].as_i64().unwrap() >= 7, "{body}");
    assert!(body["part"]["on"].is_boolean(), "{body}");
    assert_eq!(body["more"], Value::Null);
    let made_up = |row: &str| {
        let (_, value) = row.split_once('=').unwrap();
        value.len() == 3 && value.bytes().all(|byte| (b'a'..=b'c').contains(&byte))
    };
    let query = rows(&request["url"]["query"]);
    assert!(
        query[0].starts_with("needed=") && made_up(&query[0]),
        "{query:?}"
    );
    assert_eq!(query[1], "-optional=");
    assert!(made_up(&rows(&request["url"]["variable"])[0]));
    let header = rows(&request["header"]);
    assert!(
        header
            .iter()
            .any(|row| row.starts_with("X-Needed=") && made_up(row))
    );
}

#[test]
fn a_stream_of_events_is_asked_for_with_an_end() {
    let headers = |media_type: &str| {
        let content = json!({ media_type: { "schema": { "type": "string" } } });
        let responses = json!({ "200": { "description": "It.", "content": content } });
        let item =
            only_item(json!({ "/a": { "get": { "operationId": "a", "responses": responses } } }));
        rows(&item["request"]["header"])
    };
    let events = headers("text/event-stream");
    assert_eq!(events, ["Accept=text/event-stream", "Prefer=wait=2"]);
    assert_eq!(headers("text/plain"), ["Accept=text/plain"]);
}

#[test]
fn a_list_of_lines_has_as_many_items_as_it_must() {
    let sent = |list: Value| {
        let content = json!({ "application/jsonl": { "schema": list } });
        let operation = json!({
            "operationId": "a",
            "requestBody": { "required": true, "content": content },
            "responses": { "204": { "description": "Done." } },
        });
        let item = only_item(json!({ "/a": { "post": operation } }));
        let body = item["request"]["body"]["raw"].as_str().unwrap();
        body.to_owned()
    };
    let item = json!({ "type": "boolean" });
    let one = sent(json!({ "type": "array", "items": item }));
    assert!(["true\n", "false\n"].contains(&one.as_str()), "{one}");
    let three = sent(json!({ "type": "array", "minItems": 3, "items": item }));
    assert_eq!(three, one.repeat(3));
    let endless = sent(json!({ "type": "array", "minItems": u64::MAX, "items": item }));
    assert_eq!(endless.lines().count(), 100);
}
