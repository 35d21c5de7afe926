//! Schemas without a Rust type of their own as conditions on a JSON value, which are compiled.
//!
//! What remains for the schema interpreter is what needs its memory: recursion, where a value would
//! be looked at once for every way that leads to it; `unevaluated…`, whose meaning depends on what
//! else was found; and `$dynamicRef`.

use super::models::{Models, number_format, text_format};
use crate::document::{Key, key_of_reference};
use crate::ir::{
    Condition, ConditionId, Decision, Extra, Kind, Model, NamedCondition, PatternId, Rules, Shape,
    Type,
};
use crate::names::{self, Scope};
use crate::schema::JsonType;
use crate::source::Pointer;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Schemas with more keywords than this stay with the interpreter: compiled code should not cost
/// the reader of a build more than it saves the reader of a request.
const LARGEST: usize = 400;

/// Gives a condition to every type and variant that waits for the verdict of a schema.
pub(super) fn attach(models: &mut Models<'_>) -> Vec<NamedCondition> {
    let mut all = std::mem::take(&mut models.models);
    let mut compiler = Compiler {
        models,
        done: BTreeMap::new(),
        open: Vec::new(),
        conditions: Vec::new(),
        names: Scope::default(),
        compiled: Vec::new(),
        left: 0,
    };
    for model in &mut all {
        match &mut model.shape {
            Shape::Struct { fields, extra } => {
                fields
                    .iter_mut()
                    .for_each(|field| compiler.ty(&mut field.ty));
                if let Extra::Kept { ty, .. } = extra {
                    compiler.ty(ty);
                }
            }
            Shape::Union(union) => {
                let each = matches!(union.decision, Decision::Each { .. });
                for variant in &mut union.variants {
                    compiler.ty(&mut variant.ty);
                }
                if each {
                    compiler.decide(&mut union.variants);
                }
                let keys = union.variants.iter().map(|variant| variant.schema.clone());
                compiler.compiled.extend(keys);
            }
            Shape::Alias(ty) | Shape::Newtype(ty) => compiler.ty(ty),
            Shape::Enum(_) | Shape::Constant(_) => {}
        }
    }
    let conditions = compiler.conditions;
    let compiled: Vec<Key> = compiler.compiled;
    let asked = all.iter().flat_map(asked).collect::<BTreeSet<&str>>();
    for key in compiled.iter().filter(|key| !asked.contains(key.as_str())) {
        models.extra.shift_remove(key);
    }
    models.models = all;
    conditions
}

/// The keys of schemas that the interpreter is asked about for a model.
fn asked(model: &Model) -> Vec<&str> {
    let mut asked = Vec::new();
    let mut open: Vec<&Type> = Vec::new();
    match &model.shape {
        Shape::Struct { fields, extra } => {
            open.extend(fields.iter().map(|field| &field.ty));
            if let Extra::Kept { ty, .. } = extra {
                open.push(ty);
            }
        }
        Shape::Union(union) => {
            open.extend(union.variants.iter().map(|variant| &variant.ty));
            let each = matches!(union.decision, Decision::Each { .. });
            let each = union
                .variants
                .iter()
                .filter(|v| each && v.condition.is_none());
            asked.extend(each.map(|variant| variant.schema.as_str()));
        }
        Shape::Alias(ty) | Shape::Newtype(ty) => open.push(ty),
        Shape::Enum(_) | Shape::Constant(_) => {}
    }
    while let Some(ty) = open.pop() {
        asked.extend(ty.rules.schema.as_deref());
        if let Kind::Array(inner) | Kind::Map(inner) | Kind::Nullable(inner) = &ty.kind {
            open.push(inner);
        }
    }
    asked
}

struct Compiler<'m, 'a> {
    models: &'m mut Models<'a>,
    /// What became of a key; `None` where there is no condition.
    done: BTreeMap<Key, Option<ConditionId>>,
    /// The keys that are being compiled, from the outermost.
    open: Vec<Key>,
    conditions: Vec<NamedCondition>,
    names: Scope,
    /// The keys of schemas that nobody needs but for what has been compiled.
    compiled: Vec<Key>,
    /// How many keywords may still be compiled.
    left: usize,
}

impl Compiler<'_, '_> {
    fn ty(&mut self, ty: &mut Type) {
        if let Some(key) = &ty.rules.schema
            && let Some(id) = self.whole(&key.clone())
        {
            self.compiled.extend(ty.rules.schema.take());
            ty.rules.condition = Some(id);
        }
        match &mut ty.kind {
            Kind::Array(inner) | Kind::Map(inner) | Kind::Nullable(inner) => self.ty(inner),
            _ => {}
        }
    }

    /// Either every variant has a condition or none has.
    fn decide(&mut self, variants: &mut [crate::ir::UnionVariant]) {
        let keys = variants.iter().map(|variant| variant.schema.clone());
        let ids: Option<Vec<_>> = keys.map(|key| self.whole(&key)).collect();
        for (variant, id) in variants.iter_mut().zip(ids.into_iter().flatten()) {
            variant.condition = Some(id);
        }
    }

    /// The condition of a schema that is not part of another one's.
    fn whole(&mut self, key: &str) -> Option<ConditionId> {
        self.left = LARGEST;
        let before = self.conditions.len();
        let id = self.named(key);
        if id.is_none() {
            // What was compiled on the way is of no use.
            self.conditions.truncate(before);
            self.done.retain(|_, id| id.is_none_or(|id| id.0 < before));
        }
        id
    }

    fn named(&mut self, key: &str) -> Option<ConditionId> {
        if let Some(known) = self.done.get(key) {
            return *known;
        }
        if self.open.iter().any(|open| open == key) {
            return None;
        }
        let schema = self.models.schema_of(key)?.clone();
        let place = self.models.bundle.place(key);
        let at = if place.as_str().is_empty() {
            Pointer::parse(key).unwrap_or_else(|| place.child(key))
        } else {
            place
        };
        self.open.push(key.to_owned());
        let condition = self.schema(&schema, &at);
        self.open.pop();
        let id = condition.map(|condition| {
            let wanted = names::snake(&short(key));
            self.conditions.push(NamedCondition {
                rust: self.names.claim(wanted),
                schema: key.to_owned(),
                condition,
            });
            ConditionId(self.conditions.len() - 1)
        });
        self.done.insert(key.to_owned(), id);
        id
    }

    fn schema(&mut self, schema: &Value, at: &Pointer) -> Option<Condition> {
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
            "enum" => Condition::Values(operand.as_array()?.clone()),
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
        let rules = Rules {
            min_length: bound(members, "minLength")?.filter(|min| *min > 0),
            max_length: bound(members, "maxLength")?,
            pattern: match members.get("pattern") {
                Some(source) => Some(self.pattern(source.as_str()?, at)?),
                None => None,
            },
            format: text_format(members.get("format").and_then(Value::as_str)),
            ..Rules::default()
        };
        Some(some(rules, Condition::Text))
    }
}

/// A key without the tokens of its pointer that say nothing about it.
fn short(key: &str) -> String {
    let tokens = key.split('/').filter(|token| {
        !matches!(
            *token,
            "components" | "schemas" | "properties" | "items" | "paths"
        )
    });
    tokens.collect::<Vec<_>>().join(" ")
}

/// The keywords of numbers, and those that count.
fn bounds(members: &Map<String, Value>) -> Option<Vec<Condition>> {
    let number = |keyword: &str| match members.get(keyword) {
        Some(value) if !value.is_number() => None,
        other => Some(other.cloned()),
    };
    let numbers = Rules {
        minimum: number("minimum")?,
        maximum: number("maximum")?,
        exclusive_minimum: number("exclusiveMinimum")?,
        exclusive_maximum: number("exclusiveMaximum")?,
        multiple_of: number("multipleOf")?,
        format: number_format(members.get("format").and_then(Value::as_str)),
        ..Rules::default()
    };
    let items = Rules {
        min_items: bound(members, "minItems")?.filter(|min| *min > 0),
        max_items: bound(members, "maxItems")?,
        unique_items: members.get("uniqueItems") == Some(&Value::Bool(true)),
        ..Rules::default()
    };
    let size = Rules {
        min_properties: bound(members, "minProperties")?.filter(|min| *min > 0),
        max_properties: bound(members, "maxProperties")?,
        ..Rules::default()
    };
    let all = [
        some(numbers, Condition::Number),
        some(items, Condition::Count),
        some(size, Condition::Size),
    ];
    Some(all.into_iter().flatten().collect())
}

/// The condition of rules that rule anything.
fn some(rules: Rules, make: fn(Box<Rules>) -> Condition) -> Option<Condition> {
    (rules != Rules::default()).then(|| make(Box::new(rules)))
}

/// What all of these ask.
fn all(conditions: Vec<Condition>) -> Condition {
    let flat = conditions
        .into_iter()
        .flat_map(|condition| match condition {
            Condition::All(inner) => inner,
            other => vec![other],
        });
    let mut conditions: Vec<Condition> = flat.collect();
    conditions.retain(|condition| !asks_nothing(condition));
    if conditions.contains(&Condition::Never) {
        return Condition::Never;
    }
    match conditions.len() {
        0 | 1 => conditions.pop().unwrap_or(Condition::Always),
        _ => Condition::All(conditions),
    }
}

/// Whether every value meets a condition.
fn asks_nothing(condition: &Condition) -> bool {
    let nothing = |inner: &Condition| *inner == Condition::Always;
    match condition {
        Condition::Always => true,
        Condition::Items { prefix, rest } => prefix.iter().all(nothing) && nothing(rest),
        Condition::Contains { min, max, .. } => *min == 0 && max.is_none(),
        Condition::Required(names) => names.is_empty(),
        Condition::Member(_, inner)
        | Condition::With(_, inner)
        | Condition::Matching(_, inner)
        | Condition::Names(inner)
        | Condition::Others { member: inner, .. } => nothing(inner),
        _ => false,
    }
}

/// What any of these asks.
fn any(mut conditions: Vec<Condition>) -> Condition {
    conditions.retain(|condition| *condition != Condition::Never);
    if conditions.contains(&Condition::Always) {
        return Condition::Always;
    }
    match conditions.len() {
        0 | 1 => conditions.pop().unwrap_or(Condition::Never),
        _ => Condition::Any(conditions),
    }
}

/// What this does not ask.
fn not(condition: Condition) -> Condition {
    match condition {
        Condition::Always => Condition::Never,
        Condition::Never => Condition::Always,
        Condition::Not(inner) => *inner,
        other => Condition::Not(Box::new(other)),
    }
}

/// `then` of what meets `test`, `otherwise` of the rest.
fn either(test: Condition, then: Condition, otherwise: Condition) -> Condition {
    use Condition::{Always, If, Never};
    match (then, otherwise) {
        (then, otherwise) if then == otherwise => then,
        (Always, otherwise) => any(vec![test, otherwise]),
        (then, Always) => any(vec![not(test), then]),
        (Never, otherwise) => all(vec![not(test), otherwise]),
        (then, Never) => all(vec![test, then]),
        (then, otherwise) => If {
            test: Box::new(test),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        },
    }
}

fn bound(members: &Map<String, Value>, keyword: &str) -> Option<Option<u64>> {
    match members.get(keyword) {
        Some(value) => Some(Some(count(value)?)),
        None => Some(None),
    }
}

/// A count may be written as `2.0`.
fn count(value: &Value) -> Option<u64> {
    let whole = value
        .as_f64()
        .filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n));
    value.as_u64().or_else(|| whole.map(|n| n as u64))
}

fn strings(value: &Value) -> Option<Vec<String>> {
    let items = value.as_array()?.iter();
    items.map(|item| item.as_str().map(str::to_owned)).collect()
}

fn types(value: &Value) -> Option<Vec<JsonType>> {
    match value {
        Value::String(name) => Some(vec![JsonType::named(name)?]),
        Value::Array(names) => names
            .iter()
            .map(|name| JsonType::named(name.as_str()?))
            .collect(),
        _ => None,
    }
}

fn names(members: &Map<String, Value>, keyword: &str) -> Vec<String> {
    let named = members.get(keyword).and_then(Value::as_object);
    named
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect()
}

fn dependent(operand: &Value) -> Option<Vec<Condition>> {
    let rules = operand.as_object()?.iter();
    rules
        .map(|(name, needed)| {
            let needed = Condition::Required(strings(needed)?);
            Some(Condition::With(name.clone(), Box::new(needed)))
        })
        .collect()
}
