//! The API style rules of `CONTRIBUTING.md` that a machine can check, on the committed contract.

use std::collections::BTreeSet;

use serde_json::Value;

use super::document::{Document, Operation, property, resolve};

/// Lists that a resource bounds by itself, and are returned whole.
const WHOLE_LISTS: [&str; 3] = ["campaigns.charities", "charities.feed", "analytics.series"];

#[test]
fn every_metered_operation_documents_common_errors() {
    let document = Document::read(crate::CONTRACT);
    let metered: Vec<_> = document.operations.iter().filter(|it| it.metered).collect();
    assert_eq!(metered.len(), document.operations.len() - 2);
    for operation in metered {
        for status in [400, 403, 429, 500, 503] {
            let is_there = operation.answers.contains_key(&status);
            assert!(is_there, "{} lacks {status}", operation.id);
        }
        assert!(
            operation
                .names("header")
                .all(|name| name != "service-api-key")
        );
    }
}

#[test]
fn every_list_pages() {
    let document = Document::read(crate::CONTRACT);
    for operation in document.operations.iter().filter(|it| it.is_get()) {
        let body = operation.answers[&200].content.get("application/json");
        let Some(list) = body.and_then(|body| property(&document.root, body, "response")) else {
            continue;
        };
        assert!(
            list["maxItems"].is_number(),
            "{} is unbounded",
            operation.id
        );
        let parameters: BTreeSet<_> = operation.names("query").collect();
        let is_paged = ["limit", "cursor"].iter().all(|it| parameters.contains(it))
            && property(&document.root, body.unwrap(), "pageKey").is_some();
        let is_whole = WHOLE_LISTS.contains(&operation.id.as_str());
        assert!(is_paged != is_whole, "{}", operation.id);
    }
}

#[test]
fn every_array_is_bounded() {
    fn unbounded(value: &Value, at: String, found: &mut Vec<String>) {
        let types = value["type"]
            .as_array()
            .map_or_else(|| vec![&value["type"]], |types| types.iter().collect());
        if types.iter().any(|it| *it == "array") && value.get("maxItems").is_none() {
            found.push(at.clone());
        }
        match value {
            Value::Object(fields) => fields
                .iter()
                .for_each(|(name, field)| unbounded(field, format!("{at}/{name}"), found)),
            Value::Array(items) => items
                .iter()
                .for_each(|item| unbounded(item, at.clone(), found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    unbounded(
        &Document::read(crate::CONTRACT).root,
        String::new(),
        &mut found,
    );
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn every_create_takes_an_idempotency_key() {
    let document = Document::read(crate::CONTRACT);
    for operation in with_status(&document, "POST", 201) {
        let has = |place, name: &str| operation.names(place).any(|it| it == name);
        assert!(has("header", "Idempotency-Key"), "{}", operation.id);
        let created = &operation.answers[&201].headers;
        for name in ["location", "etag", "idempotent-replayed"] {
            assert!(created.contains_key(name), "{} lacks {name}", operation.id);
        }
        let conflict = &operation.answers[&409];
        let schema = &conflict.content["application/json"];
        let only_code =
            property(&document.root, schema, "code").and_then(|code| code["const"].as_str());
        let mut codes = conflict.codes.iter().map(String::as_str).chain(only_code);
        assert!(
            codes.any(|code| code == "IDEMPOTENCY_KEY_REUSED"),
            "{}",
            operation.id
        );
    }
}

#[test]
fn every_change_takes_a_merge_patch_and_an_entity_tag() {
    let document = Document::read(crate::CONTRACT);
    for operation in with_status(&document, "PATCH", 200) {
        let path = operation.path.replace('/', "~1");
        let content = format!("/paths/{path}/patch/requestBody/content");
        let content = document
            .root
            .pointer(&content)
            .unwrap()
            .as_object()
            .unwrap();
        let types: Vec<_> = content.keys().collect();
        let (patch, json) = ("application/merge-patch+json", "application/json");
        assert_eq!(types, [patch, json], "{}", operation.id);
        assert_eq!(content[patch]["schema"], content[json]["schema"]);
        assert!(operation.names("header").any(|name| name == "If-Match"));
        assert!(operation.answers.contains_key(&412), "{}", operation.id);
        let get = |it: &&Operation| it.is_get() && it.path == operation.path;
        let read = document.operations.iter().find(get).unwrap();
        for operation in [operation, read] {
            let headers = &operation.answers[&200].headers;
            assert!(headers.contains_key("etag"), "{}", operation.id);
        }
    }
}

#[test]
fn every_deletion_of_a_resource_with_an_entity_tag_takes_it() {
    let document = Document::read(crate::CONTRACT);
    for operation in with_status(&document, "DELETE", 204) {
        let get = |it: &&Operation| it.is_get() && it.path == operation.path;
        let read = document.operations.iter().find(get).unwrap();
        let is_tagged = read.answers[&200].headers.contains_key("etag");
        let takes = operation.names("header").any(|name| name == "If-Match");
        let fails = operation.answers.contains_key(&412);
        assert_eq!((takes, fails), (is_tagged, is_tagged), "{}", operation.id);
    }
}

#[test]
fn ranges_are_from_and_to() {
    for operation in Document::read(crate::CONTRACT).operations {
        let names: BTreeSet<_> = operation.names("query").collect();
        for other in ["since", "until", "start", "end", "after", "before"] {
            assert!(!names.contains(other), "{} has {other}", operation.id);
        }
        assert_eq!(
            names.contains("from"),
            names.contains("to"),
            "{}",
            operation.id
        );
    }
}

#[test]
fn money_is_named_by_one_rule() {
    for (name, schema) in properties(&Document::read(crate::CONTRACT).root) {
        let is_money = schema["$ref"] == "#/components/schemas/UsdE6";
        let is_named = name.starts_with("usd") && name.ends_with("E6");
        assert_eq!(is_money, is_named, "{name}");
    }
}

#[test]
fn event_types_have_one_style() {
    let document = Document::read(crate::CONTRACT);
    let word = |text: &str| {
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase());
        text.split('_').all(is_part)
    };
    let events: Vec<_> = document.root["webhooks"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    for event in &events {
        let (resource, what) = event.split_once('.').expect("resource.event");
        assert!(word(resource) && word(what), "{event}");
    }
    let chosen = &document.root["components"]["schemas"]["EventType"]["enum"];
    let chosen = chosen
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap());
    let sent = events
        .iter()
        .map(|it| it.as_str())
        .filter(|it| *it != "webhook.test");
    assert!(chosen.eq(sent));
}

#[test]
fn values_that_may_grow_are_open_in_responses() {
    let root = Document::read(crate::CONTRACT).root;
    let schemas = root["components"]["schemas"].as_object().unwrap();
    let named = schemas.iter().map(|(name, schema)| (name.as_str(), schema));
    let growing = named
        .chain(properties(&root))
        .filter(|(_, it)| may_grow(it));
    let growing: Vec<_> = growing.collect();
    assert!(growing.len() >= 7, "{growing:?}");
    for (name, schema) in growing {
        let value = schema.get("items").unwrap_or(schema);
        assert!(is_open(resolve(&root, value)), "{name} is closed");
    }
}

/// Whether a schema allows strings that it does not list.
fn is_open(schema: &Value) -> bool {
    let alternatives = schema["anyOf"].as_array();
    match alternatives {
        Some(all) => all.iter().any(is_open),
        None => schema["type"] == "string" && schema.get("enum").is_none(),
    }
}

/// Whether a description says that values may be added.
fn may_grow(schema: &Value) -> bool {
    let text = schema["description"].as_str().unwrap_or_default();
    text.contains("may be added")
}

/// The operations of a method whose success has this status.
fn with_status<'d>(document: &'d Document, method: &str, status: u16) -> Vec<&'d Operation> {
    let operations = document.operations.iter();
    let found = operations.filter(|it| it.method == method && it.answers.contains_key(&status));
    let found: Vec<_> = found.collect();
    assert!(!found.is_empty());
    found
}

/// The properties of all schemas, by their names.
fn properties(root: &Value) -> Vec<(&str, &Value)> {
    fn collect<'v>(value: &'v Value, found: &mut Vec<(&'v str, &'v Value)>) {
        match value {
            Value::Object(fields) => {
                let properties = fields.get("properties").and_then(Value::as_object);
                let properties = properties.into_iter().flatten();
                found.extend(properties.map(|(name, schema)| (name.as_str(), schema)));
                fields.values().for_each(|field| collect(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(&root["components"]["schemas"], &mut found);
    assert!(!found.is_empty());
    found
}
