//! Request bodies by media type.

use super::*;

fn request(content: Value) -> Value {
    let body = json!({ "description": "What to keep.", "content": content });
    let operation = with(silent("op"), "requestBody", body);
    only_item(json!({ "/a": { "post": operation } }))["request"].clone()
}

#[test]
fn json_is_filled_with_its_first_example_and_the_others_are_described() {
    let request = request(json!({
        "text/plain": { "schema": { "type": "string" } },
        "application/json": {
            "schema": { "type": "object" },
            "examples": { "one": { "value": { "b": 1, "a": [] } }, "two": { "value": {} } },
        },
    }));
    assert_eq!(
        request["body"],
        json!({
            "mode": "raw",
            "raw": "{\n  \"b\": 1,\n  \"a\": []\n}",
            "options": { "raw": { "language": "json" } },
        })
    );
    assert_eq!(
        rows(&request["header"]),
        ["Content-Type=application/json"],
        "a 204 has no media type to accept"
    );
    let description = request["description"]["content"].as_str().unwrap();
    assert!(
        description.ends_with(
            "### Body\n\nWhat to keep.\n\ntwo (`application/json`):\n\n```json\n{}\n```"
        )
    );
}

#[test]
fn a_form_lists_every_field() {
    let request = request(json!({ "application/x-www-form-urlencoded": {
        "schema": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": { "type": "string", "description": "Who." },
                "age": { "type": "integer" },
                "note": { "type": "string" },
            },
        },
        "example": { "age": 3 },
    } }));
    assert_eq!(request["body"]["mode"], "urlencoded");
    let fields = &request["body"]["urlencoded"];
    assert_eq!(rows(fields), ["age=3", "name=", "-note="]);
    assert_eq!(fields[1]["description"]["content"], "Who.");
}

#[test]
fn a_field_of_a_form_is_written_as_its_encoding_says() {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let request = request(json!({ "application/x-www-form-urlencoded": {
        "schema": { "type": "object", "properties": { "ids[]": &texts, "tags": &texts, "words": &texts } },
        "encoding": { "tags": { "style": "pipeDelimited" }, "words": { "contentType": "application/json" } },
        "example": { "ids[]": ["a", "b"], "tags": ["a", "b"], "words": ["a"] },
    } }));
    assert_eq!(
        rows(&request["body"]["urlencoded"]),
        ["ids[]=a", "ids[]=b", "tags=a|b", "words=[\"a\"]"]
    );
}

#[test]
fn bytes_are_a_file_and_text_is_text() {
    let bytes = request(json!({ "application/octet-stream": {} }));
    assert_eq!(
        bytes["body"],
        json!({ "mode": "file", "file": { "src": null } })
    );
    let text = request(json!({ "text/plain": { "example": "\"hi\"" } }));
    assert_eq!(text["body"]["raw"], "\"hi\"");
    assert_eq!(text["body"]["options"]["raw"]["language"], "text");
}
