//! Checks that the style of a parameter can write its values (OpenAPI 3.1.1 §4.8.12.3).

use super::models::Models;
use super::sequences::parsed;
use super::variant_types;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{ParamShape, Type, TypeKind};
use crate::openapi::{Parameter, Style};
use crate::schema::JsonType;
use crate::source::Pointer;

/// The fallback for a style that cannot write such a value.
const FALLBACK: &str = "the value is written all the same";

/// Reports a parameter whose style does not go with its values.
pub(super) fn check(models: &mut Models<'_>, parameter: &Parameter, shape: &ParamShape) {
    let Some(message) = mismatch(parameter.style, shape) else {
        return;
    };
    let schema = parsed(models, &parameter.schema);
    let types = variant_types::types_of(models, &schema);
    // A schema without a type may describe lists and objects.
    if !JsonType::ALL.iter().all(|ty| types.contains(ty)) {
        report(models, &parameter.at.child("style"), message);
    }
}

/// The same for the encoding of a form's field.
pub(super) fn check_field(models: &mut Models<'_>, style: Option<Style>, at: &Pointer, ty: &Type) {
    let shape = models.param_shape(ty);
    let message = style.and_then(|style| mismatch(style, &shape));
    if let Some(message) = message.filter(|_| !matches!(ty.kind, TypeKind::Json)) {
        report(models, &at.child("style"), message);
    }
}

fn mismatch(style: Style, shape: &ParamShape) -> Option<&'static str> {
    match style {
        Style::SpaceDelimited | Style::PipeDelimited if *shape == ParamShape::Scalar => {
            Some("this style is for lists and objects")
        }
        Style::DeepObject if !shape.has_object() => Some("this style is for objects"),
        _ => None,
    }
}

fn report(models: &mut Models<'_>, at: &Pointer, message: &str) {
    let problem = Diagnostic::new(Code::InvalidParameter, at, message);
    models.diagnostics.recover(problem, FALLBACK);
}
