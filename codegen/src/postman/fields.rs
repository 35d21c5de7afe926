//! The fields of objects.

use crate::ir::{Api, Field, ModelShape, Type, TypeKind};

/// How many aliases are followed to a type; this ends cycles.
const MAX_ALIASES: usize = 16;

/// The fields of an object type; none for other types.
pub(super) fn fields_of<'a>(api: &'a Api, ty: &'a Type) -> &'a [Field] {
    match model_shape(api, ty) {
        Some(ModelShape::Struct { fields, .. }) => fields,
        _ => &[],
    }
}

/// Whether values of a type are strings, numbers or booleans.
pub(super) fn is_scalar(api: &Api, ty: &Type) -> bool {
    match resolve(api, ty).map(|ty| &ty.kind) {
        Some(
            TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Number
            | TypeKind::String
            | TypeKind::Formatted { .. },
        ) => true,
        Some(TypeKind::Model(_)) => matches!(
            model_shape(api, ty),
            Some(ModelShape::Enum(_) | ModelShape::IntegerEnum(_))
        ),
        _ => false,
    }
}

/// The items of an array type.
pub(super) fn items_of<'a>(api: &'a Api, ty: &'a Type) -> Option<&'a Type> {
    match &resolve(api, ty)?.kind {
        TypeKind::Array(items) => Some(items),
        _ => None,
    }
}

fn model_shape<'a>(api: &'a Api, ty: &'a Type) -> Option<&'a ModelShape> {
    let TypeKind::Model(id) = resolve(api, ty)?.kind else {
        return None;
    };
    api.models.get(id.0).map(|model| &model.shape)
}

/// The type behind aliases.
fn resolve<'a>(api: &'a Api, mut ty: &'a Type) -> Option<&'a Type> {
    for _ in 0..MAX_ALIASES {
        let TypeKind::Model(id) = ty.kind else {
            return Some(ty);
        };
        match &api.models.get(id.0)?.shape {
            ModelShape::Alias(inner) | ModelShape::Newtype(inner) => ty = inner,
            _ => return Some(ty),
        }
    }
    None
}
