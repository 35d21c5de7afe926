//! Authentication: of the collection, of requests, and its secrets.

use super::*;

/// A collection with a request for each security requirement, and its environment.
fn with_security(requirements: &[Value]) -> (Value, Value) {
    let mut paths = json!({});
    for (n, requirement) in requirements.iter().enumerate() {
        let operation = with(silent(&format!("op{n}")), "security", requirement.clone());
        paths[format!("/{n}")] = json!({ "get": operation });
    }
    let schemes = json!({
        "crumb": { "type": "apiKey", "in": "cookie", "name": "session" },
        "key": { "type": "apiKey", "in": "header", "name": "X-Key", "description": "Keep it." },
        "who.are.you": { "type": "http", "scheme": "basic" },
        "token": { "type": "http", "scheme": "bearer" },
        "certificate": { "type": "mutualTLS" },
    });
    let files = files(&contract(paths, json!({ "securitySchemes": schemes })));
    (
        parsed(&files, "postman/collection.json"),
        parsed(&files, "postman/environment.json"),
    )
}

fn request(requirement: Value) -> Value {
    with_security(&[requirement]).0["item"][0]["item"][0]["request"].clone()
}

#[test]
fn the_collection_uses_the_first_scheme_that_postman_knows() {
    let (collection, _) = with_security(&[json!([{ "key": [] }])]);
    assert_eq!(
        collection["auth"],
        json!({
            "type": "apikey",
            "apikey": [
                { "key": "key", "value": "X-Key", "type": "string" },
                { "key": "value", "value": "{{key}}", "type": "string" },
                { "key": "in", "value": "header", "type": "string" },
            ],
        })
    );
}

#[test]
fn a_request_inherits_or_differs() {
    let request_auth = |requirement| request(requirement)["auth"].clone();
    let none = json!({ "type": "noauth", "noauth": [] });
    assert_eq!(request_auth(json!([{ "key": [] }])), Value::Null);
    assert_eq!(request_auth(json!([])), none);
    assert_eq!(request_auth(json!([{ "token": [] }]))["type"], "bearer");
    assert_eq!(
        request_auth(json!([{ "who.are.you": [] }]))["basic"],
        json!([
            { "key": "username", "value": "{{who_are_youUsername}}", "type": "string" },
            { "key": "password", "value": "{{who_are_youPassword}}", "type": "string" },
        ])
    );
    assert_eq!(request_auth(json!([{ "certificate": [] }])), none);
}

#[test]
fn an_optional_credential_is_sent_by_people_and_not_by_tests() {
    let operation = with(silent("a"), "security", json!([{}, { "key": [] }]));
    let key = json!({ "type": "apiKey", "in": "header", "name": "X-Key" });
    let document = contract(
        json!({ "/a": { "get": operation } }),
        json!({ "securitySchemes": { "key": key } }),
    );
    let auth = |collection: Value| collection["item"][0]["item"][0]["request"]["auth"].clone();
    assert_eq!(auth(collection(&document)), Value::Null);
    assert_eq!(auth(conformance(&document))["type"], "noauth");
}

#[test]
fn the_description_names_the_secrets_to_set() {
    let (collection, _) = with_security(&[json!([])]);
    let description = collection["info"]["description"]["content"]
        .as_str()
        .unwrap();
    let secrets = "`crumb`, `key`, `who_are_youUsername`, `who_are_youPassword`, `token`";
    assert!(
        description.contains(&format!("Set {secrets} in the variables")),
        "{description}"
    );
}

#[test]
fn credentials_that_are_needed_together_are_all_sent() {
    let request = request(json!([{ "crumb": [], "key": [], "token": [] }]));
    assert_eq!(request["auth"], Value::Null);
    assert_eq!(
        rows(&request["header"]),
        ["Authorization=Bearer {{token}}", "Cookie=session={{crumb}}"]
    );
}

#[test]
fn secrets_are_declared_empty_and_hidden() {
    let (collection, environment) = with_security(&[json!([])]);
    let secrets = [
        "crumb=",
        "key=",
        "who_are_youUsername=",
        "who_are_youPassword=",
        "token=",
    ];
    assert_eq!(rows(&collection["variable"])[1..], secrets);
    assert_eq!(rows(&environment["values"])[1..], secrets);
    for value in environment["values"].as_array().unwrap() {
        let wanted = if value["key"] == "baseUrl" {
            "default"
        } else {
            "secret"
        };
        assert_eq!(value["type"], wanted);
    }
    assert_eq!(environment["_postman_variable_scope"], "environment");
}
