//! Runtime expressions (OpenAPI 3.1.1 §4.8.20.4) that refer to an operation's request, in the URLs
//! of callbacks and in links.

use crate::ir::{Argument, Content, Media, Name, Operation, Type, TypeKind};
use crate::openapi::ParamLocation;

/// The part of the request that `source` names: the argument, its field, and a JSON pointer inside.
/// A parameter that is not declared is a text.
pub(super) fn of_request<'t>(
    owner: Option<&Operation>,
    source: &'t str,
) -> Option<(Argument, Option<Name>, &'t str)> {
    if let Some(pointer) = body(source) {
        let body = owner.and_then(|owner| owner.body.as_ref());
        let ty = whole(body.map(|body| body.media.as_slice()).unwrap_or_default());
        return Some((Argument::Value(Name::of("body"), ty), None, pointer));
    }
    let (place, name) = source
        .split_once('.')
        .filter(|(_, name)| !name.is_empty())?;
    let place = ParamLocation::named(place)?;
    let named = |wire: &str| place.is_named(wire, name);
    let mut path = owner.iter().flat_map(|owner| &owner.path_params);
    let mut others = owner.iter().flat_map(|owner| &owner.params);
    if let Some(param) = path.find(|param| param.place == place && named(&param.field.wire)) {
        let field = &param.field;
        let given = Argument::Value(field.name.clone(), field.ty.clone());
        return Some((given, None, ""));
    }
    if let Some(param) = others.find(|param| param.place == place && named(&param.field.wire)) {
        return Some((Argument::Params, Some(param.field.name.clone()), ""));
    }
    let text = Name::of(&format!("request {source}"));
    Some((Argument::Text(text), None, ""))
}

/// The pointer in `body` or `body#/pointer`.
pub(super) fn body(source: &str) -> Option<&str> {
    match source.strip_prefix("body")? {
        "" => Some(""),
        rest => rest
            .strip_prefix('#')
            .filter(|p| p.is_empty() || p.starts_with('/')),
    }
}

/// The type of a body that is JSON, a form or a text; any value where it may be something else.
pub(super) fn whole(media: &[Media]) -> Type {
    match media {
        [
            Media {
                content: Content::Json(ty, _) | Content::Form(ty, ..) | Content::Scalar(ty, _),
                ..
            },
        ] => ty.clone(),
        [
            Media {
                content: Content::Text,
                ..
            },
        ] => Type::of(TypeKind::String),
        _ => Type::of(TypeKind::Json),
    }
}
