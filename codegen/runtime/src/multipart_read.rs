//! Reads the parts of a form into types: the fields one by one, and every
//! violation of any of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use http::HeaderMap;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::issue::{Issue, pointer};
use super::json_text;
use super::multipart::{self, File, Part};
use super::raw::Raw;
use super::reader::Reader;

/// How the value of a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// As text, or as several parts of text.
    Text,
    /// As JSON, or as several parts of JSON.
    Json,
}

/// The parts of a form that have not been read yet.
pub struct Form<'r, 'a> {
    reader: &'r mut Reader<'a>,
    parts: Vec<Part>,
}

impl<'r, 'a> Form<'r, 'a> {
    /// Takes a body apart; a body that is no form becomes an issue.
    pub fn open(reader: &'r mut Reader<'a>, headers: &HeaderMap, body: &Bytes) -> Option<Self> {
        let parts = multipart::parts(headers, body);
        match parts {
            Some(parts) => Some(Self { reader, parts }),
            None => {
                let message = "is not a form as its Content-Type says";
                reader.report(Issue::of_form(None, "type", message));
                None
            }
        }
    }

    /// Parts that have been taken apart.
    pub(super) const fn of(reader: &'r mut Reader<'a>, parts: Vec<Part>) -> Self {
        Self { reader, parts }
    }

    /// A field that must be there.
    pub fn required<T: DeserializeOwned>(
        &mut self,
        field: &str,
        written: Written,
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        match self.optional(field, written, schema, valid)? {
            Some(value) => Some(value),
            None => self.refuse(field, "required", "is required"),
        }
    }

    /// A field that may be absent, which is `Some(None)`.
    pub fn optional<T: DeserializeOwned>(
        &mut self,
        field: &str,
        written: Written,
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Option<Option<T>> {
        let parts = self.take(field);
        if parts.is_empty() {
            return Some(None);
        }
        let at = pointer(field);
        match written {
            Written::Text => {
                let Some(raw) = text(field, &parts) else {
                    return self.refuse(field, "format", "must be text in UTF-8");
                };
                self.reader.raw(&raw, schema, valid, &at).map(Some)
            }
            Written::Json => {
                let values = parts.iter().map(|part| json_text::parse(&part.file.bytes));
                let Ok(values) = values.collect::<Result<Vec<_>, _>>() else {
                    return self.refuse(field, "contentMediaType", "must be JSON");
                };
                let value = match <[Value; 1]>::try_from(values) {
                    Ok([value]) if value.is_array() || self.reader.is_whole(&value, schema) => {
                        value
                    }
                    Ok([value]) => Value::Array(vec![value]),
                    Err(values) => Value::Array(values),
                };
                self.reader.value(value, schema, valid, &at).map(Some)
            }
        }
    }

    /// A file that must be there.
    pub fn required_file(&mut self, field: &str) -> Option<File> {
        match self.optional_file(field)? {
            Some(file) => Some(file),
            None => self.refuse(field, "required", "is required"),
        }
    }

    /// A file that may be absent, which is `Some(None)`.
    pub fn optional_file(&mut self, field: &str) -> Option<Option<File>> {
        let mut parts = self.take(field).into_iter();
        let first = parts.next().map(|part| part.file);
        if parts.next().is_some() {
            return self.refuse(field, "type", "must be given once");
        }
        Some(first)
    }

    /// Files of which there are `min` to `max`.
    pub fn files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        let files: Vec<File> = self.take(field).into_iter().map(|part| part.file).collect();
        if files.len() < min {
            let message = format!("must have at least {min} files");
            return self.refuse(field, "minItems", &message);
        }
        if files.len() > max {
            let message = format!("must have at most {max} files");
            return self.refuse(field, "maxItems", &message);
        }
        Some(files)
    }

    /// The fields that are left, each read under its own name.
    pub fn rest<T>(
        &mut self,
        mut read: impl FnMut(&mut Self, &str) -> Option<T>,
    ) -> Option<BTreeMap<String, T>> {
        let mut fields: BTreeMap<String, Vec<Part>> = BTreeMap::new();
        for part in self.parts.drain(..) {
            // What a member is called begins with the name of its field.
            let field = part.field.split('[').next().unwrap_or_default();
            fields.entry(field.to_owned()).or_default().push(part);
        }
        let mut rest = Some(BTreeMap::new());
        for (field, parts) in fields {
            self.parts = parts;
            match (read(self, &field), &mut rest) {
                (Some(value), Some(rest)) => _ = rest.insert(field, value),
                (Some(_), None) => {}
                (None, _) => rest = None,
            }
        }
        rest
    }

    /// Refuses the fields that are left, of a form that has no others.
    pub fn close(mut self) {
        while let Some(part) = self.parts.first() {
            let field = part.field.clone();
            self.parts.retain(|part| part.field != field);
            let message = "is not a field of this form";
            self.refuse::<()>(&field, "additionalProperties", message);
        }
    }

    /// The parts of a field, those of its members (`field[member]`) among them.
    fn take(&mut self, field: &str) -> Vec<Part> {
        let belongs = |part: &mut Part| is_of(&part.field, &[field]);
        self.parts.extract_if(.., belongs).collect()
    }

    fn refuse<T>(&mut self, field: &str, keyword: &'static str, message: &str) -> Option<T> {
        self.reader
            .report(Issue::of_form(Some(field), keyword, message));
        None
    }
}

/// Whether a part of the name `part` is of one of these fields, or of a member of one.
#[must_use]
pub fn is_of(part: &str, fields: &[&str]) -> bool {
    let is_of = |field: &&str| {
        let rest = part.strip_prefix(field);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    fields.iter().any(is_of)
}

/// The parts of one field as text that is not typed yet.
fn text<'p>(field: &str, parts: &'p [Part]) -> Option<Raw<'p>> {
    let mut value = Raw::List(Vec::new());
    for part in parts {
        let text = std::str::from_utf8(&part.file.bytes).ok()?;
        let path = part.field.strip_prefix(field)?;
        value.insert_below(path, Cow::Borrowed(text)).ok()?;
    }
    Some(value)
}
