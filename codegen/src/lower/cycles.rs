//! Types that contain themselves: adds boxes, and makes newtypes of aliases.

use crate::ir::{Extra, Model, ModelId, ModelShape, Type, TypeKind};

/// Boxes the fields and variants through which a type would have infinite size.
pub(super) fn break_cycles(models: &mut [Model]) {
    name_recursive_aliases(models);
    let edges: Vec<Vec<ModelId>> = models.iter().map(inline_members).collect();
    let circles = Circles::of(&edges);
    for (index, model) in models.iter_mut().enumerate() {
        let leads_back =
            |ty: &Type| inline_model(ty).is_some_and(|to| circles.have(ModelId(index), to));
        match &mut model.shape {
            ModelShape::Struct { fields, .. } => {
                fields
                    .iter_mut()
                    .for_each(|field| field.boxed = leads_back(&field.ty));
            }
            ModelShape::Union(union) => {
                union
                    .variants
                    .iter_mut()
                    .for_each(|variant| variant.boxed = leads_back(&variant.ty));
            }
            _ => {}
        }
    }
}

/// Makes a newtype of an alias that leads back to itself through aliases alone.
fn name_recursive_aliases(models: &mut [Model]) {
    let through = models.iter().map(|model| match &model.shape {
        ModelShape::Alias(ty) => all_models(ty),
        _ => Vec::new(),
    });
    let circles = Circles::of(&through.collect::<Vec<_>>());
    for (index, model) in models.iter_mut().enumerate() {
        if let ModelShape::Alias(ty) = &model.shape
            && all_models(ty)
                .iter()
                .any(|to| circles.have(ModelId(index), *to))
        {
            model.shape = ModelShape::Newtype(ty.clone());
        }
    }
}

/// The strongly connected components of models, found in linear time (Kosaraju).
pub(super) struct Circles(Vec<usize>);

impl Circles {
    /// The strongly connected components of a graph, given by the successors of each model.
    pub(super) fn of(edges: &[Vec<ModelId>]) -> Circles {
        let mut reverse = vec![Vec::new(); edges.len()];
        for (from, to) in edges.iter().enumerate() {
            for to in to {
                if let Some(back) = reverse.get_mut(to.0) {
                    back.push(ModelId(from));
                }
            }
        }
        let mut order = Vec::new();
        let mut seen = vec![false; edges.len()];
        for start in 0..edges.len() {
            walk(edges, ModelId(start), &mut seen, &mut order);
        }
        let mut circles = vec![0; edges.len()];
        let mut seen = vec![false; edges.len()];
        for (number, start) in order.into_iter().rev().enumerate() {
            let mut circle = Vec::new();
            walk(&reverse, start, &mut seen, &mut circle);
            for id in circle {
                if let Some(own) = circles.get_mut(id.0) {
                    *own = number;
                }
            }
        }
        Circles(circles)
    }

    /// Whether a model and its successor are in the same component.
    pub(super) fn have(&self, from: ModelId, to: ModelId) -> bool {
        self.0.get(from.0) == self.0.get(to.0)
    }
}

/// Adds the unvisited models that can be reached, each after its successors.
fn walk(edges: &[Vec<ModelId>], start: ModelId, seen: &mut [bool], order: &mut Vec<ModelId>) {
    let mut enter = |id: ModelId| {
        seen.get_mut(id.0)
            .is_some_and(|seen| !std::mem::replace(seen, true))
    };
    if !enter(start) {
        return;
    }
    let mut open = vec![(start, edges.get(start.0).into_iter().flatten())];
    while let Some((id, rest)) = open.last_mut() {
        match rest.next() {
            Some(next) if enter(*next) => {
                open.push((*next, edges.get(next.0).into_iter().flatten()));
            }
            Some(_) => {}
            None => {
                order.push(*id);
                open.pop();
            }
        }
    }
}

/// The models that each model contains anywhere in its values.
pub(super) fn parts(models: &[Model]) -> Vec<Vec<ModelId>> {
    let parts = models.iter().map(|model| match &model.shape {
        ModelShape::Struct { fields, extra, .. } => {
            let extra = match extra {
                Extra::Kept { ty, .. } => all_models(ty),
                _ => Vec::new(),
            };
            let fields = fields.iter().flat_map(|field| all_models(&field.ty));
            fields.chain(extra).collect()
        }
        ModelShape::Union(union) => {
            let variants = union.variants.iter();
            variants
                .flat_map(|variant| all_models(&variant.ty))
                .collect()
        }
        ModelShape::Alias(ty) | ModelShape::Newtype(ty) => all_models(ty),
        ModelShape::Own { .. }
        | ModelShape::Enum(_)
        | ModelShape::IntegerEnum(_)
        | ModelShape::Constant(_) => Vec::new(),
    });
    parts.collect()
}

/// The models that a value contains inline, not behind a `Vec` or a map.
fn inline_members(model: &Model) -> Vec<ModelId> {
    match &model.shape {
        ModelShape::Struct { fields, .. } => fields
            .iter()
            .filter_map(|field| inline_model(&field.ty))
            .collect(),
        ModelShape::Union(union) => union
            .variants
            .iter()
            .filter_map(|variant| inline_model(&variant.ty))
            .collect(),
        ModelShape::Alias(ty) | ModelShape::Newtype(ty) => inline_model(ty).into_iter().collect(),
        ModelShape::Own { .. }
        | ModelShape::Enum(_)
        | ModelShape::IntegerEnum(_)
        | ModelShape::Constant(_) => Vec::new(),
    }
}

fn inline_model(ty: &Type) -> Option<ModelId> {
    match &ty.kind {
        TypeKind::Model(id) => Some(*id),
        TypeKind::Nullable(inner) => inline_model(inner),
        _ => None,
    }
}

pub(super) fn all_models(ty: &Type) -> Vec<ModelId> {
    match &ty.kind {
        TypeKind::Model(id) => vec![*id],
        TypeKind::Nullable(inner) | TypeKind::Array(inner) | TypeKind::Map(inner) => {
            all_models(inner)
        }
        _ => Vec::new(),
    }
}
