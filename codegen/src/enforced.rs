//! Who finds a value invalid: compiled code, or the schema interpreter.

use crate::ir::{Api, Decision, Extra, Kind, Model, ModelId, Shape, Type};
use std::collections::BTreeSet;

/// How one named schema is enforced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enforced {
    /// The schema's key: the name of a component, or a place in the document.
    pub schema: String,
    /// Whether compiled code alone decides on every value, with all that the schema refers to.
    pub native: bool,
}

/// Every model that stands for a schema of the document.
pub(crate) fn of(api: &Api) -> Vec<Enforced> {
    let named = api.models.iter().enumerate();
    let named = named.filter(|(_, model)| !model.schema.is_empty());
    named
        .map(|(index, model)| Enforced {
            schema: model.schema.clone(),
            native: is_native(api, ModelId(index)),
        })
        .collect()
}

fn is_native(api: &Api, start: ModelId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        let Some(model) = api.models.get(id.0).filter(|_| seen.insert(id)) else {
            continue;
        };
        if !parts(model).into_iter().all(|ty| visit(ty, &mut open)) || is_searched(model) {
            return false;
        }
    }
    true
}

/// Whether the variant of a union is found by asking the interpreter about each.
fn is_searched(model: &Model) -> bool {
    matches!(&model.shape, Shape::Union(union)
        if matches!(union.decision, Decision::Each { .. })
            && union.variants.iter().any(|variant| variant.condition.is_none()))
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

/// Whether a type asks nothing of the interpreter itself; the models in it are added to `open`.
fn visit(ty: &Type, open: &mut Vec<ModelId>) -> bool {
    if ty.rules.schema.is_some() {
        return false;
    }
    match &ty.kind {
        Kind::Array(inner) | Kind::Map(inner) | Kind::Nullable(inner) => visit(inner, open),
        Kind::Model(id) => {
            open.push(*id);
            true
        }
        _ => true,
    }
}
