//! The input of the rules: the document, typed and as it was written, and each of its schemas.

use crate::openapi::{Document, Key, Version, named_version};
use crate::source::Pointer;
use json_schema::keyword::{Keyword, Subschemas, Vocabulary, is_in_place, subschemas};
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The members of an object.
pub(super) type Members = Map<String, Value>;

/// A document that is being checked.
pub(crate) struct Subject<'a> {
    /// The document as it was written.
    pub(super) root: &'a Value,
    /// The typed document, without references.
    pub(super) document: &'a Document,
    /// Every schema object, inner ones included, in 2020-12 with references to bundle keys.
    pub(super) spots: Vec<Spot<'a>>,
}

/// A schema object and its place.
#[derive(Clone)]
pub(super) struct Spot<'a> {
    pub(super) at: Pointer,
    pub(super) members: &'a Members,
    /// The index of the schema around it for the same value: through `allOf` and the like, not
    /// through members and items.
    pub(super) same_value: Option<usize>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(root: &'a Value, document: &'a Document) -> Subject<'a> {
        let mut spots = Vec::new();
        for (key, schema) in document.bundle.schemas() {
            collect(schema, document.bundle.place(key), None, &mut spots);
        }
        Subject {
            root,
            document,
            spots,
        }
    }

    /// The schema object that a `$ref` in the bundle names.
    pub(super) fn referred(&self, members: &Members) -> Option<(&'a Members, String)> {
        let key = key_of_reference(members.get("$ref")?.as_str()?)?;
        let schema = self.document.bundle.get(&key)?.as_object()?;
        Some((schema, key))
    }

    /// Whether a schema takes no objects, by the types and values that it and its parts name.
    pub(super) fn takes_no_object(&self, members: &'a Members) -> bool {
        self.refuses_objects(members, &mut HashMap::new())
    }

    /// The same. The verdicts on the targets of references are kept; a schema inside itself refuses nothing.
    fn refuses_objects(&self, members: &'a Members, known: &mut HashMap<Key, bool>) -> bool {
        let types = types(members);
        let mut values = members.get("const").into_iter();
        let mut listed = members.get("enum").and_then(Value::as_array).into_iter();
        if !types.is_empty() && !types.contains(&"object")
            || values.any(|only| !only.is_object())
            || listed.any(|listed| !listed.iter().any(Value::is_object))
        {
            return true;
        }
        if let Some((target, key)) = self.referred(members) {
            if !known.contains_key(&key) {
                known.insert(key.clone(), false);
                let verdict = self.refuses_objects(target, known);
                known.insert(key.clone(), verdict);
            }
            if known.get(&key) == Some(&true) {
                return true;
            }
        }
        let mut refuses = |schema: &'a Value| match schema.as_object() {
            Some(members) => self.refuses_objects(members, known),
            None => *schema == false,
        };
        let mut all = schemas_of(members, "allOf");
        let of_alternatives = |list| {
            let mut alternatives = schemas_of(members, list).peekable();
            alternatives.peek().is_some() && alternatives.all(&mut refuses)
        };
        ["oneOf", "anyOf"].into_iter().any(of_alternatives) || all.any(refuses)
    }

    /// Whether the document is one of OpenAPI 3.0.
    pub(super) fn is_30(&self) -> bool {
        let version = named_version(self.root);
        version.and_then(|version| Version::of(&version)) == Some(Version::V30)
    }
}

/// The schemas of a list.
fn schemas_of<'a>(members: &'a Members, list: &str) -> impl Iterator<Item = &'a Value> {
    let schemas = members.get(list).and_then(Value::as_array);
    schemas.into_iter().flatten()
}

/// Adds a schema and those inside it.
fn collect<'a>(
    schema: &'a Value,
    at: Pointer,
    same_value: Option<usize>,
    spots: &mut Vec<Spot<'a>>,
) {
    let Some(members) = schema.as_object() else {
        return;
    };
    let own = spots.len();
    spots.push(Spot {
        at: at.clone(),
        members,
        same_value,
    });
    for (at, inner) in in_place(members, &at) {
        collect(inner, at, Some(own), spots);
    }
    for (at, inner) in children(members, &at, is_part) {
        collect(inner, at, None, spots);
    }
}

/// The schemas inside a schema for the same value.
pub(super) fn in_place<'a>(members: &'a Members, at: &Pointer) -> Vec<(Pointer, &'a Value)> {
    children(members, at, is_in_place)
}

/// All schemas inside a schema.
pub(super) fn inner<'a>(members: &'a Members, at: &Pointer) -> Vec<(Pointer, &'a Value)> {
    let mut all = in_place(members, at);
    all.extend(children(members, at, is_part));
    all
}

/// Whether the schemas of a keyword describe parts of the value, or no value.
fn is_part(keyword: &str) -> bool {
    Keyword::named(keyword)
        .is_some_and(|known| !matches!(known.vocabulary, Vocabulary::InPlace | Vocabulary::Content))
}

fn children<'a>(
    members: &'a Members,
    at: &Pointer,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<(Pointer, &'a Value)> {
    let mut schemas = Vec::new();
    for (keyword, operand) in members.iter().filter(|(keyword, _)| is_wanted(keyword)) {
        let here = at.child(keyword);
        match subschemas(keyword) {
            Subschemas::None => {}
            Subschemas::One => schemas.push((here, operand)),
            Subschemas::List => {
                let items = operand.as_array().into_iter().flatten().enumerate();
                schemas.extend(items.map(|(i, schema)| (here.child(i.to_string()), schema)));
            }
            Subschemas::ByName => {
                let named = operand.as_object().into_iter().flatten();
                schemas.extend(named.map(|(name, schema)| (here.child(name), schema)));
            }
        }
    }
    schemas
}

/// The types in a schema's `type`; empty without one.
pub(super) fn types(members: &Members) -> Vec<&str> {
    match members.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
