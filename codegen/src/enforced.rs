//! Reports how each schema is enforced: by a Rust type, compiled code, or the schema interpreter.

use crate::diagnostic::Diagnostics;
use crate::ir::{
    Ambiguity, Api, Cause, Discrimination, Extra, Model, ModelId, ModelShape, Rules, Type, TypeKind,
};
use crate::source::Source;
use crate::{Options, Reading, lowered};
use std::collections::BTreeSet;

/// The enforcement of one named schema, with all that it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enforced {
    /// The schema's key: the name of a component, or a place in the document.
    pub schema: String,
    /// The slowest means that it needs.
    pub by: Enforcer,
    /// The first cause that it needs the interpreter, if it does.
    pub cause: Option<Cause>,
}

/// The means that enforce a schema; each is slower than those before it, and includes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Enforcer {
    /// A Rust type, and checks of its fields.
    Type,
    /// Compiled conditions on a JSON value too.
    Condition,
    /// The schema interpreter too.
    Interpreter,
}

/// The enforcement of each schema of the document in the crate that
/// [`generate_with`](crate::generate_with) makes of the same arguments.
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

/// The enforcer of a model with all its parts, and the first schema that needs the interpreter.
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

/// The enforcer of the choice among a union's variants, or of a struct as a whole.
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
        ModelShape::Struct { rules, .. } | ModelShape::Own { rules, .. } => of_rules(rules),
        _ => (Enforcer::Type, None),
    }
}

/// The enforcer of constraints on a value as a whole.
fn of_rules(rules: &Rules) -> (Enforcer, Option<&str>) {
    match (&rules.schema, rules.condition) {
        (Some(key), _) => (Enforcer::Interpreter, Some(key.as_str())),
        (None, Some(_)) => (Enforcer::Condition, None),
        (None, None) => (Enforcer::Type, None),
    }
}

/// The types that a model is made of.
fn parts(model: &Model) -> Vec<&Type> {
    match &model.shape {
        ModelShape::Struct { fields, extra, .. } => {
            let mut parts: Vec<&Type> = fields.iter().map(|field| &field.ty).collect();
            if let Extra::Kept { ty, .. } = extra {
                parts.push(ty);
            }
            parts
        }
        ModelShape::Union(union) => union.variants.iter().map(|variant| &variant.ty).collect(),
        ModelShape::Alias(ty) | ModelShape::Newtype(ty) => vec![ty],
        ModelShape::Own { .. }
        | ModelShape::Enum(_)
        | ModelShape::IntegerEnum(_)
        | ModelShape::Constant(_) => Vec::new(),
    }
}

/// The enforcer of a type itself; the models in it are added to `open`.
fn visit<'a>(ty: &'a Type, open: &mut Vec<ModelId>) -> (Enforcer, Option<&'a str>) {
    let own = of_rules(&ty.rules);
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
