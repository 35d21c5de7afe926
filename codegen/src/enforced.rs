//! Who finds a value invalid: a Rust type, compiled code, or the schema interpreter.

use crate::diagnostic::Diagnostics;
use crate::ir::{
    Ambiguity, Api, Discrimination, Extra, Model, ModelId, ModelShape, Type, TypeKind,
};
use crate::source::Source;
use crate::{Options, Reading, lowered};
use std::collections::BTreeSet;
use std::fmt;

/// How one named schema is enforced, with all that it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enforced {
    /// The schema's key: the name of a component, or a place in the document.
    pub schema: String,
    /// By what.
    pub by: Enforcer,
    /// Why the interpreter is asked, where it is: what was in the way first.
    pub cause: Option<Cause>,
}

/// Why a schema is not compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// What it refers to depends on the way that led to it.
    DynamicRef,
    /// A keyword of earlier drafts.
    Dependencies,
    /// A discriminator that does not name each of its variants.
    Discriminator,
    /// Compiled, it would take more code than it is worth.
    Size,
    /// Asked of a value, it asks itself of the same value.
    Endless,
    /// It cannot be read.
    Malformed,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::DynamicRef => "$dynamicRef",
            Cause::Dependencies => "dependencies",
            Cause::Discriminator => "discriminator",
            Cause::Size => "size",
            Cause::Endless => "endless recursion",
            Cause::Malformed => "malformed",
        })
    }
}

/// What finds a value invalid; each does all that those before it do, and more slowly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Enforcer {
    /// A Rust type, and checks of its fields.
    Type,
    /// Compiled conditions on a JSON value too.
    Condition,
    /// The schema interpreter too.
    Interpreter,
}

/// How the crate that [`generate_with`](crate::generate_with) makes of the same arguments enforces
/// each schema of the document.
///
/// # Errors
/// As [`generate`](crate::generate).
pub fn enforced(
    source: &Source,
    reading: &Reading,
    options: &Options,
) -> Result<Vec<Enforced>, Diagnostics> {
    let api = lowered(source, reading, options)?.api;
    Ok(of(&api))
}

/// Every model that stands for a schema of the document.
fn of(api: &Api) -> Vec<Enforced> {
    let named = api.models.iter().enumerate();
    let named = named.filter(|(_, model)| !model.schema.is_empty());
    named
        .map(|(index, model)| {
            let (by, asked) = enforcer(api, ModelId(index));
            Enforced {
                schema: model.schema.clone(),
                by,
                cause: asked.and_then(|key| api.causes.get(key).copied()),
            }
        })
        .collect()
}

/// What enforces a model with all that it is made of, and the first schema that the interpreter is
/// asked about.
fn enforcer(api: &Api, start: ModelId) -> (Enforcer, Option<&str>) {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    let (mut by, mut asked) = (Enforcer::Type, None);
    while let Some(id) = open.pop() {
        let Some(model) = api.models.get(id.0).filter(|_| seen.insert(id)) else {
            continue;
        };
        let mut all = vec![decider(api, model)];
        all.extend(parts(model).into_iter().map(|ty| visit(ty, &mut open)));
        for (own, key) in all {
            by = by.max(own);
            asked = asked.or(key);
        }
    }
    (by, asked)
}

/// What finds the variant of a union.
fn decider<'a>(api: &Api, model: &'a Model) -> (Enforcer, Option<&'a str>) {
    match &model.shape {
        ModelShape::Union(union) => match &union.discrimination {
            Discrimination::Each { ambiguity, .. } => match ambiguity {
                Ambiguity::Reading => (Enforcer::Type, None),
                Ambiguity::Conditions(_) => (Enforcer::Condition, None),
                Ambiguity::Schemas => {
                    let keys = union.variants.iter().map(|variant| variant.schema.as_str());
                    let mut uncompiled = keys.filter(|key| api.causes.contains_key(*key));
                    (Enforcer::Interpreter, uncompiled.next())
                }
            },
            Discrimination::Tag(_) | Discrimination::Type => (Enforcer::Type, None),
        },
        _ => (Enforcer::Type, None),
    }
}

/// The types that a model is made of.
fn parts(model: &Model) -> Vec<&Type> {
    match &model.shape {
        ModelShape::Struct { fields, extra } => {
            let mut parts: Vec<&Type> = fields.iter().map(|field| &field.ty).collect();
            if let Extra::Kept { ty, .. } = extra {
                parts.push(ty);
            }
            parts
        }
        ModelShape::Union(union) => union.variants.iter().map(|variant| &variant.ty).collect(),
        ModelShape::Alias(ty) | ModelShape::Newtype(ty) => vec![ty],
        ModelShape::Enum(_) | ModelShape::Constant(_) => Vec::new(),
    }
}

/// What a type asks for by itself; the models in it are added to `open`.
fn visit<'a>(ty: &'a Type, open: &mut Vec<ModelId>) -> (Enforcer, Option<&'a str>) {
    let own = match (&ty.rules.schema, ty.rules.condition) {
        (Some(key), _) => (Enforcer::Interpreter, Some(key.as_str())),
        (None, Some(_)) => (Enforcer::Condition, None),
        (None, None) => (Enforcer::Type, None),
    };
    match &ty.kind {
        TypeKind::Array(inner) | TypeKind::Map(inner) | TypeKind::Nullable(inner) => {
            own.max(visit(inner, open))
        }
        TypeKind::Model(id) => {
            open.push(*id);
            own
        }
        _ => own,
    }
}
