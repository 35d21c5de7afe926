//! Types that contain themselves: where a box goes, and which alias must be a type of its own.

use crate::ir::{Extra, Kind, Model, ModelId, Shape, Type};
use std::collections::BTreeSet;

/// Boxes the fields and variants through which a type would have infinite size.
pub(super) fn break_cycles(models: &mut [Model]) {
    name_recursive_aliases(models);
    let inline: Vec<Vec<ModelId>> = models.iter().map(inline_members).collect();
    for index in 0..models.len() {
        let reaches = |ty: &Type| {
            inline_model(ty)
                .is_some_and(|start| reachable(&inline, start).contains(&ModelId(index)))
        };
        let Some(model) = models.get_mut(index) else {
            continue;
        };
        match &mut model.shape {
            Shape::Struct { fields, .. } => {
                fields
                    .iter_mut()
                    .for_each(|field| field.boxed = reaches(&field.ty));
            }
            Shape::Union(union) => {
                union
                    .variants
                    .iter_mut()
                    .for_each(|variant| variant.boxed = reaches(&variant.ty));
            }
            _ => {}
        }
    }
}

/// An alias that leads back to itself through aliases alone cannot be written as one.
fn name_recursive_aliases(models: &mut [Model]) {
    let through: Vec<Vec<ModelId>> = models
        .iter()
        .map(|model| match &model.shape {
            Shape::Alias(ty) => all_models(ty),
            _ => Vec::new(),
        })
        .collect();
    for (index, model) in models.iter_mut().enumerate() {
        if let Shape::Alias(ty) = &model.shape {
            let own = ModelId(index);
            if all_models(ty)
                .iter()
                .any(|start| reachable(&through, *start).contains(&own))
            {
                model.shape = Shape::Newtype(ty.clone());
            }
        }
    }
}

/// The models that one leads to, itself included.
pub(super) fn reachable(edges: &[Vec<ModelId>], start: ModelId) -> BTreeSet<ModelId> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            open.extend(edges.get(next.0).into_iter().flatten());
        }
    }
    seen
}

/// The models that each model is made of, at any place in its values.
pub(super) fn parts(models: &[Model]) -> Vec<Vec<ModelId>> {
    let parts = models.iter().map(|model| match &model.shape {
        Shape::Struct { fields, extra } => {
            let extra = match extra {
                Extra::Kept { ty, .. } => all_models(ty),
                _ => Vec::new(),
            };
            let fields = fields.iter().flat_map(|field| all_models(&field.ty));
            fields.chain(extra).collect()
        }
        Shape::Union(union) => {
            let variants = union.variants.iter();
            variants
                .flat_map(|variant| all_models(&variant.ty))
                .collect()
        }
        Shape::Alias(ty) | Shape::Newtype(ty) => all_models(ty),
        Shape::Enum(_) | Shape::Constant(_) => Vec::new(),
    });
    parts.collect()
}

/// The models that a value holds in place, not behind a `Vec` or a map.
fn inline_members(model: &Model) -> Vec<ModelId> {
    match &model.shape {
        Shape::Struct { fields, .. } => fields
            .iter()
            .filter_map(|field| inline_model(&field.ty))
            .collect(),
        Shape::Union(union) => union
            .variants
            .iter()
            .filter_map(|variant| inline_model(&variant.ty))
            .collect(),
        Shape::Alias(ty) | Shape::Newtype(ty) => inline_model(ty).into_iter().collect(),
        Shape::Enum(_) | Shape::Constant(_) => Vec::new(),
    }
}

fn inline_model(ty: &Type) -> Option<ModelId> {
    match &ty.kind {
        Kind::Model(id) => Some(*id),
        Kind::Nullable(inner) => inline_model(inner),
        _ => None,
    }
}

pub(super) fn all_models(ty: &Type) -> Vec<ModelId> {
    match &ty.kind {
        Kind::Model(id) => vec![*id],
        Kind::Nullable(inner) | Kind::Array(inner) | Kind::Map(inner) => all_models(inner),
        _ => Vec::new(),
    }
}
