//! Who finds a value invalid: a Rust type, compiled code, or the schema interpreter.

use crate::ir::{Api, Decision, Extra, Kind, Model, ModelId, Shape, Type};
use std::collections::BTreeSet;

/// How one named schema is enforced, with all that it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enforced {
    /// The schema's key: the name of a component, or a place in the document.
    pub schema: String,
    /// By what.
    pub by: Enforcer,
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

/// Every model that stands for a schema of the document.
pub(crate) fn of(api: &Api) -> Vec<Enforced> {
    let named = api.models.iter().enumerate();
    let named = named.filter(|(_, model)| !model.schema.is_empty());
    named
        .map(|(index, model)| Enforced {
            schema: model.schema.clone(),
            by: enforcer(api, ModelId(index)),
        })
        .collect()
}

fn enforcer(api: &Api, start: ModelId) -> Enforcer {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    let mut by = Enforcer::Type;
    while let Some(id) = open.pop() {
        let Some(model) = api.models.get(id.0).filter(|_| seen.insert(id)) else {
            continue;
        };
        by = by.max(decider(model));
        for ty in parts(model) {
            by = by.max(visit(ty, &mut open));
        }
    }
    by
}

/// What finds the variant of a union.
fn decider(model: &Model) -> Enforcer {
    match &model.shape {
        Shape::Union(union) if matches!(union.decision, Decision::Each { .. }) => {
            let mut conditions = union.variants.iter().map(|variant| variant.condition);
            if conditions.all(|condition| condition.is_some()) {
                Enforcer::Condition
            } else {
                Enforcer::Interpreter
            }
        }
        _ => Enforcer::Type,
    }
}

/// The types that a model is made of.
fn parts(model: &Model) -> Vec<&Type> {
    match &model.shape {
        Shape::Struct { fields, extra } => {
            let mut parts: Vec<&Type> = fields.iter().map(|field| &field.ty).collect();
            if let Extra::Kept { ty, .. } = extra {
                parts.push(ty);
            }
            parts
        }
        Shape::Union(union) => union.variants.iter().map(|variant| &variant.ty).collect(),
        Shape::Alias(ty) | Shape::Newtype(ty) => vec![ty],
        Shape::Enum(_) | Shape::Constant(_) => Vec::new(),
    }
}

/// What a type asks for by itself; the models in it are added to `open`.
fn visit(ty: &Type, open: &mut Vec<ModelId>) -> Enforcer {
    let own = match (&ty.rules.schema, ty.rules.condition) {
        (Some(_), _) => Enforcer::Interpreter,
        (None, Some(_)) => Enforcer::Condition,
        (None, None) => Enforcer::Type,
    };
    match &ty.kind {
        Kind::Array(inner) | Kind::Map(inner) | Kind::Nullable(inner) => {
            own.max(visit(inner, open))
        }
        Kind::Model(id) => {
            open.push(*id);
            own
        }
        _ => own,
    }
}
