//! Components and their read and write variants: all are named before any is lowered.

use super::{Models, doc_of};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Model, ModelId, ModelShape, Name, Type, TypeKind};
use crate::schema::{self, Schema};
use std::collections::BTreeSet;

impl<'a> Models<'a> {
    /// Names every component before lowering one, so that the order of references does not matter.
    pub(in crate::lower) fn lower_components(&mut self) {
        for key in self.bundle.components() {
            self.reserve(key, key);
        }
        for key in self.bundle.components() {
            self.filled.clone_from(key);
            self.fill(key);
        }
        // Variants come after all other types, including those inside components, so that they take
        // no other type's name: whether a variant exists depends on the operations.
        for key in self.bundle.read_write_variants() {
            if !self.by_key.contains_key(key) {
                self.reserve(key, key);
            }
        }
        self.in_variant = true;
        for key in self.bundle.read_write_variants() {
            let other = self.bundle.key_at(&self.bundle.place(key));
            self.filled = other.cloned().unwrap_or_default();
            self.fill(key);
        }
        self.in_variant = false;
        self.filled.clear();
    }

    /// The components that have a read or write variant, with that.
    pub(in crate::lower) fn read_write_pairs(&self) -> Vec<(ModelId, ModelId)> {
        let variants = self.bundle.read_write_variants().iter();
        let pairs = variants.filter_map(|key| {
            let component = self.bundle.component_of(key);
            Some((*self.by_key.get(component)?, *self.by_key.get(key)?))
        });
        pairs.collect()
    }

    pub(super) fn reserve(&mut self, key: &str, wanted: &str) -> ModelId {
        let id = ModelId(self.models.len());
        let name = self.names.claim(Name::of(wanted));
        self.by_key.insert(key.to_owned(), id);
        // A placeholder until `fill`; a cycle only needs the id.
        let shape = ModelShape::Alias(Type::of(TypeKind::Json));
        self.models.push(Model {
            name,
            doc: String::new(),
            schema: key.to_owned(),
            shape,
        });
        id
    }

    pub(super) fn fill(&mut self, key: &str) {
        let Some(id) = self.by_key.get(key).copied() else {
            return;
        };
        let Some(value) = self.bundle.get(key) else {
            return;
        };
        let schema = schema::parse(value, &self.bundle.place(key), self.diagnostics);
        let name = self
            .models
            .get(id.0)
            .map(|model| model.name.clone())
            .unwrap_or_default();
        let doc = doc_of(&schema);
        let shape = if self.bundle.is_dynamic(key) {
            ModelShape::Alias(self.dynamic(key))
        } else {
            self.shape(&schema, name.snake())
        };
        let shape = self.grounded(id, shape, &schema);
        if let Some(model) = self.models.get_mut(id.0) {
            model.doc = doc;
            model.shape = shape;
        }
    }

    /// A shape; a checked JSON value, if the model would contain itself in place, without a step
    /// into the value.
    pub(super) fn grounded(
        &mut self,
        id: ModelId,
        shape: ModelShape,
        schema: &Schema<'a>,
    ) -> ModelShape {
        let Schema::Keywords(k) = schema else {
            return shape;
        };
        let mut seen = BTreeSet::new();
        let mut open = shape.held_models();
        while let Some(next) = open.pop() {
            if next == id {
                let message = "this schema leads back to itself without a step into the value";
                let fallback = "its values are kept as JSON";
                let code = Code::CircularReference;
                self.diagnostics
                    .recover(Diagnostic::new(code, &k.at, message), fallback);
                return ModelShape::Alias(self.checked(k));
            }
            if seen.insert(next) {
                open.extend(
                    self.shape_of(next)
                        .map(ModelShape::held_models)
                        .unwrap_or_default(),
                );
            }
        }
        shape
    }
}
