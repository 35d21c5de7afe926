//! The targets of `$ref`: schema resources by URI, and the anchors in them (JSON Schema 2020-12
//! Core §8.2, §9.2).
//!
//! Vendored documents are found below the document's root as members named by their URI, so that
//! one [`Pointer`] gives the place of any schema. This module knows the declared identifiers and
//! their meaning; it does not know which schemas are used.

use super::keywords;
use super::vendored::{self, Vendored};
use crate::source::Pointer;
use crate::source::files::MOUNT;
use fluent_uri::{Uri, UriRef};
use json_schema::keyword::{Subschemas, subschemas};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::collections::BTreeMap;

/// The base URI of a document that declares none.
const DOCUMENT: &str = "document:/";

/// Members of a document below which schemas stand, and whose names are not keywords.
const OPENAPI: [&str; 4] = ["components", "paths", "webhooks", MOUNT];

/// The target of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::openapi) struct Target {
    pub(in crate::openapi) at: Pointer,
    /// The name of the `$dynamicAnchor` by which it was named.
    pub(super) dynamic: Option<String>,
    /// Whether it is in the document though the reference is in a resource of its own: see
    /// [`Resources::is_document`].
    pub(super) outside: bool,
}

impl Target {
    /// The value at a place of the document.
    pub(super) fn of(at: Pointer) -> Target {
        Target {
            at,
            dynamic: None,
            outside: false,
        }
    }
}

/// An anchor of a resource.
#[derive(Debug, Clone)]
struct Anchor {
    at: Pointer,
    dynamic: bool,
}

/// Every schema resource that references may lead to.
#[derive(Debug, Clone, Default)]
pub(super) struct Resources {
    vendored: Vendored,
    /// Resources by URI, without a fragment.
    roots: BTreeMap<String, Pointer>,
    /// Anchors by resource and name.
    anchors: BTreeMap<String, BTreeMap<String, Anchor>>,
    /// The beginnings of other resources, by the place of their root.
    begins: BTreeMap<Pointer, String>,
    /// Resources whose dialect leaves out the validation vocabulary.
    without_validation: Vec<String>,
    /// Whether any schema has a `$dynamicRef`.
    dynamic: bool,
    dialects_known: bool,
}

impl Resources {
    /// Finds every identifier in a document and in those that are vendored with it.
    pub(super) fn of(root: &Value, vendored: &Vendored) -> Resources {
        let mut resources = Resources {
            vendored: vendored.clone(),
            roots: BTreeMap::from([(DOCUMENT.to_owned(), Pointer::default())]),
            anchors: BTreeMap::new(),
            begins: BTreeMap::new(),
            without_validation: Vec::new(),
            dynamic: false,
            dialects_known: false,
        };
        for (uri, document) in vendored.iter() {
            resources.add_document(uri, document);
        }
        if identifies(root) {
            resources.find_schemas(root, &Pointer::default());
        }
        resources
    }

    /// Whether all references are JSON pointers into the one document.
    pub(super) fn are_plain(&self) -> bool {
        self.begins.is_empty()
    }

    /// Whether the target of any reference depends on the path of evaluation.
    pub(super) fn are_dynamic(&self) -> bool {
        self.dynamic
    }

    /// The value at a place of the document or of a vendored one.
    pub(super) fn get<'v>(&'v self, root: &'v Value, at: &Pointer) -> Option<&'v Value> {
        match (self.vendored_at(at), at.as_str().split_once('/')) {
            (Some(document), Some((_, path))) => match path.split_once('/') {
                Some((_, rest)) => document.pointer(&format!("/{rest}")),
                None => Some(document),
            },
            _ => root.pointer(at.as_str()),
        }
    }

    /// The target of `reference`, which stands at `at`; it need not be a schema.
    pub(super) fn resolve(&mut self, reference: &str, at: &Pointer) -> Option<Target> {
        let base = Uri::parse(self.base(at).to_owned()).ok()?;
        let absolute = UriRef::parse(reference)
            .ok()?
            .resolve_against(&base.borrow())
            .ok()?;
        let (uri, fragment) = split(absolute.as_str());
        if vendored::is_dialect(uri) {
            self.add_dialects();
        }
        let root = self.roots.get(uri)?;
        let fragment = percent_decode_str(fragment).decode_utf8().ok()?;
        if fragment.is_empty() || fragment.starts_with('/') {
            let outside = reference.starts_with('#') && self.is_document(&fragment, root);
            let root = if outside { "" } else { root.as_str() };
            return Some(Target {
                at: Pointer::parse(&format!("{root}{fragment}"))?,
                dynamic: None,
                outside,
            });
        }
        let anchor = self.anchors.get(uri)?.get(fragment.as_ref())?;
        Some(Target {
            at: anchor.at.clone(),
            dynamic: anchor.dynamic.then(|| fragment.into_owned()),
            outside: false,
        })
    }

    /// Whether a pointer in a resource can only be meant to lead into the document around it. By
    /// Core §8.2.1 it leads into the resource, where no keyword has such a name, but few authors
    /// who give a schema an `$id` know that it changes the meaning of `#/components/schemas/Pet`.
    fn is_document(&self, fragment: &str, root: &Pointer) -> bool {
        let within = !root.as_str().is_empty() && self.vendored_at(root).is_none();
        let member = fragment.split('/').nth(1);
        within && member.is_some_and(|member| OPENAPI.contains(&member))
    }

    /// The vendored document that a place belongs to.
    fn vendored_at(&self, at: &Pointer) -> Option<&Value> {
        at.tokens().next().and_then(|uri| self.vendored.get(&uri))
    }

    /// The dynamic anchors of the resource that a place belongs to.
    pub(super) fn dynamic_anchors(&self, at: &Pointer) -> Vec<(String, Pointer)> {
        let anchors = self.anchors.get(self.base(at)).into_iter().flatten();
        let dynamic = anchors.filter(|(_, anchor)| anchor.dynamic);
        dynamic
            .map(|(name, anchor)| (name.clone(), anchor.at.clone()))
            .collect()
    }

    /// Whether a resource begins here.
    pub(super) fn begins_at(&self, at: &Pointer) -> bool {
        self.begins.contains_key(at)
    }

    /// Whether the dialect of the resource that a place belongs to has no validation vocabulary.
    pub(super) fn lacks_validation(&self, at: &Pointer) -> bool {
        !self.without_validation.is_empty()
            && self
                .without_validation
                .iter()
                .any(|uri| uri == self.base(at))
    }

    /// The URI of the resource that a place belongs to.
    fn base(&self, at: &Pointer) -> &str {
        let mut path = at.as_str();
        loop {
            let here = Pointer::parse(path).and_then(|here| self.begins.get(&here));
            match (here, path.rsplit_once('/')) {
                (Some(uri), _) => return uri,
                (None, Some((above, _))) => path = above,
                (None, None) => return DOCUMENT,
            }
        }
    }

    fn add_dialects(&mut self) {
        if self.dialects_known {
            return;
        }
        self.dialects_known = true;
        for (uri, document) in vendored::dialects() {
            self.add_document(&uri, &document);
            self.vendored.insert(uri, document);
        }
    }

    fn add_document(&mut self, uri: &str, document: &Value) {
        let at = Pointer::default().child(uri);
        self.begins.insert(at.clone(), uri.to_owned());
        self.roots.insert(uri.to_owned(), at.clone());
        self.schema(document, &at);
        // The document's own `$id` may differ from the URI where it was found; both work.
        self.roots.insert(uri.to_owned(), at);
    }

    /// Looks for schemas inside a value that is none.
    fn find_schemas(&mut self, value: &Value, at: &Pointer) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    let below = at.child(name);
                    match name.as_str() {
                        "schema" => self.schema(member, &below),
                        "schemas" => self.each(member, &below),
                        "example" | "examples" => {}
                        _ => self.find_schemas(member, &below),
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.find_schemas(item, &at.child(index.to_string()));
                }
            }
            _ => {}
        }
    }

    fn each(&mut self, members: &Value, at: &Pointer) {
        for (name, schema) in members.as_object().into_iter().flatten() {
            self.schema(schema, &at.child(name));
        }
    }

    fn schema(&mut self, schema: &Value, at: &Pointer) {
        let Some(members) = schema.as_object() else {
            return;
        };
        if let Some(id) = schema.get("$id").and_then(Value::as_str) {
            self.begin(id, at);
        }
        if let Some(dialect) = schema.get("$schema").and_then(Value::as_str)
            && self.vendored.lacks_validation(dialect)
        {
            let uri = self.base(at).to_owned();
            self.without_validation.push(uri);
        }
        for (keyword, dynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
            if let Some(name) = schema.get(keyword).and_then(Value::as_str) {
                let resource = self.base(at).to_owned();
                let at = at.clone();
                let named = self.anchors.entry(resource).or_default();
                named.insert(name.to_owned(), Anchor { at, dynamic });
            }
        }
        self.dynamic |= members.contains_key("$dynamicRef");
        for (keyword, operand) in members {
            let below = at.child(keyword);
            let old_items = keywords::has_old_items(members);
            match subschemas(keyword) {
                Subschemas::One if old_items && keyword == "items" => self.all(operand, &below),
                Subschemas::One => self.schema(operand, &below),
                Subschemas::ByName => self.each(operand, &below),
                Subschemas::List => self.all(operand, &below),
                Subschemas::None if old_items && keyword == "additionalItems" => {
                    self.schema(operand, &below);
                }
                Subschemas::None => {}
            }
        }
    }

    fn all(&mut self, schemas: &Value, at: &Pointer) {
        for (index, schema) in schemas.as_array().into_iter().flatten().enumerate() {
            self.schema(schema, &at.child(index.to_string()));
        }
    }

    /// A resource begins where an `$id` stands, unless the `$id` is no URI.
    fn begin(&mut self, id: &str, at: &Pointer) {
        let base = Uri::parse(self.base(at).to_owned());
        let id = UriRef::parse(id.to_owned());
        let (Ok(base), Ok(id)) = (base, id) else {
            return;
        };
        if let Ok(absolute) = id.resolve_against(&base.borrow()) {
            let (uri, _) = split(absolute.as_str());
            self.begins.insert(at.clone(), uri.to_owned());
            self.roots
                .entry(uri.to_owned())
                .or_insert_with(|| at.clone());
        }
    }
}

/// Whether a document may contain identifiers: few documents do, and the search for them costs a
/// pointer for every value.
fn identifies(value: &Value) -> bool {
    const KEYWORDS: [&str; 5] = ["$id", "$schema", "$anchor", "$dynamicAnchor", "$dynamicRef"];
    match value {
        Value::Object(members) => members
            .iter()
            .any(|(name, member)| KEYWORDS.contains(&name.as_str()) || identifies(member)),
        Value::Array(items) => items.iter().any(identifies),
        _ => false,
    }
}

/// A URI and its fragment.
fn split(uri: &str) -> (&str, &str) {
    uri.split_once('#').unwrap_or((uri, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pointer(text: &str) -> Pointer {
        Pointer::parse(text).unwrap()
    }

    fn shop() -> Value {
        json!({ "components": { "schemas": {
            "Plain": { "$anchor": "here" },
            "Order": {
                "$id": "https://shop.example/schemas/order",
                "properties": { "price": { "$ref": "#money" } },
                "$defs": { "money": { "$anchor": "money" }, "line": { "$id": "line#", "$dynamicAnchor": "node" } },
                "const": { "$id": "https://shop.example/not-a-schema" },
            },
        }}})
    }

    #[track_caller]
    fn check(at: &str, reference: &str, expected: Option<&str>) {
        let integers = Vendored::new(BTreeMap::from([(
            "https://other.example/int".to_owned(),
            json!({ "$defs": { "a": {} } }),
        )]));
        let mut resources = Resources::of(&shop(), &integers);
        let target = resources.resolve(reference, &pointer(at));
        assert_eq!(target.as_ref().map(|target| target.at.as_str()), expected);
    }

    #[test]
    fn finds_the_targets_of_references() {
        let price = "/components/schemas/Order/properties/price/$ref";
        let line = "/components/schemas/Order/$defs/line";
        let money = "/components/schemas/Order/$defs/money";
        check(price, "#money", Some(money));
        check(price, "#/$defs/money", Some(money));
        check(price, "order#money", Some(money));
        check(price, "line", Some(line));
        check(line, "/schemas/order#/$defs/money", Some(money));
        check(
            price,
            "#/components/schemas/Plain",
            Some("/components/schemas/Plain"),
        );
        check(price, "#here", None);
        check(
            "/components/schemas/Plain",
            "#here",
            Some("/components/schemas/Plain"),
        );
        check("/paths", "https://shop.example/not-a-schema", None);
        check(
            "/paths",
            "https://other.example/int#/$defs/a",
            Some("/https:~1~1other.example~1int/$defs/a"),
        );
        check("/paths", "https://nowhere.example/", None);
    }

    #[test]
    fn knows_the_dialect_and_its_dynamic_anchors() {
        let mut resources = Resources::of(&shop(), &Vendored::default());
        let schema = "https://json-schema.org/draft/2020-12/schema";
        let target = resources
            .resolve(&format!("{schema}#meta"), &pointer(""))
            .unwrap();
        assert_eq!(target.dynamic.as_deref(), Some("meta"));
        assert!(
            resources
                .get(&shop(), &target.at)
                .unwrap()
                .get("allOf")
                .is_some()
        );
    }
}
