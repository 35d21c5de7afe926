//! The members and items of a value that the keywords of a schema evaluate, as far as they are
//! known without the value; conditions tell the rest (2020-12 Core §11).

use super::Compiler;
use super::keyword::{Compiled, read, referred};
use super::logic::{all, not};
use super::operand::names;
use crate::ir::Cause;
use crate::ir::{Condition, Evaluated, Evaluates};
use crate::openapi::Key;
use crate::schema::JsonType;
use crate::source::Pointer;
use serde_json::{Map, Value};

/// The keyword whose rest is wanted: members or items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    Members,
    Items,
}

impl Compiler<'_, '_> {
    /// The members or items evaluated by the keywords beside `unevaluated…`.
    pub(super) fn evaluated(
        &mut self,
        parts: Parts,
        beside: &Map<String, Value>,
        at: &Pointer,
    ) -> Compiled<Vec<Evaluated>> {
        let mut keywords = beside.clone();
        keywords.remove("unevaluatedProperties");
        keywords.remove("unevaluatedItems");
        let mut search = Search {
            parts,
            found: Vec::new(),
            referred: Vec::new(),
        };
        self.search(&keywords, at, &Condition::Always, &mut search)?;
        Ok(search.found)
    }

    /// Adds the members and items that a schema evaluates, for values that meet `when`.
    fn search(
        &mut self,
        members: &Map<String, Value>,
        at: &Pointer,
        when: &Condition,
        search: &mut Search,
    ) -> Compiled<()> {
        match search.parts {
            Parts::Members => self.evaluated_members(members, at, when, search)?,
            Parts::Items => self.evaluated_items(members, at, when, search)?,
        }
        for (keyword, operand) in members {
            self.left = self.left.checked_sub(1).ok_or(Cause::Size)?;
            let below = at.child(keyword);
            match keyword.as_str() {
                "$ref" => {
                    let key = referred(operand)?;
                    if search.referred.contains(&key) {
                        continue;
                    }
                    search.referred.push(key.clone());
                    let schema = self.models.schema_of(&key).cloned();
                    let place = self.place(&key);
                    self.inside(&read(schema)?, &place, when.clone(), search)?;
                }
                "$dynamicRef" => return Err(Cause::DynamicRef),
                "allOf" => {
                    for (index, schema) in read(operand.as_array())?.iter().enumerate() {
                        let at = below.child(index.to_string());
                        self.inside(schema, &at, when.clone(), search)?;
                    }
                }
                "anyOf" | "oneOf" => {
                    for (index, schema) in read(operand.as_array())?.iter().enumerate() {
                        let at = below.child(index.to_string());
                        self.branch(schema, &at, when, search)?;
                    }
                }
                "if" => {
                    self.branch(operand, &below, when, search)?;
                    let test = self.schema(operand, &below)?;
                    for (keyword, test) in [("then", test.clone()), ("else", not(test))] {
                        if let Some(schema) = members.get(keyword) {
                            let when = all(vec![when.clone(), test]);
                            self.inside(schema, &at.child(keyword), when, search)?;
                        }
                    }
                }
                "dependentSchemas" => {
                    for (name, schema) in read(operand.as_object())? {
                        let object = Condition::Types(vec![JsonType::Object]);
                        let there = Condition::Required(vec![name.clone()]);
                        let when = all(vec![when.clone(), object, there]);
                        self.inside(schema, &below.child(name), when, search)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the members and items that a schema evaluates, for values that it accepts.
    fn branch(
        &mut self,
        schema: &Value,
        at: &Pointer,
        when: &Condition,
        search: &mut Search,
    ) -> Compiled<()> {
        let held = self.schema(schema, at)?;
        self.inside(schema, at, all(vec![when.clone(), held]), search)
    }

    fn inside(
        &mut self,
        schema: &Value,
        at: &Pointer,
        when: Condition,
        search: &mut Search,
    ) -> Compiled<()> {
        match schema.as_object() {
            Some(members) if when != Condition::Never => self.search(members, at, &when, search),
            _ => Ok(()),
        }
    }

    fn evaluated_members(
        &mut self,
        members: &Map<String, Value>,
        at: &Pointer,
        when: &Condition,
        search: &mut Search,
    ) -> Compiled<()> {
        let everything = ["additionalProperties", "unevaluatedProperties"];
        if everything.iter().any(|name| members.contains_key(*name)) {
            search.add(when, Evaluates::All);
            return Ok(());
        }
        let (named, matched) = (names(members, "properties"), self.patterns(members, at)?);
        if !named.is_empty() || !matched.is_empty() {
            search.add(when, Evaluates::Members(named, matched));
        }
        Ok(())
    }

    fn evaluated_items(
        &mut self,
        members: &Map<String, Value>,
        at: &Pointer,
        when: &Condition,
        search: &mut Search,
    ) -> Compiled<()> {
        let everything = ["items", "unevaluatedItems"];
        if everything.iter().any(|name| members.contains_key(*name)) {
            search.add(when, Evaluates::All);
            return Ok(());
        }
        if let Some(prefix) = members.get("prefixItems").and_then(Value::as_array) {
            search.add(when, Evaluates::First(prefix.len() as u64));
        }
        if let Some(schema) = members.get("contains") {
            let item = self.schema(schema, &at.child("contains"))?;
            search.add(when, Evaluates::Items(item));
        }
        Ok(())
    }
}

struct Search {
    parts: Parts,
    found: Vec<Evaluated>,
    /// The schemas already visited; a schema that refers to itself adds nothing.
    referred: Vec<Key>,
}

impl Search {
    fn add(&mut self, when: &Condition, parts: Evaluates) {
        let when = when.clone();
        self.found.push(Evaluated { when, parts });
    }
}
