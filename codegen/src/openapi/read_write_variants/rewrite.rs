//! Writes the variant of a schema for one direction.

use super::marks::{Marks, is_in_place, reference};
use super::{Direction, VariantKeys};
use crate::openapi::bundle::{Bundle, Key, map_schemas, renamed};
use json_schema::reference::{key_of_reference, reference_to};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// How deep a schema may be copied into schemas that hide its members.
const MAX_DEPTH: usize = 16;

pub(super) struct Rewriter<'a> {
    pub(super) bundle: &'a Bundle,
    pub(super) marks: &'a Marks,
    pub(super) variants: &'a VariantKeys,
    pub(super) direction: Direction,
}

impl Rewriter<'_> {
    /// The variant of a schema that has a key of its own.
    pub(super) fn whole(&self, schema: &Value) -> Value {
        self.schema(schema, &BTreeSet::new(), MAX_DEPTH)
    }

    /// The variant of a schema inside others that hide these members of the same value.
    fn schema(&self, schema: &Value, around: &BTreeSet<String>, depth: usize) -> Value {
        let Some(members) = schema.as_object() else {
            return schema.clone();
        };
        let mut hidden = self.marks.hidden(self.bundle, members, self.direction);
        hidden.extend(around.iter().cloned());
        let mut out = Map::new();
        for (keyword, operand) in members {
            let operand = match keyword.as_str() {
                "properties" => self.properties(operand, &hidden, depth),
                "required" => match without(operand, &hidden) {
                    Some(names) => names,
                    None => continue,
                },
                "dependentRequired" => dependent(operand, &hidden),
                "discriminator" => renamed(operand, members, |key| self.variant(key).cloned()),
                "$ref" => self.reference(operand),
                "if" | "not" => operand.clone(),
                name if is_in_place(name) => self.inside(name, operand, &hidden, depth),
                name => self.inside(name, operand, &BTreeSet::new(), depth),
            };
            out.insert(keyword.clone(), operand);
        }
        self.write_out(members, &hidden, depth, &mut out);
        Value::Object(out)
    }

    /// The operand of a keyword, with each schema in it replaced by its variant.
    fn inside(
        &self,
        keyword: &str,
        operand: &Value,
        hidden: &BTreeSet<String>,
        depth: usize,
    ) -> Value {
        map_schemas(keyword, operand, |_, schema| {
            self.schema(schema, hidden, depth)
        })
    }

    fn properties(&self, operand: &Value, hidden: &BTreeSet<String>, depth: usize) -> Value {
        let mut kept = operand.clone();
        if let Some(members) = kept.as_object_mut() {
            members.retain(|name, _| !hidden.contains(name));
        }
        self.inside("properties", &kept, &BTreeSet::new(), depth)
    }

    fn variant(&self, key: &str) -> Option<&Key> {
        self.variants.get(&(key.to_owned(), self.direction))
    }

    fn reference(&self, operand: &Value) -> Value {
        let key = operand.as_str().and_then(key_of_reference);
        match key.and_then(|key| self.variant(&key)) {
            Some(variant) => Value::String(reference_to(variant)),
            None => operand.clone(),
        }
    }

    /// Copies a schema to the place of its reference if it describes members that only the schemas
    /// around it hide: used elsewhere, it keeps these members.
    fn write_out(
        &self,
        members: &Map<String, Value>,
        hidden: &BTreeSet<String>,
        depth: usize,
        out: &mut Map<String, Value>,
    ) {
        let target = reference(members).and_then(|key| self.bundle.get(&key));
        let (Some(target), Some(depth)) = (target, depth.checked_sub(1)) else {
            return;
        };
        let Some(inside) = target.as_object() else {
            return;
        };
        let own = self.marks.hidden(self.bundle, inside, self.direction);
        let names = |name: &&String| !own.contains(*name) && mentions(inside, name);
        if !hidden.iter().any(|name| names(&name)) {
            return;
        }
        out.shift_remove("$ref");
        let copy = self.schema(target, hidden, depth);
        match out.entry("allOf").or_insert_with(|| json!([])) {
            Value::Array(all) => all.push(copy),
            other => *other = json!([copy]),
        }
    }
}

/// Whether a schema describes a member by name, or requires it.
fn mentions(members: &Map<String, Value>, name: &str) -> bool {
    let named = members
        .get("properties")
        .is_some_and(|all| all.get(name).is_some());
    let required = members.get("required").and_then(Value::as_array);
    named || required.is_some_and(|names| names.iter().any(|one| one == name))
}

/// A list of names without the hidden ones; `None` where none is left.
fn without(operand: &Value, hidden: &BTreeSet<String>) -> Option<Value> {
    let Some(names) = operand.as_array() else {
        return Some(operand.clone());
    };
    let is_kept = |name: &&Value| !name.as_str().is_some_and(|name| hidden.contains(name));
    let kept: Vec<Value> = names.iter().filter(is_kept).cloned().collect();
    (!kept.is_empty() || names.is_empty()).then_some(Value::Array(kept))
}

fn dependent(operand: &Value, hidden: &BTreeSet<String>) -> Value {
    let Some(rules) = operand.as_object() else {
        return operand.clone();
    };
    let kept = rules.iter().filter(|(name, _)| !hidden.contains(*name));
    let kept = kept.filter_map(|(name, names)| Some((name.clone(), without(names, hidden)?)));
    Value::Object(kept.collect())
}
