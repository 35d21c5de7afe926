//! Reads and writes the content of parts.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{BodyPart, NO_PARTS, Read, Write, split, written};
use crate::decode::explain;
use crate::decode::json_single;
use crate::decode::reader::Reader;
use crate::encode::param_write;
use crate::http::captures::Captures;
use crate::http::media::MediaType;
use crate::http::rejection::Rejection;
use crate::multipart::headers::{self, PartHeaders, WithHeaders};
use crate::multipart::write::boundary;
use json_schema::coerce::raw::Raw;
use json_schema::issue::{Issue, Place};
use json_schema::validator::Schemas;

/// The content of parts whose types depend on their places, as an enum.
pub trait Kinds: Sized {
    /// Reads the content of a part.
    ///
    /// # Errors
    /// Returns every violation by the part.
    fn read(part: &Received) -> Result<Self, Vec<Issue>>;

    /// Writes the content of the part at an index; `None` where it does not belong there.
    fn write(index: usize, content: &Self) -> Option<Sent>;
}

/// A part as it came.
#[derive(Debug)]
pub struct Received {
    index: usize,
    /// The JSON pointer to it.
    at: String,
    headers: HeaderMap,
    bytes: Bytes,
    /// Whether it is held against its schema.
    is_checked: bool,
}

/// A part that is sent: its media type, its headers and its bytes.
#[derive(Debug)]
pub struct Sent {
    pub(super) content_type: Option<Cow<'static, str>>,
    pub(super) headers: HeaderMap,
    pub(super) bytes: Bytes,
}

impl Received {
    pub(super) fn new(
        headers: HeaderMap,
        bytes: Bytes,
        (index, at): (usize, String),
        is_checked: bool,
    ) -> Self {
        Self {
            index,
            at,
            headers,
            bytes,
            is_checked,
        }
    }

    /// The part with its content, as read.
    pub(super) fn holding<T>(mut self, content: T) -> BodyPart<T> {
        let content_type = self.content_type().map(str::to_owned);
        self.headers.remove(CONTENT_TYPE);
        BodyPart {
            content,
            content_type,
            headers: self.headers,
        }
    }

    /// How many parts came before it.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    fn content_type(&self) -> Option<&str> {
        self.headers.get(CONTENT_TYPE)?.to_str().ok()
    }

    fn refused<T>(&self, keyword: &'static str, message: String) -> Result<T, Vec<Issue>> {
        Err(vec![Issue {
            place: Place::Body,
            at: self.at.clone(),
            keyword,
            message,
        }])
    }

    /// The part itself, if it is of one of these media types or says none.
    ///
    /// # Errors
    /// Returns the violation if it is of another.
    pub fn of(&self, types: &[&str]) -> Result<&Self, Vec<Issue>> {
        let own = self.content_type().map(MediaType::parse);
        let covers = |own: &MediaType<'_>| {
            let mut declared = types.iter().filter_map(|name| MediaType::parse(name));
            declared.any(|declared| declared.covers(own).is_some())
        };
        match own {
            Some(own) if !types.is_empty() && !own.is_some_and(|own| covers(&own)) => {
                let message = format!("must be of the media type {}", types.join(" or "));
                self.refused("contentMediaType", message)
            }
            _ => Ok(self),
        }
    }

    /// JSON of a schema.
    ///
    /// # Errors
    /// Returns every violation of the schema.
    pub fn json<T: DeserializeOwned>(
        &self,
        schemas: &Schemas,
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Result<T, Vec<Issue>> {
        if self.is_checked {
            return explain::json(schemas, &self.bytes, schema, valid, &self.at);
        }
        let read = json_single::from_slice(&self.bytes);
        read.or_else(|error| self.refused("type", format!("cannot be read: {error}")))
    }

    /// Any text.
    ///
    /// # Errors
    /// Returns the violation if the bytes are not UTF-8.
    pub fn text(&self) -> Result<String, Vec<Issue>> {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => self.refused("format", "must be text in UTF-8".to_owned()),
        }
    }

    /// The text of one value.
    ///
    /// # Errors
    /// Returns every violation of the schema.
    pub fn scalar<T: DeserializeOwned>(
        &self,
        schemas: &Schemas,
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Result<T, Vec<Issue>> {
        let text = self.text()?;
        let (parts, ()) = Request::new(()).into_parts();
        let captures = Captures::default();
        let mut reader = Reader::new(&parts, &captures, schemas, &[]);
        let value = reader.raw(&Raw::Text(text.into()), schema, valid, &self.at);
        match (reader.finish(), value) {
            (Ok(()), Some(value)) => Ok(value),
            (Err(Rejection::Invalid(issues)), _) => Err(issues),
            _ => self.refused("type", "is not of the declared type".to_owned()),
        }
    }

    /// The bytes as they are.
    ///
    /// # Errors
    /// Never returns an error. It returns a `Result` as the others do.
    pub fn bytes(&self) -> Result<Bytes, Vec<Issue>> {
        Ok(self.bytes.clone())
    }

    /// Parts of its own.
    ///
    /// # Errors
    /// Returns every violation by the first of them that has any.
    pub fn parts<T>(&self, read: Read<T>) -> Result<Vec<BodyPart<T>>, Vec<Issue>> {
        let inner = self.content_type().and_then(|own| split(own, &self.bytes));
        let Some(inner) = inner else {
            return self.refused("type", NO_PARTS.to_owned());
        };
        let inner = inner.into_iter().enumerate();
        let parts = inner.map(|(index, (headers, bytes))| {
            let at = format!("{}/{index}", self.at);
            let part = Self::new(headers, bytes, (index, at), self.is_checked);
            read(&part).map(|content| part.holding(content))
        });
        parts.collect()
    }

    /// The content with the declared headers; the violations of both are reported together.
    ///
    /// # Errors
    /// Returns every violation by the headers and by the content.
    pub fn with_headers<H: PartHeaders, C>(
        &self,
        content: Result<C, Vec<Issue>>,
    ) -> Result<WithHeaders<H, C>, Vec<Issue>> {
        let headers = headers::read::<H>(&self.headers).map_err(|issues| {
            let told = issues.iter().map(|issue| Issue {
                place: Place::Body,
                at: self.at.clone(),
                keyword: issue.keyword,
                message: headers::told(issue),
            });
            told.collect::<Vec<_>>()
        });
        match (headers, content) {
            (Ok(headers), Ok(content)) => Ok(WithHeaders { headers, content }),
            (headers, content) => {
                let all = headers.err().into_iter().chain(content.err());
                Err(all.flatten().collect())
            }
        }
    }

    /// A part after the last that there may be.
    ///
    /// # Errors
    /// Always returns the violation.
    pub fn surplus<T>(&self) -> Result<T, Vec<Issue>> {
        let message = "stands after the last part that there may be";
        self.refused("items", message.to_owned())
    }
}

impl Sent {
    fn of(content_type: Option<&'static str>, bytes: impl Into<Bytes>) -> Self {
        Self {
            content_type: content_type.map(Cow::Borrowed),
            headers: HeaderMap::new(),
            bytes: bytes.into(),
        }
    }
}

/// Writes JSON.
pub fn json<T: Serialize + ?Sized>(content_type: &'static str, content: &T) -> Option<Sent> {
    let bytes = serde_json::to_vec(content).ok()?;
    Some(Sent::of(Some(content_type), bytes))
}

/// Writes text.
#[must_use]
pub fn text(content_type: &'static str, content: &str) -> Option<Sent> {
    Some(Sent::of(Some(content_type), content.to_owned()))
}

/// Writes the text of one value.
pub fn scalar<T: Serialize + ?Sized>(content_type: &'static str, content: &T) -> Option<Sent> {
    let value = serde_json::to_value(content).ok()?;
    Some(Sent::of(Some(content_type), param_write::text(&value)))
}

/// Writes bytes, of a media type that only the part itself may know.
#[must_use]
pub fn bytes(content_type: Option<&'static str>, content: &Bytes) -> Option<Sent> {
    Some(Sent::of(content_type, content.clone()))
}

/// Writes parts of a part.
pub fn parts<T>(media_type: &str, inner: &[BodyPart<T>], write: Write<T>) -> Option<Sent> {
    let boundary = boundary();
    let mut all = Vec::new();
    for (index, part) in inner.iter().enumerate() {
        all.extend_from_slice(&written(&boundary, index, part, write)?);
    }
    all.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Some(Sent {
        content_type: Some(format!("{media_type}; boundary={boundary}").into()),
        ..Sent::of(None, all)
    })
}

/// Adds the declared headers of a part.
pub fn with_headers<H: PartHeaders>(headers: &H, sent: Option<Sent>) -> Option<Sent> {
    let headers = headers::written(headers).ok()?;
    Some(Sent { headers, ..sent? })
}
