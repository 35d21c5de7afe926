//! Fields of forms: their content, media types and headers (OpenAPI 3.1.1 §4.8.15).
//! Parts have no witness, so that a change is at most [`Severity::Possible`].

use super::Message;
use super::parameters::Fields;
use crate::comparison::Comparison;
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::version::{covers, essence};
use crate::wire::{Declared, Field, Param, encoding, style_phrase};
use codegen::openapi::{Media, Style};

/// Compares how the fields of a form are sent. The form is a body or a query string.
pub(super) fn compare<'a>(
    comparison: &mut Comparison<'a>,
    pair: &OperationPair<'a>,
    (old, new): (&'a Media, &'a Media),
    place: &str,
) {
    let fields = (comparison.before.fields(old), comparison.after.fields(new));
    let (Some(old_fields), Some(new_fields)) = fields else {
        return;
    };
    for (name, (old_field, new_field)) in old_fields
        .0
        .iter()
        .filter_map(|(name, field)| Some((name, (field, new_fields.0.get(name)?))))
    {
        headers(comparison, pair, (old, new), name);
        let old_form = FieldForm::of(old, name, *old_field);
        let new_form = FieldForm::of(new, name, *new_field);
        if old_form == new_form {
            continue;
        }
        let severity = Severity::possible_if(!new_form.includes(&old_form));
        let (was, is) = (old_form.phrase(), new_form.phrase());
        let message = format!("`{name}` was {was} and is now {is}");
        let scope = Scope::new(&pair.name, place);
        comparison
            .changes
            .add_unproven(&scope, severity, "request-body-part", message);
    }
}

/// How a field is written.
#[derive(PartialEq, Eq)]
struct FieldForm {
    field: Field,
    style: Option<String>,
    /// The media types that it may have; `None` for any.
    types: Option<Vec<String>>,
}

impl FieldForm {
    fn of(media: &Media, name: &str, declared: Declared) -> FieldForm {
        let encoding = encoding(media, name);
        let style = encoding.and_then(|one| one.style);
        let types = encoding.filter(|_| style.is_none());
        let types = types.and_then(|one| one.content_type.as_ref());
        // `form` with `explode` is also the default for lists, and a text is the same in every style.
        let is_usual = style == Some((Style::Form, true)) && !declared.is_object;
        let has_parts = declared.is_list || declared.is_object;
        let style = style.filter(|_| has_parts && !is_usual);
        FieldForm {
            field: declared.field,
            style: style.map(|(style, explode)| style_phrase(style, explode)),
            types: types.map(|types| types.split(',').map(essence).collect()),
        }
    }

    /// Whether it accepts every form of `other`.
    fn includes(&self, other: &FieldForm) -> bool {
        let takes = |sent: &String| {
            let mut taken = self.types.iter().flatten();
            taken.any(|one| one == sent || covers(one, sent))
        };
        let are_taken = match (&self.types, &other.types) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(_), Some(sent)) => sent.iter().all(takes),
        };
        self.field == other.field && self.style == other.style && are_taken
    }

    fn phrase(&self) -> String {
        let field = match self.field {
            Field::Text => "text",
            Field::Json => "JSON",
            Field::File => "a file",
        };
        let style = self.style.iter().map(|style| format!("in {style}"));
        let types = self
            .types
            .iter()
            .map(|types| format!("of type {}", types.join(", ")));
        let parts = [field.to_owned()].into_iter().chain(style).chain(types);
        parts.collect::<Vec<_>>().join(" ")
    }
}

/// Compares the headers of a field's parts.
fn headers<'a>(
    comparison: &mut Comparison<'a>,
    pair: &OperationPair<'a>,
    (old, new): (&'a Media, &'a Media),
    field: &str,
) {
    let declared = |media: &'a Media| -> Vec<Param<'a>> {
        let headers = encoding(media, field).map_or(&[][..], |own| &own.headers);
        headers.iter().map(Param::from).collect()
    };
    let fields = Fields {
        message: Message {
            direction: pair.direction(),
            operation: &pair.name,
            kind: "request-body-part-header",
        },
        place: &|header| format!("header `{}` of `{field}` in the request body", header.name),
        are_same: &|old, new| new.is_at(old.location, old.name),
        line: &|header, value| {
            let (line, name) = (pair.line().text(), header.name);
            match value {
                Some(value) => format!("{line} ({field}: {name}: {})", header.write(value)),
                None => format!("{line} ({field}: without {name})"),
            }
        },
        arrives: &|_, _| true,
    };
    fields.compare(comparison, &declared(old), &declared(new));
}
