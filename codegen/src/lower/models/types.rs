//! How types are put together, and which models a value of one may be.

use crate::ir::{ModelId, ModelShape, Rules, Type, TypeKind};
use crate::openapi::Key;

impl ModelShape {
    /// The models of which a value of this shape may be one, as it stands.
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

    /// The model that a value of the type is, if it is not null.
    fn held_model(&self) -> Option<ModelId> {
        match &self.kind {
            TypeKind::Model(id) => Some(*id),
            TypeKind::Nullable(inner) => inner.held_model(),
            _ => None,
        }
    }

    /// The type, or null; one that takes null already is as it is.
    pub(in crate::lower) fn nullable(inner: Type) -> Type {
        if matches!(
            inner.kind,
            TypeKind::Nullable(_) | TypeKind::Json | TypeKind::Null
        ) {
            return inner;
        }
        Type::of(TypeKind::Nullable(Box::new(inner)))
    }

    /// A JSON value that is valid against the schema of that key.
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
