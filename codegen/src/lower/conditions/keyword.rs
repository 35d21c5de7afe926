//! What each keyword of a schema asks.

use super::Compiler;
use super::logic::{all, any, either, not};
use super::operand::{bounds, count, dependent, names, some, strings, text_rules, types};
use crate::document::key_of_reference;
use crate::ir::{Condition, PatternId};
use crate::source::Pointer;
use serde_json::{Map, Value};

impl Compiler<'_, '_> {
    pub(super) fn schema(&mut self, schema: &Value, at: &Pointer) -> Option<Condition> {
        let Some(members) = schema.as_object() else {
            return match schema {
                Value::Bool(true) => Some(Condition::Always),
                Value::Bool(false) => Some(Condition::Never),
                _ => None,
            };
        };
        let mut found = Vec::new();
        for (keyword, operand) in members {
            self.left = self.left.checked_sub(1)?;
            found.extend(self.keyword(keyword, operand, members, at)?);
        }
        found.extend(bounds(members)?);
        found.extend(self.text(members, at)?);
        Some(all(found))
    }

    /// Nothing inside for a keyword that asks nothing by itself; nothing at all for one that only
    /// the interpreter knows.
    fn keyword(
        &mut self,
        keyword: &str,
        operand: &Value,
        beside: &Map<String, Value>,
        at: &Pointer,
    ) -> Option<Option<Condition>> {
        let below = at.child(keyword);
        Some(Some(match keyword {
            "unevaluatedItems" | "unevaluatedProperties" | "$dynamicRef" | "dependencies" => {
                return None;
            }
            // The member that names a variant decides, and may be named in no variant.
            "discriminator" if beside.contains_key("oneOf") || beside.contains_key("anyOf") => {
                return None;
            }
            "$ref" => Condition::Same(self.named(&key_of_reference(operand.as_str()?)?)?),
            "type" => Condition::Types(types(operand)?),
            "const" => Condition::Values(vec![operand.clone()]),
            "enum" => Condition::Values(distinct(operand.as_array()?)),
            "allOf" => all(self.list(operand, &below)?),
            "anyOf" => any(self.list(operand, &below)?),
            "oneOf" => Condition::One(self.list(operand, &below)?),
            "not" => not(self.schema(operand, &below)?),
            "if" => either(
                self.schema(operand, &below)?,
                *self.optional("then", beside, at)?,
                *self.optional("else", beside, at)?,
            ),
            "prefixItems" => Condition::Items {
                prefix: self.list(operand, &below)?,
                rest: self.optional("items", beside, at)?,
            },
            "items" if !beside.contains_key("prefixItems") => Condition::Items {
                prefix: Vec::new(),
                rest: self.boxed(operand, &below)?,
            },
            "contains" => Condition::Contains {
                item: self.boxed(operand, &below)?,
                min: beside.get("minContains").map_or(Some(1), count)?,
                max: match beside.get("maxContains") {
                    Some(max) => Some(count(max)?),
                    None => None,
                },
            },
            "properties" => all(self.members(operand, &below, Condition::Member)?),
            "patternProperties" => self.matching(operand, &below)?,
            "additionalProperties" => Condition::Others {
                named: names(beside, "properties"),
                matched: self.patterns(beside, at)?,
                member: self.boxed(operand, &below)?,
            },
            "propertyNames" => Condition::Names(self.boxed(operand, &below)?),
            "required" => Condition::Required(strings(operand)?),
            "dependentSchemas" => all(self.members(operand, &below, Condition::With)?),
            "dependentRequired" => all(dependent(operand)?),
            _ => return Some(None),
        }))
    }

    fn boxed(&mut self, schema: &Value, at: &Pointer) -> Option<Box<Condition>> {
        self.schema(schema, at).map(Box::new)
    }

    fn optional(
        &mut self,
        keyword: &str,
        beside: &Map<String, Value>,
        at: &Pointer,
    ) -> Option<Box<Condition>> {
        match beside.get(keyword) {
            Some(schema) => self.boxed(schema, &at.child(keyword)),
            None => Some(Box::new(Condition::Always)),
        }
    }

    fn list(&mut self, schemas: &Value, at: &Pointer) -> Option<Vec<Condition>> {
        let indexed = schemas.as_array()?.iter().enumerate();
        indexed
            .map(|(index, schema)| self.schema(schema, &at.child(index.to_string())))
            .collect()
    }

    fn members(
        &mut self,
        schemas: &Value,
        at: &Pointer,
        make: fn(String, Box<Condition>) -> Condition,
    ) -> Option<Vec<Condition>> {
        let named = schemas.as_object()?.iter();
        named
            .map(|(name, schema)| Some(make(name.clone(), self.boxed(schema, &at.child(name))?)))
            .collect()
    }

    fn matching(&mut self, schemas: &Value, at: &Pointer) -> Option<Condition> {
        let mut found = Vec::new();
        for (source, schema) in schemas.as_object()? {
            let id = self.pattern(source, &at.child(source))?;
            found.push(Condition::Matching(
                id,
                self.boxed(schema, &at.child(source))?,
            ));
        }
        Some(all(found))
    }

    fn patterns(&mut self, beside: &Map<String, Value>, at: &Pointer) -> Option<Vec<PatternId>> {
        let sources = names(beside, "patternProperties");
        let at = at.child("patternProperties");
        sources
            .iter()
            .map(|source| self.pattern(source, &at.child(source)))
            .collect()
    }

    fn pattern(&mut self, source: &str, at: &Pointer) -> Option<PatternId> {
        crate::pattern::compile(source).ok()?;
        let hint = self.open.last().cloned().unwrap_or_default();
        Some(self.models.pattern(source, at, &hint.replace('/', " ")))
    }

    /// The keywords of strings.
    fn text(&mut self, members: &Map<String, Value>, at: &Pointer) -> Option<Option<Condition>> {
        let pattern = match members.get("pattern") {
            Some(source) => Some(self.pattern(source.as_str()?, at)?),
            None => None,
        };
        Some(some(text_rules(members, pattern)?, Condition::Text))
    }
}

/// The values without those that are listed again.
fn distinct(listed: &[Value]) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for value in listed {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}
