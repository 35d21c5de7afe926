//! Writes forms: the client's side of `multipart_read`.

use std::hash::{BuildHasher as _, RandomState};

use futures_util::{StreamExt as _, stream};
use serde::Serialize;
use serde_json::Value;

use super::multipart::File;
use super::multipart_field::{Field, Fields, Joined};
use super::param_write;
use super::stream::ByteStream;

/// A form that is being filled in.
#[derive(Debug, Default)]
pub struct FormWriter {
    fields: Option<&'static Fields>,
    parts: Vec<(String, Option<String>, ByteStream)>,
    failed: bool,
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

    /// What is declared of a field.
    fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields?.get(name)
    }

    /// One that cannot be sent.
    pub(super) fn failed() -> Self {
        Self {
            failed: true,
            ..Self::default()
        }
    }

    /// Adds a field as text: one part, or one for each item or member. Null
    /// is no part.
    #[must_use]
    pub fn text<T: Serialize + ?Sized>(mut self, field: &str, value: &T) -> Self {
        let declared = self.field(field);
        let texts = serde_json::to_value(value).ok().and_then(|value| {
            match declared.and_then(|declared| declared.joined) {
                Some(joined) if value.is_array() || value.is_object() => {
                    Some(vec![(field.to_owned(), joined_text(joined, &value)?)])
                }
                _ => Some(param_write::pairs(field, &value)),
            }
        });
        let content_type = declared.and_then(Field::sent_type);
        match texts {
            Some(texts) => self.parts.extend(texts.into_iter().map(|(name, text)| {
                let text = ByteStream::from(text);
                let text = match content_type {
                    Some(content_type) => text.with_type(content_type),
                    None => text,
                };
                (name, None, text)
            })),
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
            self.parts.push((field.to_owned(), None, text));
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
            self.parts
                .push((field.to_owned(), file.name.clone(), content));
        }
        self
    }

    /// Adds a file whose content is still to come; its media type is that of
    /// the stream. Receivers tell files from texts by the name.
    #[must_use]
    pub fn stream(mut self, field: &str, name: &str, content: ByteStream) -> Self {
        self.parts
            .push((field.to_owned(), Some(name.to_owned()), content));
        self
    }

    /// The media type and the bytes; `None` where a value could not be
    /// encoded.
    pub(super) fn finish(self) -> Option<(String, ByteStream)> {
        if self.failed {
            return None;
        }
        let boundary = boundary();
        let mut length = Some(0);
        let mut pieces = Vec::new();
        for (field, name, content) in self.parts {
            let head = head(&boundary, &field, name.as_deref(), content.content_type());
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
fn joined_text(joined: Joined, value: &Value) -> Option<String> {
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

fn head(boundary: &str, field: &str, name: Option<&str>, content_type: Option<&str>) -> String {
    let mut head = format!("--{boundary}\r\nContent-Disposition: form-data");
    head.push_str(&format!("; name=\"{}\"", quoted(field)));
    if let Some(name) = name {
        head.push_str(&format!("; filename=\"{}\"", quoted(name)));
    }
    if let Some(content_type) = content_type {
        head.push_str(&format!("\r\nContent-Type: {}", quoted(content_type)));
    }
    head.push_str("\r\n\r\n");
    head
}

/// A boundary that nobody can put into a file beforehand: what is in a stream
/// cannot be searched for it.
fn boundary() -> String {
    let random = || RandomState::new().hash_one(());
    format!("form-{:016x}{:016x}", random(), random())
}

/// A text between quotes: these and line ends percent-encoded (RFC 7578 §4.2).
fn quoted(text: &str) -> String {
    let text = text.replace('"', "%22").replace('\\', "\\\\");
    text.replace('\r', "%0D").replace('\n', "%0A")
}
