//! Writes forms: the client's side of `multipart_read`.

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;

use super::multipart::File;
use super::param_write;

/// A form that is being filled in.
#[derive(Debug, Default)]
pub struct FormWriter {
    parts: Vec<(String, File)>,
    failed: bool,
}

impl FormWriter {
    /// An empty form.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field as text: one part, or one for each item or member. Null
    /// is no part.
    #[must_use]
    pub fn text<T: Serialize + ?Sized>(mut self, field: &str, value: &T) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => {
                let texts = param_write::pairs(field, &value).into_iter();
                let part = |(name, text): (String, String)| (name, File::from(Bytes::from(text)));
                self.parts.extend(texts.map(part));
            }
            Err(_) => self.failed = true,
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
        for value in values {
            let file = File {
                content_type: Some("application/json".to_owned()),
                ..File::from(Bytes::from(value.to_string()))
            };
            self.parts.push((field.to_owned(), file));
        }
        self
    }

    /// Adds files.
    #[must_use]
    pub fn files<'f>(mut self, field: &str, files: impl IntoIterator<Item = &'f File>) -> Self {
        let files = files.into_iter();
        self.parts
            .extend(files.map(|file| (field.to_owned(), file.clone())));
        self
    }

    /// The media type and the bytes; `None` where a value could not be
    /// encoded.
    pub(super) fn finish(self) -> Option<(String, Bytes)> {
        if self.failed {
            return None;
        }
        let boundary = self.boundary();
        let mut bytes = Vec::new();
        for (field, file) in &self.parts {
            let mut head = format!("--{boundary}\r\nContent-Disposition: form-data");
            head.push_str(&format!("; name=\"{}\"", quoted(field)));
            // Receivers tell files from texts by the name.
            if let Some(name) = &file.name {
                head.push_str(&format!("; filename=\"{}\"", quoted(name)));
            }
            if let Some(content_type) = &file.content_type {
                head.push_str(&format!("\r\nContent-Type: {}", quoted(content_type)));
            }
            bytes.extend_from_slice(head.as_bytes());
            bytes.extend_from_slice(b"\r\n\r\n");
            bytes.extend_from_slice(&file.bytes);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        let content_type = format!("multipart/form-data; boundary={boundary}");
        Some((content_type, bytes.into()))
    }

    /// A boundary that no part holds.
    fn boundary(&self) -> String {
        let holds = |boundary: &str| {
            let mut files = self.parts.iter().map(|(_, file)| &file.bytes);
            files.any(|bytes| {
                let mut windows = bytes.windows(boundary.len());
                windows.any(|window| window == boundary.as_bytes())
            })
        };
        let mut boundary = "form-boundary".to_owned();
        while holds(&boundary) {
            boundary.push('-');
        }
        boundary
    }
}

/// A text between quotes: these and line ends percent-encoded (RFC 7578 §4.2).
fn quoted(text: &str) -> String {
    let text = text.replace('"', "%22").replace('\\', "\\\\");
    text.replace('\r', "%0D").replace('\n', "%0A")
}
