//! The lists of the contract.

use serde_json::Value;

use super::document::Document;

#[test]
fn every_list_has_a_bound() {
    let mut found = Vec::new();
    unbounded(&Document::read().root, String::new(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

/// The places of arrays without `maxItems`.
fn unbounded(value: &Value, at: String, found: &mut Vec<String>) {
    let types = [&value["type"]].into_iter();
    let types = types.chain(value["type"].as_array().into_iter().flatten());
    if types.into_iter().any(|it| it == "array") && value.get("maxItems").is_none() {
        found.push(at.clone());
    }
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(name, member)| unbounded(member, format!("{at}/{name}"), found)),
        Value::Array(items) => items
            .iter()
            .for_each(|item| unbounded(item, at.clone(), found)),
        _ => {}
    }
}
