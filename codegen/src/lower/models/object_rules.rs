//! Objects with rules about the whole of them: keywords that have no Rust form, beside members that have one.
//!
//! The struct of the members is written as JSON and checked by these keywords alone. It keeps the members that it
//! has no field for, but not the parts that the types of its fields drop, so that rules may look at the members
//! and not into them.

use super::Models;
use crate::formats::Meaning;
use crate::schema::{JsonType, Keywords, Schema, is_annotation};
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Keywords that say more about an object than its members do.
const RULES: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
];

/// Keywords that a struct or a map has a form for.
const MEMBERS: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
];

/// How many references within rules are followed.
const MAX_REFERENCES: usize = 16;

impl<'a> Models<'a> {
    /// The schema that an object must meet beside the types of its members; `None` where there is no such, or it
    /// looks deeper than a struct keeps.
    pub(super) fn object_rules(&mut self, k: &Keywords<'a>) -> Option<Value> {
        let known = [RULES, MEMBERS].concat();
        let is_alone = k.reference.is_none() && k.discriminator.is_none();
        if k.types != [JsonType::Object] || !is_alone || k.constrains_beside(&known) {
            return None;
        }
        let is_joined = !(k.all_of.is_empty() && k.any_of.is_empty() && k.one_of.is_empty());
        let are_rules = k.all_of.iter().all(says_rules_alone);
        if is_joined && (k.properties.is_empty() || !are_rules) {
            return None;
        }
        let mut rules = rules(k.raw.as_object()?);
        if k.all_of.is_empty() {
            // They have been merged with the schema's own keywords.
            rules.remove("allOf");
        }
        if rules.is_empty() {
            return None;
        }
        let rules = Value::Object(rules);
        let members = Members {
            kept: self.kept(k),
            models: self,
        };
        members.are_enough(&rules, MAX_REFERENCES).then_some(rules)
    }

    /// The members that have a type, and whether it keeps a text as it was sent.
    fn kept(&mut self, k: &Keywords<'a>) -> BTreeMap<String, bool> {
        let members = k.properties.iter().filter_map(|(name, schema)| {
            let Schema::Keywords(_) = schema else {
                return None;
            };
            let format = self.resolved(schema).and_then(|found| found.format);
            let meaning = format.and_then(|format| self.bundle.formats().meaning(&format).cloned());
            Some((name.clone(), !matches!(meaning, Some(Meaning::Type(_)))))
        });
        members.collect()
    }
}

/// Whether a part of `allOf` has no members of its own.
fn says_rules_alone(part: &Schema<'_>) -> bool {
    match part {
        Schema::Keywords(k) => {
            k.reference.is_none() && k.properties.is_empty() && k.additional.is_none()
        }
        _ => true,
    }
}

/// The rules of an object. `patternProperties` need the names of members, and decide which are additional.
fn rules(members: &Map<String, Value>) -> Map<String, Value> {
    let has_patterns = members.contains_key("patternProperties");
    let rule = |(keyword, operand): (&String, &Value)| {
        let operand = match (keyword.as_str(), operand) {
            ("properties", Value::Object(named)) if has_patterns => {
                let names = named.keys().map(|name| (name.clone(), true.into()));
                Value::Object(names.collect())
            }
            ("additionalProperties", operand) if has_patterns => operand.clone(),
            (known, operand) if RULES.contains(&known) => operand.clone(),
            _ => return None,
        };
        Some((keyword.clone(), operand))
    };
    members.iter().filter_map(rule).collect()
}

/// The members of a struct, as its JSON has them.
struct Members<'m, 'a> {
    kept: BTreeMap<String, bool>,
    models: &'m Models<'a>,
}

impl Members<'_, '_> {
    /// Whether a schema of the object sees in the members all that it looks at.
    fn are_enough(&self, schema: &Value, left: usize) -> bool {
        let each = |operand: &Value| {
            let items = operand.as_array().into_iter().flatten();
            items.into_iter().all(|item| self.are_enough(item, left))
        };
        let any_member = |operand: &Value| {
            let is_text = self.kept.values().all(|kept| *kept);
            self.kept.is_empty() || self.is_scalar(operand, is_text, left)
        };
        let mut keywords = schema.as_object().into_iter().flatten();
        keywords.all(|(keyword, operand)| match keyword.as_str() {
            "const" | "enum" | "discriminator" | "$dynamicRef" | "dependencies" => false,
            "not" | "if" | "then" | "else" => self.are_enough(operand, left),
            "allOf" | "anyOf" | "oneOf" => each(operand),
            "dependentSchemas" => {
                let mut schemas = operand.as_object().into_iter().flatten();
                schemas.all(|(_, schema)| self.are_enough(schema, left))
            }
            "properties" => {
                let mut members = operand.as_object().into_iter().flatten();
                members.all(|(name, schema)| match self.kept.get(name) {
                    Some(is_text) => self.is_scalar(schema, *is_text, left),
                    None => true,
                })
            }
            "patternProperties" => {
                let mut members = operand.as_object().into_iter().flatten();
                members.all(|(_, schema)| any_member(schema))
            }
            "additionalProperties" | "unevaluatedProperties" => any_member(operand),
            "$ref" => self.referred(operand, left, |to, left| self.are_enough(to, left)),
            _ => true,
        })
    }

    /// Whether a schema of a member looks at nothing within it, and at its text only where that is kept.
    fn is_scalar(&self, schema: &Value, is_text: bool, left: usize) -> bool {
        let is_plain = |value: &Value| match value {
            Value::Array(_) | Value::Object(_) => false,
            Value::String(_) => is_text,
            _ => true,
        };
        let mut keywords = schema.as_object().into_iter().flatten();
        keywords.all(|(keyword, operand)| match keyword.as_str() {
            "const" => is_plain(operand),
            "enum" => operand.as_array().into_iter().flatten().all(is_plain),
            "minLength" | "maxLength" | "pattern" => is_text,
            "type" | "format" | "minItems" | "maxItems" => true,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => true,
            "not" | "if" | "then" | "else" => self.is_scalar(operand, is_text, left),
            "allOf" | "anyOf" | "oneOf" => {
                let mut parts = operand.as_array().into_iter().flatten();
                parts.all(|part| self.is_scalar(part, is_text, left))
            }
            "$ref" => self.referred(operand, left, |to, left| self.is_scalar(to, is_text, left)),
            other => is_annotation(other),
        })
    }

    fn referred(
        &self,
        reference: &Value,
        left: usize,
        holds: impl FnOnce(&Value, usize) -> bool,
    ) -> bool {
        let key = reference.as_str().and_then(key_of_reference);
        let target = key.and_then(|key| self.models.bundle.get(&key));
        match (target, left.checked_sub(1)) {
            (Some(target), Some(left)) => holds(target, left),
            _ => false,
        }
    }
}
