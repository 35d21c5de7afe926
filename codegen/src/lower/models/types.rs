//! Constructors of types, and the models that a value of a type may be.

use crate::ir::{ModelId, ModelShape, Rules, Type, TypeKind};
use crate::openapi::Key;

impl ModelShape {
    /// The models that a value of this shape may be itself.
    pub(super) fn held_models(&self) -> Vec<ModelId> {
        match self {
            ModelShape::Alias(ty) | ModelShape::Newtype(ty) => {
                ty.held_model().into_iter().collect()
            }
            ModelShape::Union(union) => {
                let types = union.variants.iter().map(|variant| &variant.ty);
                types.filter_map(Type::held_model).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Type {
    /// A type without constraints.
    pub(in crate::lower) fn of(kind: TypeKind) -> Type {
        Type {
            kind,
            rules: Box::default(),
        }
    }

    /// The model that a non-null value of the type is.
    fn held_model(&self) -> Option<ModelId> {
        match &self.kind {
            TypeKind::Model(id) => Some(*id),
            TypeKind::Nullable(inner) => inner.held_model(),
            _ => None,
        }
    }

    /// The type, made nullable; one that is nullable already stays as it is.
    pub(in crate::lower) fn nullable(inner: Type) -> Type {
        if matches!(
            inner.kind,
            TypeKind::Nullable(_) | TypeKind::Json | TypeKind::Null
        ) {
            return inner;
        }
        Type::of(TypeKind::Nullable(Box::new(inner)))
    }

    /// A JSON value that is checked against the schema of a key.
    pub(super) fn checked(schema: Key) -> Type {
        Type {
            kind: TypeKind::Json,
            rules: Box::new(Rules {
                schema: Some(schema),
                ..Rules::default()
            }),
        }
    }
}
