//! Makes the responses that handlers choose.
//!
//! Generated code says which status, headers and body an answer has; this
//! puts them into HTTP. A value that HTTP cannot carry is a rejection of the server.

use std::fmt::Display;
use std::ops::RangeInclusive;

use axum_core::body::Body;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, InvalidHeaderValue};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde::Serialize;
use serde_json::Value;

use crate::decode::param::{Param, ParamShape, Style};
use crate::encode::encoded::Encoded;
use crate::encode::param_write;
use crate::http::entity_tag::EntityTag;
use crate::http::header_lines;
use crate::http::media;
use crate::http::rejection::Rejection;
use crate::stream::ByteStream;
use json_schema::issue::Place;

/// Initial capacity, enough for most responses with the headers that the host adds: a map that grows is
/// filled twice.
const HEADERS: usize = 12;

/// A response without a body yet.
#[derive(Debug)]
pub struct Responder {
    status: StatusCode,
    headers: HeaderMap,
    /// A header could not be written.
    failed: bool,
    /// The entity tag is still to be made of the body.
    is_untagged: bool,
}

/// A status of the contract. The generator has made sure that it is one.
#[must_use]
pub fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A status that the handler chose, of those that a response such as `4XX`
/// or `default` stands for.
///
/// # Errors
/// Returns [`Rejection::Internal`] if `status` is none of them.
pub fn within(status: StatusCode, own: &[RangeInclusive<u16>]) -> Result<StatusCode, Rejection> {
    if own.iter().any(|run| run.contains(&status.as_u16())) {
        Ok(status)
    } else {
        Err(Rejection::Internal)
    }
}

/// Begins a response.
#[must_use]
pub fn respond(status: StatusCode) -> Responder {
    Responder {
        status,
        headers: HeaderMap::with_capacity(HEADERS),
        failed: false,
        is_untagged: false,
    }
}

impl Responder {
    /// Sets a header.
    #[must_use]
    pub fn header(self, name: HeaderName, value: &(impl Display + ?Sized)) -> Self {
        self.text_header(name, value.to_string())
    }

    /// Sets a header to a text of the contract, which is not copied.
    #[must_use]
    pub fn constant_header(self, name: HeaderName, text: &'static str) -> Self {
        let value = HeaderValue::from_maybe_shared(Bytes::from_static(text.as_bytes()));
        self.try_header(name, value)
    }

    /// Sets a header to a text, which is not copied.
    #[must_use]
    pub fn text_header(self, name: HeaderName, text: String) -> Self {
        self.try_header(name, HeaderValue::try_from(text))
    }

    /// Sets a header that may be absent.
    #[must_use]
    pub fn optional_header(self, name: HeaderName, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.header(name, &value),
            None => self,
        }
    }

    /// Sets a header to a value in the style `simple`; null is no header. The
    /// members of an object are `name=value` where it is exploded, and of a
    /// list of cookies each has its own line.
    #[must_use]
    pub fn simple_header<T: Serialize + ?Sized>(
        self,
        name: HeaderName,
        explode: bool,
        value: &T,
    ) -> Self {
        match serde_json::to_value(value) {
            Ok(Value::Array(items)) if header_lines::is_cookies(name.as_str()) => {
                items.iter().fold(self, |set, item| set.line(&name, item))
            }
            Ok(value) => self.styled(name, Style::Simple, explode, &value),
            Err(_) => self.fail(),
        }
    }

    /// Adds a line with one text to a header.
    fn line(mut self, name: &HeaderName, item: &Value) -> Self {
        let is_one = !matches!(item, Value::Null | Value::Array(_) | Value::Object(_));
        match HeaderValue::try_from(param_write::text(item)) {
            Ok(value) if is_one => _ = self.headers.append(name, value),
            _ => self.failed = true,
        }
        self
    }

    /// Sets a header to a text of JSON; null is no header.
    #[must_use]
    pub fn json_header<T: Serialize + ?Sized>(self, name: HeaderName, value: &T) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => self.styled(name, Style::Json, false, &value),
            Err(_) => self.fail(),
        }
    }

    /// Gives the body an entity tag; without one, it is made of the body.
    #[must_use]
    pub fn tagged(mut self, tag: Option<EntityTag>) -> Self {
        match tag {
            Some(tag) => _ = self.headers.insert(ETAG, tag.into_header()),
            None => self.is_untagged = true,
        }
        self
    }

    fn try_header(
        mut self,
        name: HeaderName,
        value: Result<HeaderValue, InvalidHeaderValue>,
    ) -> Self {
        match value {
            Ok(value) => _ = self.headers.insert(name, value),
            Err(_) => self.failed = true,
        }
        self
    }

    fn fail(mut self) -> Self {
        self.failed = true;
        self
    }

    fn styled(self, name: HeaderName, style: Style, explode: bool, value: &Value) -> Self {
        let param = Param {
            // Neither style writes it.
            name: "",
            place: Place::Header,
            style,
            explode,
            shape: match value {
                Value::Array(_) => ParamShape::Array,
                Value::Object(_) => ParamShape::Object(&[]),
                _ => ParamShape::Scalar,
            },
            schema: "",
        };
        match value {
            Value::Null => self,
            value if param_write::is_read_again(&param, value) => {
                self.header(name, &param_write::single(&param, value))
            }
            _ => self.fail(),
        }
    }

    /// Ends with a body of `application/json`.
    ///
    /// # Errors
    /// Returns [`Rejection::Internal`] if the body or a header cannot be
    /// written.
    pub fn json<T: ?Sized>(self, body: &Encoded<T>) -> Result<Response<Body>, Rejection> {
        self.encoded("application/json", body)
    }

    /// Ends with a body of JSON under another media type.
    ///
    /// # Errors
    /// Returns the errors of [`Responder::json`].
    pub fn encoded<T: ?Sized>(
        self,
        content_type: &'static str,
        body: &Encoded<T>,
    ) -> Result<Response<Body>, Rejection> {
        let bytes = body.bytes().map_err(|_| Rejection::Internal)?.clone();
        self.bytes(content_type, bytes)
    }

    /// Ends with a body that is the text of one value.
    ///
    /// # Errors
    /// Returns the errors of [`Responder::json`].
    pub fn scalar<T: Serialize + ?Sized>(
        self,
        content_type: &'static str,
        body: &T,
    ) -> Result<Response<Body>, Rejection> {
        let value = serde_json::to_value(body).map_err(|_| Rejection::Internal)?;
        self.bytes(content_type, param_write::text(&value))
    }

    /// Ends with a body of text or bytes. For a range the media type is not known.
    ///
    /// # Errors
    /// Returns [`Rejection::Internal`] if a header cannot be written.
    pub fn bytes(
        mut self,
        content_type: &'static str,
        body: impl Into<Bytes>,
    ) -> Result<Response<Body>, Rejection> {
        let body = body.into();
        if self.is_untagged {
            self = self.tagged(Some(EntityTag::of(&body)));
        }
        let content_type = media::concrete(content_type, None);
        self.constant_header(CONTENT_TYPE, content_type)
            .finish(Body::from(body))
    }

    /// Ends with a body that is still to come. Its own media type goes before
    /// a range.
    ///
    /// # Errors
    /// Returns [`Rejection::Internal`] if a header cannot be written.
    pub fn stream(
        mut self,
        content_type: &str,
        body: impl Into<ByteStream>,
    ) -> Result<Response<Body>, Rejection> {
        let body = body.into();
        let content_type = media::concrete(content_type, body.content_type());
        let content_type = HeaderValue::from_str(content_type).map_err(|_| Rejection::Internal)?;
        self.headers.insert(CONTENT_TYPE, content_type);
        self.finish(body.into())
    }

    /// Ends with events, which no cache is to keep.
    ///
    /// # Errors
    /// Returns [`Rejection::Internal`] if a header cannot be written.
    pub fn events(
        mut self,
        content_type: &str,
        events: ByteStream,
    ) -> Result<Response<Body>, Rejection> {
        let uncached = HeaderValue::from_static("no-cache");
        self.headers.entry(CACHE_CONTROL).or_insert(uncached);
        self.stream(content_type, events)
    }

    /// Ends without a body.
    ///
    /// # Errors
    /// Returns [`Rejection::Internal`] if a header cannot be written.
    pub fn empty(self) -> Result<Response<Body>, Rejection> {
        self.finish(Body::empty())
    }

    fn finish(self, body: Body) -> Result<Response<Body>, Rejection> {
        if self.failed {
            return Err(Rejection::Internal);
        }
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        Ok(response)
    }
}
