//! Schemas that are merged where they are used, and schemas that several operations share.
//!
//! Merging copies a component's keywords, and its members may contain the very schema that is being
//! merged. So each such schema is lowered once for each place in the document, and a type that
//! contains itself ends in a reference to its own model.

use super::component_name::{self, component_name};
use super::{Lowered, Models};
use crate::ir::{ModelId, ModelShape, Name, Type, TypeKind};
use crate::schema::{Keywords, Schema};
use crate::source::Pointer;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How deep merged schemas are nested; deeper ones stay checked JSON values.
const MAX_DEPTH: usize = 24;

/// The merged schemas, by their place. Merges of merged schemas share a place with others.
#[derive(Default)]
pub(super) struct Inlined<'a> {
    known: BTreeMap<Pointer, Vec<(Cow<'a, Value>, Progress)>>,
    open: usize,
}

#[derive(Clone)]
enum Progress {
    /// It is being lowered, and no reference to it has been seen.
    Begun,
    /// It is being lowered, and contains itself.
    Recursive(ModelId),
    Done(Type),
}

impl<'a> Inlined<'a> {
    fn progress(&mut self, k: &Keywords<'a>) -> Option<&mut Progress> {
        let here = self.known.get_mut(&k.at)?;
        let found = here.iter_mut().find(|(raw, _)| *raw == k.raw);
        found.map(|(_, progress)| progress)
    }

    fn begin(&mut self, k: &Keywords<'a>) {
        let here = self.known.entry(k.at.clone()).or_default();
        here.push((k.raw.clone(), Progress::Begun));
        self.open += 1;
    }

    fn end(&mut self, k: &Keywords<'a>, ty: &Type) {
        self.open -= 1;
        if let Some(progress) = self.progress(k) {
            *progress = Progress::Done(ty.clone());
        }
    }
}

impl<'a> Models<'a> {
    /// Whether a schema has one type for all its uses: it is merged from others, or stands in a
    /// component that several operations may share, or is referred to at its place.
    pub(super) fn is_inlined(&self, k: &Keywords<'a>, hint: &str) -> bool {
        if k.is_joined() {
            return true;
        }
        if self.in_variant || !matches!(k.raw, Cow::Borrowed(_)) {
            return false;
        }
        component_name::is_shared(&k.at)
            || (self
                .bundle
                .key_at(&k.at)
                .is_some_and(|key| key.contains('/'))
                && component_name(&k.at)
                    .is_some_and(|component| Name::of(&component) == Name::of(hint)))
    }

    /// The type of such a schema.
    pub(super) fn inlined(&mut self, k: &Keywords<'a>, hint: &str) -> Type {
        let component = match k.raw {
            Cow::Borrowed(_) if !self.in_variant => component_name(&k.at),
            _ => None,
        };
        let hint = component.as_deref().unwrap_or(hint);
        match self.inlined.progress(k).cloned() {
            Some(Progress::Done(ty)) => return ty,
            Some(Progress::Recursive(id)) => return Type::of(TypeKind::Model(id)),
            Some(Progress::Begun) => return self.recursive(k, hint),
            None if self.inlined.open >= MAX_DEPTH => return self.checked(k),
            None => {}
        }
        self.inlined.begin(k);
        let schema = Schema::Keywords(Box::new(k.clone()));
        let lowered = self.lower_named(&schema, hint);
        let ty = match (self.inlined.progress(k).cloned(), lowered) {
            (Some(Progress::Recursive(id)), lowered) => {
                let shape = match lowered {
                    Lowered::Named(shape) => shape,
                    Lowered::Plain(ty) => ModelShape::Alias(ty),
                };
                let shape = self.grounded(id, shape, &schema);
                if let Some(model) = self.models.get_mut(id.0) {
                    model.shape = shape;
                }
                Type::of(TypeKind::Model(id))
            }
            (_, Lowered::Named(shape)) => self.model(k, hint, shape),
            (_, Lowered::Plain(ty)) => ty,
        };
        self.inlined.end(k, &ty);
        ty
    }

    /// A model for a schema that turns out to contain itself.
    fn recursive(&mut self, k: &Keywords<'a>, hint: &str) -> Type {
        let stand_in = ModelShape::Alias(Type::of(TypeKind::Json));
        let ty = self.model(k, hint, stand_in);
        if let (TypeKind::Model(id), Some(progress)) = (&ty.kind, self.inlined.progress(k)) {
            *progress = Progress::Recursive(*id);
        }
        ty
    }
}
