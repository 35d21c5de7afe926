//! The collections of small contracts, from their text to the printed collection.

mod addresses;
mod auth;
mod bodies;
mod collection;
mod conformance;
mod made_up;
mod responses;

use crate::{FileTree, Options, Runtime, Source, Workspace, generate};
use serde_json::{Value, json};

/// The files of a contract.
fn files(document: &Value) -> FileTree {
    let source = Source {
        name: "contract.json".into(),
        text: document.to_string(),
    };
    let options = Options {
        crate_name: "contract".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    };
    generate(&source, &options).unwrap().files
}

fn parsed(files: &FileTree, path: &str) -> Value {
    serde_json::from_str(files.get(path).unwrap()).unwrap()
}

fn collection(document: &Value) -> Value {
    parsed(&files(document), "postman/collection.json")
}

fn conformance(document: &Value) -> Value {
    parsed(&files(document), "postman/conformance.json")
}

/// A contract of these paths and components.
fn contract(paths: Value, components: Value) -> Value {
    json!({
        "openapi": "3.1.1",
        "info": { "title": "Small", "version": "2.1.0", "description": "For tests." },
        "paths": paths,
        "components": components,
    })
}

/// The item of the only operation of a contract.
fn only_item(paths: Value) -> Value {
    collection(&contract(paths, json!({})))["item"][0]["item"][0].clone()
}

/// An operation that responds with 204.
fn silent(id: &str) -> Value {
    json!({ "operationId": id, "responses": { "204": { "description": "Nothing." } } })
}

/// A copy of an object with another property.
fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

/// Each row as `key=value`, with a `-` before the key when it is not sent.
fn rows(list: &Value) -> Vec<String> {
    let each = list.as_array().unwrap().iter();
    each.map(|row| {
        let mark = if row["disabled"] == true { "-" } else { "" };
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        format!("{mark}{}={}", text("key"), text("value"))
    })
    .collect()
}

#[test]
fn folders_follow_the_tags_and_hold_each_operation_once() {
    let tagged = |id: &str, tags: &[&str]| with(silent(id), "tags", json!(tags));
    let mut document = contract(
        json!({
            "/b": { "get": tagged("b", &["Second", "First"]) },
            "/a": { "get": with(tagged("a", &["First"]), "summary", json!("Get a")) },
        }),
        json!({}),
    );
    document["tags"] = json!([
        { "name": "First", "description": "One." },
        { "name": "Unused" },
        { "name": "Second" },
    ]);
    let collection = collection(&document);
    assert_eq!(
        collection["info"]["schema"],
        "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    );
    assert_eq!(
        collection["info"]["description"],
        json!({ "content": "Version 2.1.0.\n\nFor tests.", "type": "text/markdown" })
    );
    let folders = collection["item"].as_array().unwrap();
    assert_eq!(folders.len(), 2);
    assert_eq!(folders[0]["name"], "First");
    assert_eq!(folders[0]["description"]["content"], "One.");
    assert_eq!(folders[0]["item"].as_array().unwrap().len(), 1);
    assert_eq!(folders[0]["item"][0]["name"], "Get a");
    assert_eq!(folders[1]["item"][0]["name"], "b");
    let description = &folders[1]["item"][0]["request"]["description"]["content"];
    assert_eq!(
        description,
        "Operation `b`. Needs no credential. Also belongs to First."
    );
}

#[test]
fn a_request_has_the_method_of_its_operation() {
    let operations = json!({ "query": silent("find"), "additionalOperations": { "M-SEARCH": silent("discover") } });
    let mut document = contract(json!({ "/a": operations }), json!({}));
    document["openapi"] = "3.2.0".into();
    let collection = collection(&document);
    let items = collection["item"][0]["item"].as_array().unwrap();
    let methods = items.iter().map(|item| &item["request"]["method"]);
    assert_eq!(methods.collect::<Vec<_>>(), ["QUERY", "M-SEARCH"]);
}

#[test]
fn a_tag_below_another_is_a_folder_in_its_folder() {
    let tagged = |id: &str, tag: &str| with(silent(id), "tags", json!([tag]));
    let paths =
        json!({ "/a": { "get": tagged("a", "inner") }, "/b": { "get": tagged("b", "outer") } });
    let mut document = contract(paths, json!({}));
    document["openapi"] = "3.2.0".into();
    document["servers"] = json!([{ "url": "https://a.example", "name": "production" }]);
    document["tags"] = json!([
        { "name": "inner", "parent": "outer" },
        { "name": "outer", "summary": "The outer one" },
    ]);
    let collection = collection(&document);
    let outer = &collection["item"][0];
    assert_eq!(outer["name"], "The outer one");
    assert_eq!(outer["item"][0]["request"]["method"], "GET");
    assert_eq!(outer["item"][1]["name"], "inner");
    assert_eq!(outer["item"][1]["item"][0]["name"], "a");
    assert_eq!(collection["item"].as_array().unwrap().len(), 1);
    assert_eq!(
        collection["variable"][0]["description"]["content"],
        "production"
    );
}

#[test]
fn ids_stay_when_something_else_changes() {
    let small = contract(json!({ "/a": { "get": silent("a") } }), json!({}));
    let large = contract(
        json!({ "/0": { "get": silent("zero") }, "/a": { "get": with(silent("a"), "summary", json!("A")) } }),
        json!({}),
    );
    let before = &collection(&small)["item"][0];
    let after = &collection(&large)["item"][0];
    assert_eq!(before["id"], after["id"]);
    assert_eq!(before["item"][0]["id"], after["item"][1]["id"]);
    let responses = (
        &before["item"][0]["response"],
        &after["item"][1]["response"],
    );
    assert_eq!(responses.0[0]["id"], responses.1[0]["id"]);
    assert_ne!(after["item"][0]["id"], after["item"][1]["id"]);
}

#[test]
fn the_same_contract_gives_the_same_bytes() {
    let document = contract(json!({ "/a": { "get": silent("a") } }), json!({}));
    for path in
        ["collection", "conformance", "environment"].map(|name| format!("postman/{name}.json"))
    {
        let first = files(&document).get(&path).unwrap().to_owned();
        assert_eq!(files(&document).get(&path), Some(first.as_str()));
        assert!(first.ends_with("}\n"));
    }
}
