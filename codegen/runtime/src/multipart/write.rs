//! Writes forms: the client's side of `multipart::read`.

use std::hash::{BuildHasher as _, RandomState};

use futures_util::{StreamExt as _, stream};
use http::HeaderMap;
use serde::Serialize;
use serde_json::Value;

use crate::encode::param_write;
use crate::multipart::File;
use crate::multipart::field::{Delimited, Field, Fields};
use crate::multipart::headers::{self, PartHeaders, WithHeaders};
use crate::stream::ByteStream;

/// A form that is being filled in.
#[derive(Debug, Default)]
pub struct FormWriter {
    fields: Option<&'static Fields>,
    parts: Vec<Written>,
    failed: bool,
}

/// A part that is sent.
#[derive(Debug)]
struct Written {
    field: String,
    /// The name of the file that it is.
    name: Option<String>,
    headers: HeaderMap,
    content: ByteStream,
}

impl FormWriter {
    /// An empty form.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty form that has these fields.
    #[must_use]
    pub fn of(fields: &'static Fields) -> Self {
        Self {
            fields: Some(fields),
            ..Self::default()
        }
    }

    /// The declaration of a field.
    fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields?.get(name)
    }

    /// One that cannot be sent.
    pub(crate) fn failed() -> Self {
        Self {
            failed: true,
            ..Self::default()
        }
    }

    /// Adds a part of a field, but none that would be read as one of another.
    fn add(&mut self, field: &str, part: Written) {
        let is_own = |fields: &'static Fields| fields.name(&part.field) == field;
        self.failed |= !self.fields.is_none_or(is_own);
        self.parts.push(part);
    }

    /// Adds a field as text: one part, or one for each item or member. Null
    /// is no part.
    #[must_use]
    pub fn text<T: Serialize + ?Sized>(mut self, field: &str, value: &T) -> Self {
        let declared = self.field(field);
        let texts = serde_json::to_value(value).ok().and_then(|value| {
            match declared.and_then(|declared| declared.delimited) {
                Some(joined) if value.is_array() || value.is_object() => {
                    Some(vec![(field.to_owned(), joined_text(joined, &value)?)])
                }
                _ if declared.is_some_and(|declared| !declared.spread.is_empty()) => {
                    members(declared?.spread, &value)
                }
                _ => Some(json_schema::pairs::form_field(field, &value)),
            }
        });
        let content_type = declared.and_then(Field::sent_type);
        match texts {
            Some(texts) => {
                for (name, text) in texts {
                    let text = ByteStream::from(text);
                    let text = match content_type {
                        Some(content_type) => text.with_type(content_type),
                        None => text,
                    };
                    self.add(field, Written::new(&name, None, text));
                }
            }
            None => self.failed = true,
        }
        self
    }

    /// Adds a field as JSON: one part, or one for each item. Null is no part.
    #[must_use]
    pub fn json<T: Serialize + ?Sized>(mut self, field: &str, value: &T) -> Self {
        let values = match serde_json::to_value(value) {
            Ok(Value::Null) => Vec::new(),
            Ok(Value::Array(items)) => items,
            Ok(value) => vec![value],
            Err(_) => {
                self.failed = true;
                Vec::new()
            }
        };
        let content_type = self.field(field).and_then(Field::sent_type);
        let content_type = content_type.unwrap_or("application/json");
        for value in values {
            let text = ByteStream::from(value.to_string()).with_type(content_type);
            self.add(field, Written::new(field, None, text));
        }
        self
    }

    /// Adds files. One without a media type is sent with the first that is
    /// declared.
    #[must_use]
    pub fn files<'f>(mut self, field: &str, files: impl IntoIterator<Item = &'f File>) -> Self {
        let declared = self.field(field).and_then(Field::sent_type);
        for file in files {
            let mut content = ByteStream::from(file.bytes.clone());
            if let Some(content_type) = file.content_type.as_deref().or(declared) {
                content = content.with_type(content_type);
            }
            self.add(field, Written::new(field, file.name.clone(), content));
        }
        self
    }

    /// Adds a file whose content is still to come; its media type is that of
    /// the stream. Receivers tell files from texts by the name.
    #[must_use]
    pub fn stream(mut self, field: &str, name: &str, content: ByteStream) -> Self {
        self.add(field, Written::new(field, Some(name.to_owned()), content));
        self
    }

    /// Adds values that are a part each, under their headers; `write` adds its content.
    #[must_use]
    pub fn with_headers<'v, H: PartHeaders + 'v, C: 'v>(
        self,
        values: impl IntoIterator<Item = &'v WithHeaders<H, C>>,
        write: impl Fn(Self, &'v C) -> Self,
    ) -> Self {
        values.into_iter().fold(self, |form, value| {
            form.under([&value.headers], |form| write(form, &value.content))
        })
    }

    /// The same of values that are several parts each.
    #[must_use]
    pub fn lists_with_headers<'v, H: PartHeaders + 'v, C: 'v>(
        self,
        values: impl IntoIterator<Item = &'v WithHeaders<Vec<H>, C>>,
        write: impl Fn(Self, &'v C) -> Self,
    ) -> Self {
        values.into_iter().fold(self, |form, value| {
            form.under(&value.headers, |form| write(form, &value.content))
        })
    }

    /// Adds parts under headers, which must be as many as the parts that `write` adds.
    #[must_use]
    pub fn under<'h, H: PartHeaders + 'h>(
        self,
        headers: impl IntoIterator<Item = &'h H>,
        write: impl FnOnce(Self) -> Self,
    ) -> Self {
        let before = self.parts.len();
        let mut form = write(self);
        let added = form.parts.get_mut(before..).unwrap_or_default();
        let heads = headers.into_iter().map(headers::written);
        match heads.collect::<Result<Vec<_>, _>>() {
            Ok(heads) if heads.len() == added.len() => {
                for (part, headers) in added.iter_mut().zip(heads) {
                    part.headers = headers;
                }
            }
            // Null is no part.
            Ok(_) if added.is_empty() => {}
            _ => form.failed = true,
        }
        form
    }

    /// The media type and the bytes; `None` where a value could not be
    /// encoded.
    pub(crate) fn finish(self) -> Option<(String, ByteStream)> {
        if self.failed {
            return None;
        }
        let boundary = boundary();
        let mut length = Some(0);
        let mut pieces = Vec::new();
        for part in self.parts {
            let head = part.head(&boundary);
            let content = part.content;
            let known = content.length().zip(u64::try_from(head.len() + 2).ok());
            length = length
                .zip(known)
                .map(|(sum, (content, around))| sum + content + around);
            pieces.extend([head.into(), content, ByteStream::from("\r\n")]);
        }
        let end = format!("--{boundary}--\r\n");
        length = length
            .zip(u64::try_from(end.len()).ok())
            .map(|(sum, end)| sum + end);
        pieces.push(end.into());
        let all = ByteStream::new(stream::iter(pieces).flatten()).announcing(length);
        Some((format!("multipart/form-data; boundary={boundary}"), all))
    }
}

/// The items of a list, or the names and values of an object, as one text;
/// `None` where another list or object would be read from it.
fn joined_text(joined: Delimited, value: &Value) -> Option<String> {
    let texts: Vec<String> = match value {
        Value::Array(items) if param_write::has_null_beside_text(items) => return None,
        Value::Array(items) => items.iter().map(param_write::text).collect(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| [name.clone(), param_write::text(value)])
            .collect(),
        _ => return None,
    };
    let is_one = matches!(texts.as_slice(), [only] if only.is_empty());
    let told_apart = !texts.iter().any(|text| text.contains(joined.delimiter));
    let text = texts.join(joined.delimiter.encode_utf8(&mut [0; 4]));
    (told_apart && !is_one).then_some(text)
}

/// The members of an object under their own names; `None` where one would be another field.
fn members(declared: &[&str], value: &Value) -> Option<Vec<(String, String)>> {
    let members = value.as_object().into_iter().flatten();
    let there = members.filter(|(_, member)| !member.is_null());
    let texts = there.map(|(name, member)| {
        let is_own = declared.contains(&name.as_str());
        is_own.then(|| (name.clone(), param_write::text(member)))
    });
    texts.collect()
}

impl Written {
    fn new(field: &str, name: Option<String>, content: ByteStream) -> Self {
        Self {
            field: field.to_owned(),
            name,
            headers: HeaderMap::new(),
            content,
        }
    }

    fn head(&self, boundary: &str) -> String {
        let mut head = format!("--{boundary}\r\nContent-Disposition: form-data");
        head.push_str(&format!("; name=\"{}\"", quoted(&self.field)));
        if let Some(name) = &self.name {
            head.push_str(&format!("; filename=\"{}\"", quoted(name)));
        }
        if let Some(content_type) = self.content.content_type() {
            head.push_str(&format!("\r\nContent-Type: {}", quoted(content_type)));
        }
        for (name, value) in &self.headers {
            let text = String::from_utf8_lossy(value.as_bytes());
            head.push_str(&format!("\r\n{name}: {text}"));
        }
        head.push_str("\r\n\r\n");
        head
    }
}

/// A boundary that nobody can put into a file beforehand: the content of a stream cannot be searched for it.
pub(crate) fn boundary() -> String {
    let random = || RandomState::new().hash_one(());
    format!("form-{:016x}{:016x}", random(), random())
}

/// A text between quotes: these and line ends percent-encoded (RFC 7578 §4.2).
fn quoted(text: &str) -> String {
    let text = text.replace('"', "%22").replace('\\', "\\\\");
    text.replace('\r', "%0D").replace('\n', "%0A")
}
