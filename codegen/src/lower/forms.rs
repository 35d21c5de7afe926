//! `multipart/form-data`: the fields of a form, and how each is written (OpenAPI 3.1.1 §4.8.15).

use super::gathered;
use super::merge::{self, Merged};
use super::models::{Models, doc_of};
use super::sequences::key_of;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::{self, Encoding, is_json};
use crate::ir::{FieldContent, Form, FormField, Kind, OtherFields, Shape, Type};
use crate::names::{self, Scope};
use crate::schema::{self, JsonType, Keywords, Schema};
use crate::source::Pointer;
use std::collections::BTreeSet;

/// Variables of the function that reads a form.
const RESERVED: &[&str] = &["bytes", "form", "headers", "reader"];

/// Lowers a form to fields; `None` where its schema does not name them, which is reported.
pub(super) fn lower(
    models: &mut Models<'_>,
    media: &document::Media,
    rust: String,
) -> Option<Form> {
    let named = |k: &Keywords<'_>| !k.properties.is_empty() || k.additional.is_some();
    let unnamed = "the fields of a form are known by an object's `properties`".to_owned();
    let (object, whole) = match object(models, media) {
        Some(Ok((object, whole))) if named(&object) => (object, whole),
        found => {
            let (message, help) = match found {
                Some(Err(field)) => (
                    format!(
                        "`{field}` is a file in some alternatives of a form and none in others"
                    ),
                    "let it be a file in each",
                ),
                _ => (unnamed, "name the fields"),
            };
            let problem =
                Diagnostic::new(Code::Unsupported, Severity::Error, &media.at, message).help(help);
            let instead = "the body is a stream of bytes, parts and all";
            models.found.mend(problem, instead);
            return None;
        }
    };
    let (mut members, mut locals) = (Scope::default(), Scope::reserving(RESERVED));
    let anything = Schema::Keywords(Box::default());
    let unnamed = match (&object.additional, others_of(&object)) {
        (Some(never @ Schema::Never), _) => never,
        (_, others) => others.unwrap_or(&anything),
    };
    let named = object
        .properties
        .iter()
        .map(|(wire, schema)| (wire, schema));
    let unnamed = required_alone(&object).map(|wire| (wire, unnamed));
    let fields = named.chain(unnamed).map(|(wire, schema)| {
        let snake = names::snake(wire);
        let encoding = media.encoding.iter().find(|one| one.field == *wire);
        FormField {
            local: locals.claim(snake.clone()),
            rust: members.claim(snake),
            doc: doc_of(schema),
            required: object.required.contains(wire),
            content: written(models, encoding, schema, &format!("{rust} {wire}")),
            wire: wire.clone(),
        }
    });
    let fields = fields.collect();
    let others = match others_of(&object) {
        Some(schema) => OtherFields::Kept {
            rust: members.claim("other_fields".into()),
            local: locals.claim("other_fields".into()),
            content: written(models, None, schema, &format!("{rust} value")),
        },
        None if whole.is_some() && matches!(object.additional, Some(Schema::Always)) => {
            OtherFields::Kept {
                rust: members.claim("other_fields".into()),
                local: locals.claim("other_fields".into()),
                content: FieldContent::Text(Type::of(Kind::Json), key_of(models, &Schema::Always)),
            }
        }
        None if whole.is_none() && matches!(object.additional, Some(Schema::Never)) => {
            OtherFields::Refused
        }
        None => OtherFields::Ignored,
    };
    Some(Form {
        rust,
        fields,
        others,
        whole,
    })
}

/// The fields that a form requires and says nothing else of.
fn required_alone<'k>(form: &'k Keywords<'_>) -> impl Iterator<Item = &'k String> {
    let named = |wire: &String| form.properties.iter().any(|(name, _)| name == wire);
    let alone: BTreeSet<_> = form.required.iter().filter(|wire| !named(wire)).collect();
    alone.into_iter()
}

/// What fields are that a form does not name, where that is anything in particular.
fn others_of<'k, 'a>(form: &'k Keywords<'a>) -> Option<&'k Schema<'a>> {
    let others = form.additional.as_ref();
    others.filter(|schema| match schema {
        Schema::Keywords(k) => {
            let is_file = k.raw.get("contentMediaType").is_some();
            k.constrains() || k.reference.is_some() || is_file
        }
        _ => false,
    })
}

/// The keywords of the form's schema, with those that it refers to; and the key of the schema,
/// where that says more than they do of each field.
///
/// An error is the field of which alternatives disagree whether it is a file.
fn object<'a>(
    models: &mut Models<'a>,
    media: &document::Media,
) -> Option<Result<(Keywords<'a>, Option<String>), String>> {
    let key = media.schema.as_ref()?;
    let at = models.bundle.place(key);
    let schema = schema::parse(models.bundle.get(key)?, &at, models.found);
    let whole = |k| (k, Some(key.clone()));
    Some(match joined(models, &schema) {
        Some(k) if k.min_properties.is_none() && k.max_properties.is_none() => Ok((k, None)),
        Some(k) => Ok(whole(k)),
        None => gathered::gather(models, &schema, &at).map(whole),
    })
}

/// A form's schema as one object, where there is nothing else to it.
fn joined<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> Option<Keywords<'a>> {
    let mut keywords = models.resolved(schema)?;
    if keywords.reference.is_some() || !keywords.all_of.is_empty() {
        keywords = match merge::merge(models, &keywords)? {
            Merged::One(only) => models.resolved(&only)?,
            Merged::Whole(whole) => *whole,
        };
    }
    let plain = keywords.one_of.is_empty() && keywords.any_of.is_empty();
    (plain && keywords.foreign.is_none()).then_some(keywords)
}

/// How the values of a field are written: as its `encoding` says, or as its type suggests.
fn written<'a>(
    models: &mut Models<'a>,
    encoding: Option<&Encoding>,
    schema: &Schema<'a>,
    hint: &str,
) -> FieldContent {
    let content_type = encoding.and_then(|encoding| encoding.content_type.as_deref());
    if let Some(files) = files(models, schema, content_type, &mut BTreeSet::new()) {
        return files;
    }
    let ty = models.lower(schema, hint);
    let key = key_of(models, schema);
    let as_text = match (content_type, encoding) {
        (_, Some(encoding)) if encoding.style.is_some() => true,
        (Some(content_type), _) => !is_json(content_type),
        _ => is_text(models, &ty, 0),
    };
    if as_text {
        FieldContent::Text(ty, key)
    } else {
        FieldContent::Json(ty, key)
    }
}

/// Whether a field holds a file or files, whatever its `encoding` says.
pub(super) fn is_file<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> bool {
    files(models, schema, None, &mut BTreeSet::new()).is_some()
}

/// A file or files, where a field holds such. One that may be a file or something else is a file
/// too: its bytes are what it is sent as, whatever they are.
fn files<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    content_type: Option<&str>,
    seen: &mut BTreeSet<Pointer>,
) -> Option<FieldContent> {
    let k = models.resolved(schema)?;
    // What is said of nothing but in passing is no file: only all that is said may be nothing.
    if is_bytes(&k, content_type) || (seen.is_empty() && !k.constrains()) {
        return Some(FieldContent::File);
    }
    if k.types == [JsonType::Array] {
        let item = models.resolved(k.items.as_ref()?)?;
        let listed = is_bytes(&item, content_type) || !item.constrains();
        return listed.then(|| FieldContent::Files {
            min: k.min_items.unwrap_or(0),
            max: k.max_items,
        });
    }
    // One that leads back to itself, more than once each time, would be looked through for ever.
    if !seen.insert(k.at.clone()) {
        return None;
    }
    let parts = k.all_of.iter().chain(&k.one_of).chain(&k.any_of);
    let parts = parts.filter_map(|part| files(models, part, content_type, seen));
    parts.reduce(either)
}

/// A field that is one or the other: a file is a list of it.
fn either(one: FieldContent, other: FieldContent) -> FieldContent {
    match (one, other) {
        (FieldContent::Files { min, max }, FieldContent::Files { min: m, max: n }) => {
            FieldContent::Files {
                min: min.min(m),
                max: max.zip(n).map(|(max, n)| max.max(n)),
            }
        }
        (FieldContent::Files { min, max }, _) | (_, FieldContent::Files { min, max }) => {
            FieldContent::Files {
                min: min.min(1),
                max: max.map(|max| max.max(1)),
            }
        }
        (one, _) => one,
    }
}

/// Whether a schema stands for bytes: `format: binary` in OpenAPI 3.0, a media type of its own in
/// 3.1.
fn is_bytes(k: &Keywords<'_>, content_type: Option<&str>) -> bool {
    let says = |keyword: &str| k.raw.get(keyword).is_some();
    let text = |content_type: &str| {
        is_json(content_type)
            || content_type.starts_with("text/")
            || content_type == "application/x-www-form-urlencoded"
    };
    let may_be_string = k.types.is_empty() || k.types.contains(&JsonType::String);
    let binary = k.format.as_deref() == Some("binary")
        || (says("contentMediaType") && !says("contentEncoding"))
        || content_type.is_some_and(|content_type| !text(content_type));
    may_be_string && binary
}

/// Whether a type is one text.
pub(super) fn is_scalar(models: &Models<'_>, ty: &Type) -> bool {
    is_text(models, ty, 1)
}

/// Whether a type is one text, or a list of such, or either.
pub(super) fn is_text(models: &Models<'_>, ty: &Type, depth: usize) -> bool {
    match &ty.kind {
        Kind::Bool
        | Kind::Integer(_)
        | Kind::Number
        | Kind::String
        | Kind::Formatted { .. }
        | Kind::Null => true,
        Kind::Array(item) => depth == 0 && is_text(models, item, 1),
        Kind::Nullable(inner) => is_text(models, inner, depth),
        Kind::Json | Kind::Map(_) => false,
        Kind::Model(id) => match models.shape_of(*id) {
            Some(Shape::Enum(_) | Shape::Constant(_)) => true,
            Some(Shape::Alias(inner)) => is_text(models, inner, depth),
            Some(Shape::Union(union)) => {
                let mut variants = union.variants.iter();
                variants.all(|variant| is_text(models, &variant.ty, depth))
            }
            _ => false,
        },
    }
}
