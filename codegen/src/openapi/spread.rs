//! References in the place of a whole map or list, such as all paths, and references of path items
//! with fields beside them.
//!
//! OpenAPI does not allow the former, but many documents are split so; of the latter, the reference
//! and the fields both count (OpenAPI 3.1.1 §4.8.9.1). Each such reference is replaced by a map or
//! list with a reference for each member, which is valid OpenAPI; diagnostics about a member still
//! show its own place. Members that must not be references are copied.

use super::object_fields::{self, FieldType, Object, referred};
use crate::source::Pointer;
use serde_json::{Map, Value, json};

/// How many references are followed, one after the other.
const MAX_REFERENCES: usize = 32;

/// How deep such references are looked for inside the members of others.
const MAX_ROUNDS: usize = 64;

/// How many members all such references may have together: a small text can refer to a large map
/// many times.
const MAX_MEMBERS: usize = 100_000;

/// Replaces each reference to a map or a list by one reference for each member.
pub(super) fn spread(root: &mut Value) {
    let mut left = MAX_MEMBERS;
    // What holds itself would never be without them.
    for _ in 0..MAX_ROUNDS {
        let found = standing_for_many(root, &mut left);
        if found.is_empty() {
            return;
        }
        for (at, members) in found {
            if let Some(place) = root.pointer_mut(at.as_str()) {
                *place = members;
            }
        }
    }
}

/// The places of such references, each with its replacement; `left` is how many more members these may
/// have.
fn standing_for_many(root: &Value, left: &mut usize) -> Vec<(Pointer, Value)> {
    let mut found = Vec::new();
    object_fields::each(root, |at, value, kind| {
        let stands = kind.is_container() || (is_path_item(kind) && !is_alone(value));
        let members = stands.then(|| members(root, value, kind, left));
        found.extend(members.flatten().map(|members| (at.clone(), members)));
        true
    });
    found
}

/// The members of a reference's target together with those beside the reference; `left` is how many
/// more there may be.
fn members(root: &Value, reference: &Value, kind: FieldType, left: &mut usize) -> Option<Value> {
    let (mut at, mut target) = referred(root, reference)?;
    for _ in 0..MAX_REFERENCES {
        match referred(root, target) {
            Some(next) if is_alone(target) => (at, target) = next,
            _ => break,
        }
    }
    *left = left.checked_sub(count(target))?;
    match (kind, target) {
        (FieldType::List(item), Value::Array(_)) if !item.may_be_reference() => {
            Some(target.clone())
        }
        (FieldType::List(_), Value::Array(items)) => {
            let places = (0..items.len()).map(|i| at.child(i.to_string()));
            Some(places.map(|at| to(&at)).collect())
        }
        (FieldType::Map(_) | FieldType::Object(_), Value::Object(members))
            if !members.contains_key("$ref") =>
        {
            let named = members.iter().map(|(name, value)| {
                let is_copied =
                    is_path_item(kind) && !Object::PathItem.member(name).is_of_objects();
                let member = || to(&at.child(name));
                let member = if is_copied { value.clone() } else { member() };
                (name.clone(), member)
            });
            let beside = reference.as_object()?.iter();
            let beside = beside.filter(|(name, _)| *name != "$ref");
            let beside = beside.map(|(name, value)| (name.clone(), value.clone()));
            Some(Value::Object(named.chain(beside).collect::<Map<_, _>>()))
        }
        _ => None,
    }
}

fn is_path_item(kind: FieldType) -> bool {
    matches!(kind, FieldType::Object(Object::PathItem))
}

/// Whether a reference has no other members beside it.
fn is_alone(reference: &Value) -> bool {
    reference
        .as_object()
        .is_none_or(|members| members.len() == 1)
}

fn count(value: &Value) -> usize {
    let items = value.as_array().map(Vec::len);
    let members = || value.as_object().map(Map::len);
    items.or_else(members).unwrap_or_default()
}

fn to(at: &Pointer) -> Value {
    json!({ "$ref": format!("#{}", at.fragment()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_for_a_map_becomes_one_for_each_member() {
        let mut root = json!({
            "paths": { "$ref": "#/x-all", "/own": {} },
            "x-all": { "$ref": "#/x-there" },
            "x-there": { "/a b": { "parameters": { "$ref": "#/x-list" } }, "/own": { "get": {} } },
            "x-list": [{ "name": "a" }],
        });
        spread(&mut root);
        let paths = json!({ "/a b": { "$ref": "#/x-there/~1a%20b" }, "/own": {} });
        assert_eq!(root.get("paths"), Some(&paths));
        let parameters = root.pointer("/x-there/~1a b/parameters");
        assert_eq!(parameters, Some(&json!([{ "$ref": "#/x-list/0" }])));
    }

    #[test]
    fn fields_beside_the_reference_of_a_path_item_win() {
        let mut root = json!({
            "paths": {
                "/a": { "$ref": "#/components/pathItems/A", "post": {}, "get": { "tags": [] } },
                "/b": { "$ref": "#/components/pathItems/B" },
            },
            "components": { "pathItems": {
                "A": { "$ref": "#/components/pathItems/B", "put": {} },
                "B": {
                    "summary": "Of B.",
                    "servers": [{ "url": "/b" }],
                    "x-b": { "a": 1 },
                    "get": {},
                    "parameters": [{ "name": "b" }],
                },
            } },
        });
        spread(&mut root);
        let item = json!({
            "summary": "Of B.",
            "servers": [{ "url": "/b" }],
            "x-b": { "a": 1 },
            "get": { "tags": [] },
            "parameters": [{ "$ref": "#/components/pathItems/A/parameters/0" }],
            "put": { "$ref": "#/components/pathItems/A/put" },
            "post": {},
        });
        assert_eq!(root.pointer("/paths/~1a"), Some(&item));
        let alone = json!({ "$ref": "#/components/pathItems/B" });
        assert_eq!(root.pointer("/paths/~1b"), Some(&alone));
    }

    #[test]
    fn a_small_text_does_not_become_a_large_one() {
        let names = |count: usize| (0..count).map(|i| i.to_string());
        let item = json!({ "get": { "responses": { "$ref": "#/x-all" } } });
        let paths: Map<_, _> = names(400).map(|name| (name, item.clone())).collect();
        let all: Map<_, _> = names(400).map(|name| (name, json!({}))).collect();
        let mut root = json!({ "paths": paths, "x-all": all });
        spread(&mut root);
        let length = root.to_string().len();
        assert!(length < 50 * MAX_MEMBERS, "{length}");
    }

    #[test]
    fn what_holds_itself_is_spread_once() {
        let again = json!({ "$ref": "#/components/pathItems/A", "put": {} });
        let copy = json!({ "callbacks": { "c": { "e": again } } });
        let mut root = json!({
            "paths": { "/a": { "$ref": "#/components/pathItems/A", "get": {} } },
            "components": {
                "pathItems": { "A": { "additionalOperations": { "COPY": copy } } },
            },
        });
        spread(&mut root);
        let referred = json!({ "$ref": "#/components/pathItems/A/additionalOperations/COPY" });
        let item = json!({ "additionalOperations": { "COPY": referred }, "get": {} });
        assert_eq!(root.pointer("/paths/~1a"), Some(&item));
    }

    #[test]
    fn a_circular_reference_stays() {
        let mut root = json!({
            "paths": { "$ref": "#/paths" },
            "components": { "schemas": { "$ref": "#/x" }, "headers": { "$ref": "#/components" } },
            "x": { "$ref": "#/components/schemas" },
        });
        spread(&mut root);
        assert_eq!(root.pointer("/paths/$ref"), Some(&json!("#/paths")));
        assert_eq!(
            root.pointer("/components/schemas/$ref"),
            Some(&json!("#/x"))
        );
    }
}
