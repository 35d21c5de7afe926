//! Schemas without values, as far as that is easily seen.

use super::node::{All, Kind, Node, Union, Variant};
use super::normal::Nodes;
use super::sample::count;
use super::scalar::fits;
use super::text;
use super::union::Tag;
use crate::schema::pattern_length::longest;
use json_schema::number::decimal::Decimal;
use serde_json::{Map, Value};
use std::cell::Cell;

/// How many schemas are looked at.
const BUDGET: usize = 1_000;

/// Looks for values of one contract's schemas.
pub(super) struct Hollow<'s, 'a> {
    nodes: &'s Nodes<'a>,
    left: Cell<usize>,
}

impl<'s, 'a> Hollow<'s, 'a> {
    pub(super) fn new(nodes: &'s Nodes<'a>) -> Hollow<'s, 'a> {
        let left = Cell::new(BUDGET);
        Hollow { nodes, left }
    }

    /// Whether there is no value at all: what is listed is refused, bounds leave nothing, what is
    /// required cannot be there or never ends, or a union has no variant that another does not repeat.
    pub(super) fn is_empty(&self, all: &All<'a>) -> bool {
        self.within(all, &mut Vec::new())
    }

    /// The same, below those schemas, which a value that ends does not come to again.
    fn within(&self, all: &All<'a>, around: &mut Vec<Vec<usize>>) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else {
            return false;
        };
        self.left.set(left);
        if all.refuses_everything() {
            return true;
        }
        let here = all.addresses();
        if here.is_empty() || around.contains(&here) {
            return !here.is_empty();
        }
        around.push(here);
        let empty = self.is_hollow(&self.nodes.of(all), around);
        around.pop();
        empty
    }

    fn is_hollow(&self, node: &Node<'a>, around: &mut Vec<Vec<usize>>) -> bool {
        let only = |kind: Kind| node.kinds.iter().all(|known| *known == kind);
        node.kinds.is_empty()
            || node
                .listed
                .as_ref()
                .is_some_and(|listed| !listed.iter().any(|v| admits(node, v)))
            || (only(Kind::String) && too_short(node))
            || (only(Kind::Number) && leaves_nothing(node, "minimum", "maximum"))
            || (only(Kind::Array) && leaves_nothing(node, "minItems", "maxItems"))
            || (only(Kind::Object) && leaves_nothing(node, "minProperties", "maxProperties"))
            || (only(Kind::Object) && self.lacks(node, around))
            || (only(Kind::Array)
                && count(node, "minItems") > 0
                && node.item(0).is_some_and(|item| self.within(&item, around)))
            || node.unions.iter().any(|union| self.none(union, around))
    }

    /// Whether a member that must be there cannot be.
    fn lacks(&self, node: &Node<'a>, around: &mut Vec<Vec<usize>>) -> bool {
        let mut required = node.required.iter().filter_map(|name| node.member(name));
        required.any(|member| self.within(&member, around))
    }

    fn none(&self, union: &Union<'a>, around: &mut Vec<Vec<usize>>) -> bool {
        let meanings: Vec<Option<Value>> = match union.exactly_one {
            true => union
                .variants
                .iter()
                .map(|v| self.meaning(&v.schemas))
                .collect(),
            false => Vec::new(),
        };
        let repeated = |index: usize| {
            let own = meanings.get(index).and_then(Option::as_ref);
            let same = meanings
                .iter()
                .filter(|other| own.is_some() && other.as_ref() == own);
            same.count() > 1
        };
        let mut variants = union.variants.iter().enumerate();
        variants.all(|(index, v)| {
            (v.tags.is_empty() && repeated(index))
                || self.is_mute(v)
                || self.within(&v.schemas, around)
        })
    }

    /// Whether a variant cannot say any of the names that it goes by.
    pub(super) fn is_mute(&self, variant: &Variant<'a>) -> bool {
        let node = self.nodes.of(&variant.schemas);
        let says = |(property, tag): &Tag| {
            let member = node.member(property).map(|all| self.nodes.of(&all));
            member.is_none_or(|member| {
                let listed = member.listed.as_ref();
                member.kinds.contains(&Kind::String)
                    && listed.is_none_or(|listed| listed.iter().any(|value| value == tag))
            })
        };
        !variant.tags.is_empty() && !variant.tags.iter().any(says)
    }

    /// What the schemas of one variant say of values, in words that are compared; nothing of those
    /// that say too much for that.
    fn meaning(&self, all: &All<'a>) -> Option<Value> {
        let node = self.nodes.of(all);
        let plain = node.unions.is_empty()
            && node.opaque.is_empty()
            && node.properties.is_empty()
            && node.patterns.is_empty()
            && node.tuples.is_empty()
            && node.rests.is_empty();
        if !plain {
            return None;
        }
        let marks = node.marks.iter().filter(|(keyword, operand)| {
            *keyword != "format" || !text::formatted(operand).is_empty()
        });
        let kinds = node.kinds.iter().map(|kind| kind.name());
        let bounds = node.bounds.iter();
        let mut said = Map::new();
        said.insert("kinds".into(), kinds.collect());
        said.insert("integer".into(), node.integer.into());
        said.insert(
            "listed".into(),
            node.listed.clone().unwrap_or_default().into(),
        );
        said.insert("is listed".into(), node.listed.is_some().into());
        said.insert("required".into(), node.required.iter().cloned().collect());
        said.insert(
            "marks".into(),
            marks
                .map(|(keyword, operand)| format!("{keyword} {operand}"))
                .collect(),
        );
        said.insert(
            "bounds".into(),
            bounds
                .map(|(keyword, limit)| format!("{keyword} {limit}"))
                .collect(),
        );
        Some(Value::Object(said))
    }
}

/// Whether a lower bound is above the upper one.
fn leaves_nothing(node: &Node<'_>, lower: &str, upper: &str) -> bool {
    let bound = |keyword: &str| node.bounds.get(keyword).and_then(Decimal::of);
    matches!((bound(lower), bound(upper)), (Some(lower), Some(upper)) if lower > upper)
}

/// Whether strings must be longer than they may, or than any that matches a pattern.
fn too_short(node: &Node<'_>) -> bool {
    let least = count(node, "minLength");
    let patterns = node
        .marks
        .iter()
        .filter(|(keyword, _)| *keyword == "pattern");
    let mut longest = patterns.filter_map(|(_, pattern)| longest(pattern));
    leaves_nothing(node, "minLength", "maxLength")
        || longest.any(|longest| u64::try_from(longest).is_ok_and(|longest| longest < least))
}

/// Whether a listed value may be valid beside what else is said.
fn admits(node: &Node<'_>, value: &Value) -> bool {
    let text = value.as_str();
    node.kinds.contains(&Kind::of(value)) && text.is_none_or(|text| fits(node, text))
}

#[cfg(test)]
mod tests {
    use crate::diff::Samples;
    use serde_json::{Map, Value, json};

    fn is_empty(schema: Value) -> bool {
        let bundle = Map::from_iter([("It".to_owned(), schema)]);
        Samples::new(&bundle).is_empty("It")
    }

    #[test]
    fn what_nothing_fits_is_empty() {
        let own = json!({ "$ref": "#/It" });
        for schema in [
            json!({ "type": "string", "enum": [1, 2] }),
            json!({ "type": "string", "format": "date-time", "enum": ["now"] }),
            json!({ "type": "string", "pattern": "^[a-z0-9]$", "minLength": 32 }),
            json!({ "type": "string", "minLength": 3, "maxLength": 2 }),
            json!({ "type": "integer", "minimum": 3, "maximum": 2 }),
            json!({ "type": "array", "minItems": 3, "maxItems": 2 }),
            json!({ "type": "object", "required": ["a"], "properties": { "a": own } }),
            json!({ "type": "array", "minItems": 1, "items": own }),
            json!({ "oneOf": [{ "type": "string" }, { "type": "string", "title": "Again" }] }),
            json!({ "anyOf": [{ "type": "object", "required": ["a"], "properties": { "a": own } }, false] }),
        ] {
            assert!(is_empty(schema.clone()), "{schema}");
        }
    }

    #[test]
    fn what_ends_somewhere_is_not() {
        let own = json!({ "$ref": "#/It" });
        for schema in [
            json!({ "type": "string", "enum": [1, "2"] }),
            json!({ "type": "string", "pattern": "^[a-z0-9]{32}$", "minLength": 32 }),
            json!({ "type": "string", "pattern": "[a-z0-9]", "minLength": 32 }),
            json!({ "type": ["string", "null"], "pattern": "^[a-z0-9]$", "minLength": 32 }),
            json!({ "type": "number", "minimum": 2, "maximum": 2.0 }),
            json!({ "type": "object", "properties": { "a": own } }),
            json!({ "type": "array", "items": own }),
            json!({ "oneOf": [{ "type": "string" }, { "type": "string", "maxLength": 3 }] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "string" }] }),
            json!({ "anyOf": [{ "type": "object", "required": ["a"], "properties": { "a": own } }, { "type": "null" }] }),
        ] {
            assert!(!is_empty(schema.clone()), "{schema}");
        }
    }
}
