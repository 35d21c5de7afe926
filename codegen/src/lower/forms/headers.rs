//! The headers of parts (OpenAPI 3.1.1 §4.8.15.1), which are written as parameters in headers are.

use super::{Lowering, is_scalar};
use crate::ir::{FieldContent, ModelShape, Name, PartHeaders, Type, TypeKind};
use crate::lower::models::Models;
use crate::lower::params;
use crate::names::Scope;
use crate::openapi::Encoding;

impl Lowering<'_, '_> {
    /// The declared headers of a field's parts, if any.
    pub(super) fn headers(
        &mut self,
        encoding: &Encoding,
        content: &FieldContent,
    ) -> Option<PartHeaders> {
        let hint = format!("{} {}", self.name, encoding.field);
        let is_list = is_several(self.models, content);
        of(self.models, self.types, encoding, (&hint, is_list))
    }
}

/// The declared headers of parts, if any, with `types` as the scope of type names; whether a value is
/// several parts.
pub(in crate::lower) fn of(
    models: &mut Models<'_>,
    types: &mut Scope,
    encoding: &Encoding,
    (hint, is_list): (&str, bool),
) -> Option<PartHeaders> {
    if encoding.headers.is_empty() {
        return None;
    }
    let mut scope = Scope::default();
    let headers = encoding.headers.iter();
    let params = headers.map(|header| {
        let hint = format!("{hint} {}", header.name);
        params::lowered(models, header, &hint, &mut scope)
    });
    Some(PartHeaders {
        params: params.collect(),
        name: types.claim(Name::of(&format!("{hint} headers"))),
        is_list,
    })
}

/// Whether one value is several parts, one for each of its texts or items.
fn is_several(models: &Models<'_>, content: &FieldContent) -> bool {
    match content {
        FieldContent::Text(ty, _) => !is_scalar(models, ty),
        FieldContent::Json(ty, _) => !is_scalar(models, ty) && !is_object(models, ty),
        FieldContent::Spread(..) => true,
        FieldContent::Delimited(..) | FieldContent::File(_) | FieldContent::Files { .. } => false,
    }
}

/// Whether a type is an object, which is one part of JSON.
fn is_object(models: &Models<'_>, ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Map(_) => true,
        TypeKind::Nullable(inner) => is_object(models, inner),
        TypeKind::Model(id) => match models.shape_of(*id) {
            Some(ModelShape::Struct { .. }) => true,
            Some(ModelShape::Alias(inner) | ModelShape::Newtype(inner)) => is_object(models, inner),
            Some(ModelShape::Union(union)) => {
                let mut variants = union.variants.iter();
                variants.all(|variant| is_object(models, &variant.ty))
            }
            _ => false,
        },
        _ => false,
    }
}
