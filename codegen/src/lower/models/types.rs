//! How types are put together, and which models a value of one may be.

use crate::document::Key;
use crate::ir::{Kind, ModelId, Rules, Shape, Type};

impl Shape {
    /// The models of which a value of this shape may be one, as it stands.
    pub(super) fn held_models(&self) -> Vec<ModelId> {
        match self {
            Shape::Alias(ty) | Shape::Newtype(ty) => ty.held_model().into_iter().collect(),
            Shape::Union(union) => {
                let types = union.variants.iter().map(|variant| &variant.ty);
                types.filter_map(Type::held_model).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Type {
    /// A type without constraints.
    pub(in crate::lower) fn of(kind: Kind) -> Type {
        Type {
            kind,
            rules: Box::default(),
        }
    }

    /// The model that a value of the type is, if it is not null.
    fn held_model(&self) -> Option<ModelId> {
        match &self.kind {
            Kind::Model(id) => Some(*id),
            Kind::Nullable(inner) => inner.held_model(),
            _ => None,
        }
    }

    /// The type, or null; one that takes null already is as it is.
    pub(in crate::lower) fn nullable(inner: Type) -> Type {
        if matches!(inner.kind, Kind::Nullable(_) | Kind::Json | Kind::Null) {
            return inner;
        }
        Type::of(Kind::Nullable(Box::new(inner)))
    }

    /// A JSON value that is valid against the schema of that key.
    pub(super) fn checked(schema: Key) -> Type {
        Type {
            kind: Kind::Json,
            rules: Box::new(Rules {
                schema: Some(schema),
                ..Rules::default()
            }),
        }
    }
}
