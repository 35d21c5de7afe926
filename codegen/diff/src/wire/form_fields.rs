//! What the fields of a form hold: text, JSON or files (OpenAPI 3.1.1 §4.8.14.4), and how they are written.

use super::raw_text;
use crate::schema::{Finding, Step};
use crate::version::essence;
use codegen::openapi::{Encoding, Media, Style, is_json};
use json_schema::coerce::raw::Raw;
use sample::Bundle;
use sample::normal::{AllOf, NormalForm, Normalizer, Type};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The fields of one form.
#[derive(Debug, Default)]
pub(crate) struct FormFields {
    named: BTreeMap<String, Field>,
}

/// How a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// Text, a list as several of them; members of an object as `name[member]`.
    Text,
    /// Text, a list or an object as one of them.
    OneText(Style),
    /// The members of an object as fields of their own.
    Members,
    /// JSON.
    Json,
    /// A file, or several.
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
            let field = forms.of(schemas);
            let encoding = encoding(media, name);
            let field = match is_multipart {
                true => Field::of_part(&forms, &field, encoding),
                false => Field::of_pairs(&field, encoding),
            };
            (name.clone(), field)
        });
        Some(FormFields {
            named: named.collect(),
        })
    }

    /// How a field is written; one that is not declared is text.
    pub(crate) fn get(&self, name: &str) -> Field {
        self.named.get(name).copied().unwrap_or(Field::Text)
    }

    /// The declared fields.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Field)> {
        let named = self.named.iter();
        named.map(|(name, field)| (name.as_str(), *field))
    }

    /// A form as it is sent. The content of files is up to the sender.
    pub(super) fn write(&self, value: &Value) -> Raw<'static> {
        let Value::Object(members) = value else {
            return Raw::Json(value.clone());
        };
        let members = members.iter().map(|(name, value)| {
            let sent = match self.get(name) {
                Field::Json | Field::File => Raw::Json(value.clone()),
                Field::Text | Field::OneText(_) | Field::Members => raw_text(value),
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
    /// A part of `multipart/form-data`.
    fn of_part<'a>(
        forms: &Normalizer<'a>,
        form: &NormalForm<'a>,
        encoding: Option<&Encoding>,
    ) -> Field {
        if encoding.is_some_and(|one| one.style.is_some()) {
            return Field::of_pairs(form, encoding);
        }
        let is_only = |ty: Type| {
            form.types
                .iter()
                .all(|own| *own == ty || *own == Type::Null)
        };
        if let Some(content_type) = encoding.and_then(|one| one.content_type.as_deref())
            && !is_only(Type::Array)
        {
            return match essence(content_type) {
                name if is_json(&name) => Field::Json,
                name if name.starts_with("text/") || !is_only(Type::String) => Field::Text,
                _ => Field::File,
            };
        }
        let is_binary = form
            .constraints_of("format")
            .any(|format| format == "binary");
        if is_binary || form.types.len() == Type::ALL.len() {
            Field::File
        } else if is_only(Type::Array) {
            // A list is several parts, each of which is an item.
            let item = form.item(0).map(|item| forms.of(&item));
            item.map_or(Field::File, |item| Field::of_part(forms, &item, encoding))
        } else if is_only(Type::Object) {
            Field::Json
        } else {
            Field::Text
        }
    }

    /// A field of `application/x-www-form-urlencoded`, or one that is written like it.
    fn of_pairs(form: &NormalForm<'_>, encoding: Option<&Encoding>) -> Field {
        let is_object = form.types.contains(&Type::Object);
        let has_parts = is_object || form.types.contains(&Type::Array);
        match encoding.map(|one| (one, one.style)) {
            Some((_, Some((Style::Form, true)))) if is_object => Field::Members,
            Some((_, Some((Style::DeepObject, _)))) => Field::Text,
            Some((_, Some((style, false)))) if has_parts => Field::OneText(style),
            Some((one, None)) if one.content_type.as_deref().is_some_and(is_json) => Field::Json,
            _ => Field::Text,
        }
    }

    /// What it is in the words of a report.
    pub(crate) fn phrase(self) -> String {
        match self {
            Field::Text => "text".to_owned(),
            Field::OneText(style) => format!("one text in style {style:?}"),
            Field::Members => "fields of its members' names".to_owned(),
            Field::Json => "JSON".to_owned(),
            Field::File => "a file".to_owned(),
        }
    }
}

/// What a media type says of how a field is written.
pub(crate) fn encoding<'m>(media: &'m Media, field: &str) -> Option<&'m Encoding> {
    media.encoding.iter().find(|one| one.field == field)
}
