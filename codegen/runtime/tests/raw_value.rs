//! Raw text as the value that a schema takes it for.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use runtime::raw::Raw;
use runtime::raw_value::{self, Objects};
use runtime::schema::Schemas;
use serde_json::json;

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
        let value = raw_value::value(&raw, &schemas.json_type("Root"), objects);
        let expected =
            json!({ "one": { "from": 1 }, "list": [{ "from": 1 }, {}], "any": any, "text": "{}" });
        assert_eq!(value, expected);
    }
}
