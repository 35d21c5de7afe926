//! `application/x-www-form-urlencoded`: the fields that are written like query parameters (OpenAPI
//! 3.1.1 §4.8.15.1.2), or as JSON (§4.8.15.1.1).

use super::forms::{UNNAMED_FIELDS, is_text};
use super::models::Models;
use super::style_types;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Extra, Field, ModelShape, ParamShape, Styled, Type, TypeKind};
use crate::openapi::{Encoding, Style};

/// The fields of a form of type `ty` that are not plain pairs of their names.
pub(super) fn styled(models: &mut Models<'_>, encodings: &[Encoding], ty: &Type) -> Vec<Styled> {
    let mut styled: Vec<Styled> = Vec::new();
    for encoding in encodings {
        if let Some(ty) = fields(models, ty).and_then(|all| Some(&field(all, &encoding.field)?.ty))
        {
            let (style, ty) = (encoding.style.map(|(style, _)| style), ty.clone());
            style_types::check_field(models, style, &encoding.at, &ty);
        }
        let Some(style) = encoding.one_text() else {
            if encoding.style == Some((Style::Form, true)) {
                spread(models, encoding, ty, &mut styled);
            }
            continue;
        };
        let refused = match fields(models, ty).map(|fields| field(fields, &encoding.field)) {
            // The form has no such field.
            Some(None) => continue,
            Some(Some(field)) => match shape(models, &field.ty, style) {
                Some(ParamShape::Scalar) if style != Style::Json => continue,
                Some(shape) => {
                    styled.push(Styled {
                        wire: encoding.field.clone(),
                        style,
                        explode: false,
                        shape,
                    });
                    continue;
                }
                None => "only a list or an object of plain values can be one text",
            },
            None => UNNAMED_FIELDS,
        };
        let fallback = "the field is pairs, `a=1&a=2` or `a[b]=1`";
        models.diagnostics.recover(
            Diagnostic::new(Code::Unsupported, &encoding.at, refused),
            fallback,
        );
    }
    bracketed(models, ty, &mut styled);
    styled
}

/// Adds an object whose members are pairs beside the form's other fields: `style: form`, exploded.
fn spread(models: &mut Models<'_>, encoding: &Encoding, ty: &Type, styled: &mut Vec<Styled>) {
    let refused = match fields(models, ty) {
        None => UNNAMED_FIELDS.to_owned(),
        Some(all) => match beside(models, encoding, all, styled) {
            Ok(names) => {
                let shape = names.map(ParamShape::Object);
                styled.extend(shape.map(|shape| Styled {
                    wire: encoding.field.clone(),
                    style: Style::Form,
                    explode: true,
                    shape,
                }));
                return;
            }
            Err(refused) => refused,
        },
    };
    let fallback = "the field is `a[b]=1`";
    let diagnostics = &mut models.diagnostics;
    diagnostics.recover(
        Diagnostic::new(Code::Unsupported, &encoding.at, refused),
        fallback,
    );
}

/// The names of an object's members if they can be pairs beside the other fields, or why not;
/// `None` where the field is no object.
fn beside(
    models: &Models<'_>,
    encoding: &Encoding,
    all: &[Field],
    styled: &[Styled],
) -> Result<Option<Vec<String>>, String> {
    let Some(own) = field(all, &encoding.field) else {
        return Ok(None);
    };
    let Some(names) = members(models, &own.ty)? else {
        return Ok(None);
    };
    let taken = |name: &String| {
        let spread = styled.iter().any(|other| match &other.shape {
            ParamShape::Object(names) => other.explode && names.contains(name),
            _ => false,
        });
        spread || field(all, name).is_some()
    };
    match names.iter().find(|name| taken(name)) {
        Some(name) => Err(twice(name)),
        None => Ok(Some(names)),
    }
}

/// The reason why a member cannot be a pair beside the other fields.
pub(super) fn twice(name: &str) -> String {
    format!("`{name}` would be the name of two fields of the form")
}

/// The names of an object's members that can be pairs beside other fields, or why they cannot;
/// `None` for a type that is no object.
pub(super) fn members(models: &Models<'_>, ty: &Type) -> Result<Option<Vec<String>>, &'static str> {
    match shape(models, ty, Style::Form) {
        Some(ParamShape::Object(names)) if !keeps_others(models, ty) => Ok(Some(names)),
        Some(ParamShape::Scalar | ParamShape::Array) => Ok(None),
        _ => Err("only members that are named, and plain values, can stand beside other fields"),
    }
}

/// Whether a struct has members that are not named.
fn keeps_others(models: &Models<'_>, ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Nullable(inner) => keeps_others(models, inner),
        TypeKind::Model(id) => match models.shape_of(*id) {
            Some(ModelShape::Struct { extra, .. }) => matches!(extra, Extra::Kept { .. }),
            Some(ModelShape::Alias(inner)) => keeps_others(models, inner),
            _ => false,
        },
        _ => false,
    }
}

/// Adds the fields whose own names end in brackets, such as `ids[]`: their pairs have just these
/// names.
fn bracketed(models: &Models<'_>, ty: &Type, styled: &mut Vec<Styled>) {
    let fields = fields(models, ty).into_iter().flatten();
    for field in fields.filter(|field| field.wire.contains('[')) {
        if styled.iter().any(|known| known.wire == field.wire) {
            continue;
        }
        match shape(models, &field.ty, Style::Form) {
            // The brackets of an object's members come after these.
            Some(ParamShape::Object(_)) | None => {}
            Some(shape) => styled.push(Styled {
                wire: field.wire.clone(),
                style: Style::Form,
                explode: true,
                shape,
            }),
        }
    }
}

/// How many texts a value consists of, unless it is nested.
pub(super) fn shape(models: &Models<'_>, ty: &Type, style: Style) -> Option<ParamShape> {
    if style == Style::Json {
        return Some(ParamShape::Scalar);
    }
    let shape = models.param_shape(ty);
    let plain = match (&shape, fields(models, ty)) {
        (ParamShape::Object(_), Some(fields)) => {
            fields.iter().all(|field| is_text(models, &field.ty, 1))
        }
        (ParamShape::Object(_), None) => false,
        (ParamShape::Array, _) => is_text(models, ty, 0),
        (ParamShape::Scalar, _) => is_text(models, ty, 1),
        // Only pairs of a form can be a text or a list.
        (ParamShape::AnyOf(_), _) => false,
    };
    plain.then_some(shape)
}

/// The members of an object; `None` for a type that is no object, or not only one.
fn fields<'m>(models: &'m Models<'_>, ty: &Type) -> Option<&'m [Field]> {
    match &ty.kind {
        TypeKind::Nullable(inner) => fields(models, inner),
        TypeKind::Model(id) => match models.shape_of(*id)? {
            ModelShape::Struct { fields, .. } => Some(fields),
            ModelShape::Alias(inner) => fields(models, inner),
            _ => None,
        },
        _ => None,
    }
}

fn field<'f>(fields: &'f [Field], wire: &str) -> Option<&'f Field> {
    fields.iter().find(|field| field.wire == wire)
}
