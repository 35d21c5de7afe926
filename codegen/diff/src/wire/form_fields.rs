//! The contents of the fields of a form: text, JSON or files (OpenAPI 3.1.1 §4.8.14.4).

use super::raw_text;
use crate::schema::{Finding, Step};
use crate::version::essence;
use codegen::openapi::{Encoding, Media, is_json};
use json_schema::coerce::raw::Raw;
use sample::Bundle;
use sample::normal::{AllOf, NormalForm, Normalizer, Type};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The declared fields of one form.
#[derive(Debug, Default)]
pub(crate) struct FormFields(pub(crate) BTreeMap<String, Declared>);

/// A declared field: its content, and whether that may be a list and an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) field: Field,
    pub(crate) is_list: bool,
    pub(crate) is_object: bool,
}

/// The content of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Text,
    Json,
    File,
}

impl FormFields {
    /// The fields of a body, if it is a form.
    pub(crate) fn of(bundle: &Bundle, media: &Media) -> Option<FormFields> {
        let name = essence(&media.media_type);
        let is_multipart = name == "multipart/form-data";
        if !is_multipart && name != "application/x-www-form-urlencoded" {
            return None;
        }
        let forms = Normalizer::new(bundle);
        let schema = media.schema.as_deref().and_then(|key| bundle.schema(key));
        let form = schema.map(|schema| forms.of(&AllOf::one(schema)));
        let properties = form.iter().flat_map(|form| form.properties.iter());
        let named = properties.map(|(name, schemas)| {
            let (form, encoding) = (forms.of(schemas), encoding(media, name));
            let declared = Declared {
                field: Field::of(&forms, &form, encoding, is_multipart),
                is_list: form.types.contains(&Type::Array),
                is_object: form.types.contains(&Type::Object),
            };
            (name.clone(), declared)
        });
        Some(FormFields(named.collect()))
    }

    /// The content of a field; text if it is not declared.
    fn get(&self, name: &str) -> Field {
        let declared = self.0.get(name);
        declared.map_or(Field::Text, |declared| declared.field)
    }

    /// A form as it is sent. The content of files is up to the sender.
    pub(super) fn write(&self, value: &Value) -> Raw<'static> {
        let Value::Object(members) = value else {
            return Raw::Json(value.clone());
        };
        let members = members.iter().map(|(name, value)| {
            let sent = match self.get(name) {
                Field::Json | Field::File => Raw::Json(value.clone()),
                Field::Text => raw_text(value),
            };
            (Cow::Owned(name.clone()), sent)
        });
        Raw::Map(members.collect())
    }

    /// The field in which a difference lies.
    pub(crate) fn around(&self, finding: &Finding) -> Option<Field> {
        let mut steps = finding.path.iter().map(|(_, step)| step);
        match steps.find(|step| !matches!(step, Step::Variant(..)))? {
            Step::Member(name) => Some(self.get(name)),
            _ => None,
        }
    }

    /// Whether a pointer leads to a file or into one.
    pub(crate) fn is_file(&self, pointer: &str) -> bool {
        let field = pointer.split('/').nth(1).unwrap_or_default();
        let field = field.replace("~1", "/").replace("~0", "~");
        self.get(&field) == Field::File
    }
}

impl Field {
    fn of<'a>(
        forms: &Normalizer<'a>,
        form: &NormalForm<'a>,
        encoding: Option<&Encoding>,
        is_multipart: bool,
    ) -> Field {
        let is_only = |ty: Type| form.types.iter().all(|own| [ty, Type::Null].contains(own));
        let content_type = encoding.filter(|one| one.style.is_none());
        let content_type = content_type
            .and_then(|one| one.content_type.as_deref())
            .map(essence);
        let is_file = || {
            form.constraints_of("format")
                .any(|format| format == "binary")
        };
        match content_type {
            Some(name) if is_json(&name) && !(is_multipart && is_only(Type::Array)) => Field::Json,
            _ if !is_multipart || encoding.is_some_and(|one| one.style.is_some()) => Field::Text,
            Some(name) if !is_only(Type::Array) => {
                match name.starts_with("text/") || !is_only(Type::String) {
                    true => Field::Text,
                    false => Field::File,
                }
            }
            _ if is_file() || form.types.len() == Type::ALL.len() => Field::File,
            // A list is several parts, each of which is an item.
            _ if is_only(Type::Array) => form.item(0).map_or(Field::File, |item| {
                Field::of(forms, &forms.of(&item), encoding, is_multipart)
            }),
            _ if is_only(Type::Object) => Field::Json,
            _ => Field::Text,
        }
    }
}

/// The content of a field with a media type.
pub(crate) fn encoding<'m>(media: &'m Media, field: &str) -> Option<&'m Encoding> {
    media.encoding.iter().find(|one| one.field == field)
}
