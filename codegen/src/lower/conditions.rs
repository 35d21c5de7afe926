//! Schemas without a Rust type of their own, lowered to conditions on a JSON value, which are
//! compiled.
//!
//! A schema that contains itself becomes a function that calls itself and remembers its results, so
//! that no value is checked once for every way that leads to it. A schema left to the schema
//! interpreter has a [`Cause`].

mod ambiguity;
mod evaluated;
mod keyword;
mod logic;
mod operand;
mod recursion;

use super::cycles::{self, Circles};
use super::models::Models;
use crate::ir::Cause;
use crate::ir::{
    Ambiguity, Condition, ConditionId, Discrimination, Extra, Model, ModelId, ModelShape, Name,
    NamedCondition, Rules, Type, TypeKind,
};
use crate::names::Scope;
use crate::openapi::Key;
use crate::source::Pointer;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

/// The most keywords of a compiled schema; larger ones stay with the interpreter, because the
/// compile time would cost more than checks save.
const MAX_KEYWORDS: usize = 400;

/// Gives a condition to every type and variant that has a schema to check.
pub(super) fn attach(models: &mut Models<'_>) -> Vec<NamedCondition> {
    let mut all = std::mem::take(&mut models.models);
    let mut compiler = Compiler {
        models,
        done: BTreeMap::new(),
        open: Vec::new(),
        conditions: Vec::new(),
        compiled: Vec::new(),
        left: 0,
    };
    let circles = Circles::of(&cycles::parts(&all));
    for (index, model) in all.iter_mut().enumerate() {
        match &mut model.shape {
            ModelShape::Struct {
                fields,
                extra,
                rules,
            } => {
                compiler.rules(rules);
                fields
                    .iter_mut()
                    .for_each(|field| compiler.ty(&mut field.ty));
                if let Extra::Kept { ty, .. } = extra {
                    compiler.ty(ty);
                }
            }
            ModelShape::Union(union) => {
                for variant in &mut union.variants {
                    compiler.ty(&mut variant.ty);
                }
                compiler.settle(&circles, ModelId(index), union);
                let keys = union.variants.iter().map(|variant| variant.schema.clone());
                compiler.compiled.extend(keys);
            }
            ModelShape::Own { rules, .. } => compiler.rules(rules),
            ModelShape::Alias(ty) | ModelShape::Newtype(ty) => compiler.ty(ty),
            ModelShape::Enum(_) | ModelShape::IntegerEnum(_) | ModelShape::Constant(_) => {}
        }
    }
    let mut conditions = compiler.conditions;
    let compiled: Vec<Key> = compiler.compiled;
    let refused = compiler.done.into_iter();
    models.causes = refused
        .filter_map(|(key, done)| Some((key, done.err()?)))
        .collect();
    let recursive = recursion::recursive(&conditions);
    let mut names = Scope::default();
    for condition in &mut conditions {
        condition.name = names.claim(Name::of(&short(&condition.schema)));
    }
    for id in recursive {
        if let Some(condition) = conditions.get_mut(id.0) {
            condition.cached = Some(names.claim(condition.name.with("once")));
        }
    }
    let asked = all.iter().flat_map(asked).collect::<BTreeSet<&str>>();
    let compiled = compiled.iter().map(Key::as_str).collect::<BTreeSet<_>>();
    let is_done = |key: &str| compiled.contains(key) && !asked.contains(key);
    let extra = mem::take(&mut models.extra).into_iter();
    (models.compiled, models.extra) = extra.partition(|(key, _)| is_done(key));
    models.models = all;
    conditions
}

/// The keys of schemas for which a model needs the interpreter.
fn asked(model: &Model) -> Vec<&str> {
    let mut asked = Vec::new();
    let mut open: Vec<&Type> = Vec::new();
    match &model.shape {
        ModelShape::Struct {
            fields,
            extra,
            rules,
        } => {
            asked.extend(rules.schema.as_deref());
            open.extend(fields.iter().map(|field| &field.ty));
            if let Extra::Kept { ty, .. } = extra {
                open.push(ty);
            }
        }
        ModelShape::Union(union) => {
            open.extend(union.variants.iter().map(|variant| &variant.ty));
            if matches!(
                &union.discrimination,
                Discrimination::Each {
                    ambiguity: Ambiguity::Schemas,
                    ..
                }
            ) {
                asked.extend(union.variants.iter().map(|variant| variant.schema.as_str()));
            }
        }
        ModelShape::Own { rules, .. } => asked.extend(rules.schema.as_deref()),
        ModelShape::Alias(ty) | ModelShape::Newtype(ty) => open.push(ty),
        ModelShape::Enum(_) | ModelShape::IntegerEnum(_) | ModelShape::Constant(_) => {}
    }
    while let Some(ty) = open.pop() {
        asked.extend(ty.rules.schema.as_deref());
        if let TypeKind::Array(inner) | TypeKind::Map(inner) | TypeKind::Nullable(inner) = &ty.kind
        {
            open.push(inner);
        }
    }
    asked
}

struct Compiler<'m, 'a> {
    models: &'m mut Models<'a>,
    /// The condition of each key, or the cause why it has none.
    done: BTreeMap<Key, Result<ConditionId, Cause>>,
    /// The keys that are being compiled, from the outermost.
    open: Vec<Key>,
    conditions: Vec<NamedCondition>,
    /// The keys of schemas that are used only by compiled conditions.
    compiled: Vec<Key>,
    /// How many more keywords may be compiled.
    left: usize,
}

impl Compiler<'_, '_> {
    fn rules(&mut self, rules: &mut Rules) {
        if let Some(key) = &rules.schema
            && let Some(id) = self.whole(&key.clone())
        {
            self.compiled.extend(rules.schema.take());
            rules.condition = Some(id);
        }
    }

    fn ty(&mut self, ty: &mut Type) {
        self.rules(&mut ty.rules);
        match &mut ty.kind {
            TypeKind::Array(inner) | TypeKind::Map(inner) | TypeKind::Nullable(inner) => {
                self.ty(inner)
            }
            _ => {}
        }
    }

    /// The condition of a schema that is not part of another schema's.
    fn whole(&mut self, key: &str) -> Option<ConditionId> {
        self.left = MAX_KEYWORDS;
        let before = self.conditions.len();
        let id = self.named(key).ok()?;
        if recursion::is_endless(&self.conditions, id) {
            self.forget_since(before);
            self.done.insert(key.to_owned(), Err(Cause::Endless));
            return None;
        }
        Some(id)
    }

    /// Conditions compiled for a schema that failed are not needed.
    fn forget_since(&mut self, before: usize) {
        self.conditions.truncate(before);
        let kept =
            |done: &Result<ConditionId, Cause>| done.is_ok_and(|id| id.0 < before) || done.is_err();
        self.done.retain(|_, done| kept(done));
    }

    /// The place of the schema with a key.
    fn place(&self, key: &str) -> Pointer {
        let place = self.models.bundle.place(key);
        if place.as_str().is_empty() {
            Pointer::parse(key).unwrap_or_else(|| place.child(key))
        } else {
            place
        }
    }

    fn named(&mut self, key: &str) -> Result<ConditionId, Cause> {
        if let Some(known) = self.done.get(key) {
            return *known;
        }
        let schema = self.models.schema_of(key).ok_or(Cause::Malformed)?.clone();
        let at = self.place(key);
        let id = ConditionId(self.conditions.len());
        // Its expression is not known yet; a schema that contains itself needs only the id.
        self.conditions.push(NamedCondition {
            name: Name::default(),
            schema: key.to_owned(),
            condition: Condition::Always,
            cached: None,
        });
        self.done.insert(key.to_owned(), Ok(id));
        self.open.push(key.to_owned());
        let compiled = self.schema(&schema, &at);
        self.open.pop();
        match compiled {
            Ok(condition) => {
                if let Some(named) = self.conditions.get_mut(id.0) {
                    named.condition = condition;
                }
                Ok(id)
            }
            Err(cause) => {
                self.forget_since(id.0);
                // Schemas that are too large together may be small enough alone.
                if cause != Cause::Size || self.open.is_empty() {
                    self.done.insert(key.to_owned(), Err(cause));
                }
                Err(cause)
            }
        }
    }
}

/// A key without the tokens of its pointer that carry no meaning, such as `properties`.
fn short(key: &str) -> String {
    let tokens = key.split('/').filter(|token| {
        !matches!(
            *token,
            "components" | "schemas" | "properties" | "items" | "paths"
        )
    });
    tokens.collect::<Vec<_>>().join(" ")
}
