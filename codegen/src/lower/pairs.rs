//! `application/x-www-form-urlencoded`: the fields that are written like parameters of a query
//! (OpenAPI 3.1.1 §4.8.15.1.2), or as JSON (§4.8.15.1.1).

use super::forms::is_text;
use super::models::Models;
use crate::diagnostic::Code;
use crate::document::{self, Encoding, Style};
use crate::ir::{Extra, Field, Kind, Layout, Shape, Styled, Type};

/// The fields of a form of type `ty` that are not just the pairs of their names.
pub(super) fn styled(models: &mut Models<'_>, media: &document::Media, ty: &Type) -> Vec<Styled> {
    let mut found: Vec<Styled> = Vec::new();
    for encoding in &media.encoding {
        let Some(style) = encoding.one_text() else {
            if encoding.style == Some((Style::Form, true)) {
                spread(models, encoding, ty, &mut found);
            }
            continue;
        };
        let refused = match fields(models, ty).map(|fields| field(fields, &encoding.field)) {
            // It is of no property.
            Some(None) => continue,
            Some(Some(field)) => match layout(models, &field.ty, style) {
                Some(Layout::Scalar) if style != Style::Json => continue,
                Some(layout) => {
                    found.push(Styled {
                        wire: encoding.field.clone(),
                        style,
                        explode: false,
                        layout,
                    });
                    continue;
                }
                None => "only a list or an object of plain values can be one text",
            },
            None => "the fields of a form are known by an object's `properties`",
        };
        let instead = "the field is pairs, `a=1&a=2` or `a[b]=1`";
        models
            .found
            .mended(Code::Unsupported, &encoding.at, refused, instead);
    }
    bracketed(models, ty, &mut found);
    found
}

/// Adds an object whose members stand beside the form's other fields: `style: form`, exploded.
fn spread(models: &mut Models<'_>, encoding: &Encoding, ty: &Type, found: &mut Vec<Styled>) {
    let refused = match fields(models, ty) {
        None => "the fields of a form are known by an object's `properties`".to_owned(),
        Some(all) => match beside(models, encoding, all, found) {
            Ok(names) => {
                let layout = names.map(Layout::Object);
                found.extend(layout.map(|layout| Styled {
                    wire: encoding.field.clone(),
                    style: Style::Form,
                    explode: true,
                    layout,
                }));
                return;
            }
            Err(refused) => refused,
        },
    };
    let instead = "the field is `a[b]=1`";
    let found = &mut models.found;
    found.mended(Code::Unsupported, &encoding.at, refused, instead);
}

/// The names of an object's members where they can stand beside the other fields, or why not; none
/// where the field is no object.
fn beside(
    models: &Models<'_>,
    encoding: &Encoding,
    all: &[Field],
    found: &[Styled],
) -> Result<Option<Vec<String>>, String> {
    let Some(own) = field(all, &encoding.field) else {
        return Ok(None);
    };
    let Some(names) = members(models, &own.ty)? else {
        return Ok(None);
    };
    let taken = |name: &String| {
        let spread = found.iter().any(|other| match &other.layout {
            Layout::Object(names) => other.explode && names.contains(name),
            _ => false,
        });
        spread || field(all, name).is_some()
    };
    match names.iter().find(|name| taken(name)) {
        Some(name) => Err(twice(name)),
        None => Ok(Some(names)),
    }
}

/// Says of a member that it cannot stand beside the other fields.
pub(super) fn twice(name: &str) -> String {
    format!("`{name}` would be the name of two fields of the form")
}

/// The names of an object's members that can stand beside other fields, or why they cannot; none for
/// what is no object.
pub(super) fn members(models: &Models<'_>, ty: &Type) -> Result<Option<Vec<String>>, &'static str> {
    match layout(models, ty, Style::Form) {
        Some(Layout::Object(names)) if !keeps_others(models, ty) => Ok(Some(names)),
        Some(Layout::Scalar | Layout::Array) => Ok(None),
        _ => Err("only members that are named, and plain values, can stand beside other fields"),
    }
}

/// Whether a struct has members that are not named.
fn keeps_others(models: &Models<'_>, ty: &Type) -> bool {
    match &ty.kind {
        Kind::Nullable(inner) => keeps_others(models, inner),
        Kind::Model(id) => match models.shape_of(*id) {
            Some(Shape::Struct { extra, .. }) => matches!(extra, Extra::Kept { .. }),
            Some(Shape::Alias(inner)) => keeps_others(models, inner),
            _ => false,
        },
        _ => false,
    }
}

/// Adds the fields whose names have brackets of their own, such as `ids[]`: their texts stand under
/// just these names.
fn bracketed(models: &Models<'_>, ty: &Type, found: &mut Vec<Styled>) {
    let fields = fields(models, ty).into_iter().flatten();
    for field in fields.filter(|field| field.wire.contains('[')) {
        if found.iter().any(|known| known.wire == field.wire) {
            continue;
        }
        match layout(models, &field.ty, Style::Form) {
            // Objects have their brackets behind these.
            Some(Layout::Object(_)) | None => {}
            Some(layout) => found.push(Styled {
                wire: field.wire.clone(),
                style: Style::Form,
                explode: true,
                layout,
            }),
        }
    }
}

/// How many texts a value is made of, where there are no others within them.
pub(super) fn layout(models: &Models<'_>, ty: &Type, style: Style) -> Option<Layout> {
    if style == Style::Json {
        return Some(Layout::Scalar);
    }
    let layout = models.layout(ty);
    let plain = match (&layout, fields(models, ty)) {
        (Layout::Object(_), Some(fields)) => {
            fields.iter().all(|field| is_text(models, &field.ty, 1))
        }
        (Layout::Object(_), None) => false,
        (Layout::Array, _) => is_text(models, ty, 0),
        (Layout::Scalar, _) => is_text(models, ty, 1),
        // Of a form's fields, only pairs are read as one or the other.
        (Layout::AnyOf(_), _) => false,
    };
    plain.then_some(layout)
}

/// The members of an object; `None` for what is not one, or not only one.
fn fields<'m>(models: &'m Models<'_>, ty: &Type) -> Option<&'m [Field]> {
    match &ty.kind {
        Kind::Nullable(inner) => fields(models, inner),
        Kind::Model(id) => match models.shape_of(*id)? {
            Shape::Struct { fields, .. } => Some(fields),
            Shape::Alias(inner) => fields(models, inner),
            _ => None,
        },
        _ => None,
    }
}

fn field<'f>(fields: &'f [Field], wire: &str) -> Option<&'f Field> {
    fields.iter().find(|field| field.wire == wire)
}
