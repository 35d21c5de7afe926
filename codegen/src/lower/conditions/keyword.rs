//! The condition of each keyword of a schema.

use super::Compiler;
use super::evaluated::Parts;
use super::logic::{all, any, either, not};
use super::operand::{bounds, count, dependent, names, some, strings, text_rules, types};
use crate::ir::Cause;
use crate::ir::{Condition, PatternId};
use crate::source::Pointer;
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value};

/// The condition of a keyword, or the cause why it has none.
pub(super) type Compiled<T> = Result<T, Cause>;

impl Compiler<'_, '_> {
    pub(super) fn schema(&mut self, schema: &Value, at: &Pointer) -> Compiled<Condition> {
        let Some(members) = schema.as_object() else {
            return match schema {
                Value::Bool(true) => Ok(Condition::Always),
                Value::Bool(false) => Ok(Condition::Never),
                _ => Err(Cause::Malformed),
            };
        };
        let mut found = Vec::new();
        for (keyword, operand) in members {
            self.left = self.left.checked_sub(1).ok_or(Cause::Size)?;
            found.extend(self.keyword(keyword, operand, members, at)?);
        }
        let formats = self.models.bundle.formats();
        found.extend(bounds(members, formats).ok_or(Cause::Malformed)?);
        found.extend(self.text(members, at)?);
        Ok(all(found))
    }

    /// `Some(None)` for a keyword without a condition of its own; `None` for one that only the
    /// interpreter knows.
    fn keyword(
        &mut self,
        keyword: &str,
        operand: &Value,
        beside: &Map<String, Value>,
        at: &Pointer,
    ) -> Compiled<Option<Condition>> {
        let below = at.child(keyword);
        Ok(Some(match keyword {
            "unevaluatedItems" => Condition::UnevaluatedItems {
                evaluated: self.evaluated(Parts::Items, beside, at)?,
                item: self.boxed(operand, &below)?,
            },
            "unevaluatedProperties" => Condition::UnevaluatedMembers {
                evaluated: self.evaluated(Parts::Members, beside, at)?,
                member: self.boxed(operand, &below)?,
            },
            "$dynamicRef" => return Err(Cause::DynamicRef),
            "dependencies" => return Err(Cause::Dependencies),
            // The discriminating member decides, and need not be declared in any variant.
            "discriminator" if beside.contains_key("oneOf") || beside.contains_key("anyOf") => {
                return Err(Cause::Discriminator);
            }
            "$ref" => Condition::Named(self.named(&referred(operand)?)?),
            "type" => Condition::Types(read(types(operand))?),
            "const" => Condition::Values(vec![operand.clone()]),
            "enum" => Condition::Values(distinct(read(operand.as_array())?)),
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
                min: read(beside.get("minContains").map_or(Some(1), count))?,
                max: match beside.get("maxContains") {
                    Some(max) => Some(read(count(max))?),
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
            "required" => Condition::Required(read(strings(operand))?),
            "dependentSchemas" => all(self.members(operand, &below, Condition::With)?),
            "dependentRequired" => all(read(dependent(operand))?),
            _ => return Ok(None),
        }))
    }

    pub(super) fn boxed(&mut self, schema: &Value, at: &Pointer) -> Compiled<Box<Condition>> {
        self.schema(schema, at).map(Box::new)
    }

    fn optional(
        &mut self,
        keyword: &str,
        beside: &Map<String, Value>,
        at: &Pointer,
    ) -> Compiled<Box<Condition>> {
        match beside.get(keyword) {
            Some(schema) => self.boxed(schema, &at.child(keyword)),
            None => Ok(Box::new(Condition::Always)),
        }
    }

    fn list(&mut self, schemas: &Value, at: &Pointer) -> Compiled<Vec<Condition>> {
        let indexed = read(schemas.as_array())?.iter().enumerate();
        indexed
            .map(|(index, schema)| self.schema(schema, &at.child(index.to_string())))
            .collect()
    }

    fn members(
        &mut self,
        schemas: &Value,
        at: &Pointer,
        make: fn(String, Box<Condition>) -> Condition,
    ) -> Compiled<Vec<Condition>> {
        let named = read(schemas.as_object())?.iter();
        named
            .map(|(name, schema)| Ok(make(name.clone(), self.boxed(schema, &at.child(name))?)))
            .collect()
    }

    fn matching(&mut self, schemas: &Value, at: &Pointer) -> Compiled<Condition> {
        let mut found = Vec::new();
        for (source, schema) in read(schemas.as_object())? {
            let id = self.pattern(source, &at.child(source))?;
            found.push(Condition::Matching(
                id,
                self.boxed(schema, &at.child(source))?,
            ));
        }
        Ok(all(found))
    }

    pub(super) fn patterns(
        &mut self,
        beside: &Map<String, Value>,
        at: &Pointer,
    ) -> Compiled<Vec<PatternId>> {
        let sources = names(beside, "patternProperties");
        let at = at.child("patternProperties");
        sources
            .iter()
            .map(|source| self.pattern(source, &at.child(source)))
            .collect()
    }

    fn pattern(&mut self, source: &str, at: &Pointer) -> Compiled<PatternId> {
        json_schema::pattern::compile(source).map_err(|_| Cause::Malformed)?;
        let hint = self.open.last().cloned().unwrap_or_default();
        Ok(self.models.pattern(source, at, &hint.replace('/', " ")))
    }

    /// The condition of a keyword for strings.
    fn text(&mut self, members: &Map<String, Value>, at: &Pointer) -> Compiled<Option<Condition>> {
        let pattern = match members.get("pattern") {
            Some(source) => Some(self.pattern(read(source.as_str())?, at)?),
            None => None,
        };
        let formats = self.models.bundle.formats();
        let rules = read(text_rules(members, pattern, formats))?;
        Ok(some(rules, Condition::Text))
    }
}

/// The operand of a keyword, read as the type that the keyword requires.
pub(super) fn read<T>(operand: Option<T>) -> Compiled<T> {
    operand.ok_or(Cause::Malformed)
}

/// The key of a reference's target.
pub(super) fn referred(operand: &Value) -> Compiled<String> {
    read(operand.as_str().and_then(key_of_reference))
}

/// The values without repetitions.
fn distinct(listed: &[Value]) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for value in listed {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}
