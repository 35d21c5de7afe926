//! A request of the typed client while its parameters are being filled in.

use std::fmt;

use axum_core::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use serde::Serialize;
use serde_json::Value;

use crate::decode::candidates::{self, Sent};
use crate::decode::param::{Param, Style};
use crate::encode::param_write::{self, Encoding};
use crate::encode::path;
use crate::http::media;
use crate::http::operation::Operation;
use crate::http::query;
#[cfg(feature = "multipart")]
use crate::multipart::write::FormWriter;
use crate::stream::ByteStream;
use json_schema::equality::equal;
use json_schema::issue::Place;
use json_schema::validator::Schemas;

/// The error of arguments that make no request: the parameter, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    /// The parameter, or `body` or `url`.
    pub at: &'static str,
    /// The reason, as a predicate without a subject.
    pub reason: &'static str,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.at, self.reason)
    }
}

impl std::error::Error for BuildError {}

/// The body of a request that is held whole, among its extensions: it can be sent again.
#[derive(Debug, Clone)]
pub(crate) struct WholeBody(pub(crate) Bytes);

/// No text is read as it, such as an item that holds a delimiter, which is not escaped.
const MISREAD: &str = "would be read as another value";

/// A request that is not complete yet. The first thing that goes wrong is
/// kept for when it is sent.
#[derive(Debug)]
pub struct RequestBuilder {
    method: Method,
    /// The template of the path.
    path: String,
    /// The texts of its parameters.
    segments: Vec<(&'static str, String)>,
    pub(crate) query: Vec<(String, String)>,
    /// A query that is one text, encoded.
    query_text: Option<String>,
    /// How the next parameter is encoded.
    encoding: Encoding,
    pub(crate) cookies: Vec<String>,
    pub(crate) headers: HeaderMap,
    body: ByteStream,
    flaw: Option<BuildError>,
    /// The operation whose request it is, where that was said.
    pub(crate) operation: Option<&'static Operation>,
    /// Whether the client adds all its credentials.
    pub(crate) has_all_credentials: bool,
    /// The documented media types of successes. `None` accepts every media type.
    pub(crate) expected: Option<&'static str>,
}

impl RequestBuilder {
    /// A request for the path template `path`, base path included.
    #[must_use]
    pub fn new(method: Method, path: String) -> Self {
        Self {
            method,
            path,
            segments: Vec::new(),
            query: Vec::new(),
            query_text: None,
            encoding: Encoding::Whole,
            cookies: Vec::new(),
            headers: HeaderMap::new(),
            body: ByteStream::default(),
            flaw: None,
            operation: None,
            has_all_credentials: false,
            expected: None,
        }
    }

    /// A request for the URL `url`, which is not the server's that others go
    /// to. Its fragment is nothing to a server.
    #[must_use]
    pub fn to(method: Method, url: &str) -> Self {
        Self::new(method, url.split('#').next().unwrap_or(url).to_owned())
    }

    /// Says whose request it is: the client adds the credentials that the
    /// operation asks for.
    #[must_use]
    pub fn of(mut self, operation: impl Into<&'static Operation>) -> Self {
        self.operation = Some(operation.into());
        self
    }

    /// Sets the documented media types of successes, separated by commas. A client does not wait for bodies of other
    /// types.
    #[must_use]
    pub fn expecting(mut self, media_types: &'static str) -> Self {
        self.expected = Some(media_types);
        self
    }

    /// Adds all credentials of the client that are headers, because the contract does not specify `security`.
    #[must_use]
    pub fn with_all_credentials(mut self) -> Self {
        self.has_all_credentials = true;
        self
    }

    /// Refuses an object whose members would be read as another of the `declared` parameters: where they are
    /// pairs of their own, those that the contract does not name may have any name. Another such object that
    /// takes any name would read them all. A member in brackets may be the name of another parameter.
    #[must_use]
    pub fn check_shadowing<T: Serialize + ?Sized>(
        self,
        schemas: &Schemas,
        declared: &[Param],
        param: &Param,
        value: &T,
    ) -> Self {
        let Ok(value) = serde_json::to_value(value) else {
            return self;
        };
        let is_taken = |other: &&Param| {
            if param.style == Style::DeepObject {
                let pairs = param_write::query(param, &value);
                let names = pairs
                    .iter()
                    .filter_map(|(name, _)| query::decode_form(name).ok());
                return names.into_iter().any(|name| param.yields_to(other, &name));
            }
            let Value::Object(members) = &value else {
                return false;
            };
            let mut free = members.keys().filter(|name| !param.shape.declares(name));
            let is_other = other.place == Place::Query && other.name != param.name;
            let takes_any = is_other && other.takes_the_rest(schemas);
            is_other && free.any(|name| takes_any || other.is_written_as(name))
        };
        match declared.iter().find(is_taken) {
            Some(other) => self.flawed(
                other.name,
                "would be read from a member of another parameter",
            ),
            None => self,
        }
    }

    /// Leaves reserved characters of the next parameter as they are (`allowReserved`), but for those that
    /// would end it or divide it.
    #[must_use]
    pub fn allow_reserved(mut self) -> Self {
        self.encoding = Encoding::Reserved;
        self
    }

    /// Sets a parameter whose texts are its value's alone, or leaves it out.
    #[must_use]
    pub fn param<T: Serialize + ?Sized>(self, param: &Param, value: &T) -> Self {
        match serde_json::to_value(value) {
            Ok(Value::Null) => self.unset(),
            Ok(value) if param_write::is_read_again(param, &value) => self.set(param, &value),
            Ok(_) => self.flawed(param.name, MISREAD),
            Err(_) => self.flawed(param.name, "cannot be encoded"),
        }
    }

    /// Sets a parameter that must not be absent, and whose value may be null, a list of nothing or one of several
    /// shapes: the schema must read it again from the written text.
    #[must_use]
    pub fn required<T: Serialize + ?Sized>(
        self,
        schemas: &Schemas,
        param: &Param,
        value: &T,
    ) -> Self {
        let Ok(value) = serde_json::to_value(value) else {
            return self.flawed(param.name, "cannot be encoded");
        };
        match candidates::sent(param, &value, schemas) {
            Sent::Same => self.set(param, &value),
            Sent::Other => self.flawed(param.name, MISREAD),
            Sent::Nothing => self.flawed(param.name, "would be read as absent"),
        }
    }

    /// The same of one that may be absent, and is `default`, a text of JSON, where it is: that value
    /// need not be written, and is not where the schema refuses it. Null omits the parameter.
    #[must_use]
    pub fn defaulted<T: Serialize + ?Sized>(
        self,
        schemas: &Schemas,
        param: &Param,
        value: &T,
        default: &'static str,
    ) -> Self {
        let is_unwritten = |value: &Value| {
            let is_default = serde_json::from_str(default).is_ok_and(|it| equal(&it, value));
            let is_read = || candidates::sent(param, value, schemas) == Sent::Same;
            is_default && !(schemas.is_valid(param.schema, value) && is_read())
        };
        match serde_json::to_value(value) {
            Ok(value) if value.is_null() || is_unwritten(&value) => self.unset(),
            _ => self.required(schemas, param, value),
        }
    }

    /// The same of one that may be absent, as it is where nothing is written:
    /// for an empty list, and for null where that has no text.
    #[must_use]
    pub fn optional<T: Serialize>(
        self,
        schemas: &Schemas,
        param: &Param,
        value: &Option<T>,
    ) -> Self {
        let value = match value.as_ref().map(serde_json::to_value) {
            None => return self.unset(),
            Some(Ok(value)) => value,
            Some(Err(_)) => return self.flawed(param.name, "cannot be encoded"),
        };
        match candidates::sent(param, &value, schemas) {
            Sent::Same => self.set(param, &value),
            Sent::Other if !value.is_null() => self.flawed(param.name, MISREAD),
            Sent::Other | Sent::Nothing => self.unset(),
        }
    }

    /// Leaves a parameter out.
    fn unset(mut self) -> Self {
        self.encoding = Encoding::Whole;
        self
    }

    fn set(mut self, param: &Param, value: &Value) -> Self {
        let encoding = std::mem::take(&mut self.encoding);
        match param.place {
            Place::Path => {
                let is_alone = self.operation.is_none_or(|one| one.rivals.is_empty());
                let text = param_write::segment(
                    if is_alone { encoding } else { Encoding::Whole },
                    param,
                    value,
                    &path::separators(&self.path, param.name),
                );
                self.segments.push((param.name, text));
            }
            Place::Query if param.style.is_query_text() => {
                self.query_text = Some(param_write::single(param, value));
            }
            Place::Query => {
                let pairs = param_write::query_by(encoding, param, value);
                self.query.extend(pairs);
            }
            Place::Header => return self.set_header(param, value),
            Place::Cookie if param.style == Style::Cookie => {
                let pairs = param_write::cookies(param, value).into_iter();
                let pairs = pairs.map(|(name, text)| format!("{name}={text}"));
                self.cookies.extend(pairs);
            }
            Place::Cookie => {
                let text = param_write::single_by(encoding, param, value);
                self.cookies.push(format!("{}={text}", param.name));
            }
            Place::Body => {}
        }
        self
    }

    /// Adds a pair to the query, as it is.
    #[must_use]
    pub fn query(mut self, name: &str, value: &str) -> Self {
        let pair = (param_write::encode(name), param_write::encode(value));
        self.query.push(pair);
        self
    }

    /// Takes over the query, the headers and the body of a request, for a raw
    /// operation.
    #[must_use]
    pub fn raw(mut self, request: Request<ByteStream>) -> Self {
        let (parts, body) = request.into_parts();
        let pairs = parts.uri.query().unwrap_or_default().split('&');
        for pair in pairs.filter(|pair| !pair.is_empty()) {
            // A name alone is one of an empty text.
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            self.query.push((name.to_owned(), value.to_owned()));
        }
        self.headers.extend(parts.headers);
        self.body = body;
        self
    }

    /// Sets the `Accept` header, or any other that is no parameter.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets the body to JSON of the media type `content_type`.
    #[must_use]
    pub fn json<T: Serialize + ?Sized>(self, content_type: &'static str, body: &T) -> Self {
        match serde_json::to_vec(body) {
            Ok(bytes) => self.body(content_type, bytes),
            Err(_) => self.flawed("body", "cannot be encoded"),
        }
    }

    /// Sets the body to a form (`application/x-www-form-urlencoded`), of which these fields have a
    /// style of their own.
    #[must_use]
    pub fn form<T: Serialize + ?Sized>(self, body: &T, styled: &[Param]) -> Self {
        match serde_json::to_value(body) {
            Ok(value) if !param_write::is_form_read_again(&value, styled) => {
                self.flawed("body", MISREAD)
            }
            Ok(value) => self.body(
                "application/x-www-form-urlencoded",
                param_write::form(&value, styled),
            ),
            Err(_) => self.flawed("body", "cannot be encoded"),
        }
    }

    /// Sets the body to a form with files (`multipart/form-data`).
    #[cfg(feature = "multipart")]
    #[must_use]
    pub fn multipart(mut self, form: FormWriter) -> Self {
        let Some((content_type, bytes)) = form.finish() else {
            return self.flawed("body", "cannot be encoded");
        };
        let Ok(content_type) = HeaderValue::try_from(content_type) else {
            return self.flawed("body", "cannot be encoded");
        };
        self.headers.insert(CONTENT_TYPE, content_type);
        self.body = bytes;
        self
    }

    /// Sets the body to the text of one value, as a parameter has it.
    #[must_use]
    pub fn scalar<T: Serialize + ?Sized>(self, content_type: &'static str, body: &T) -> Self {
        match serde_json::to_value(body) {
            Ok(value) => self.body(content_type, param_write::text(&value)),
            Err(_) => self.flawed("body", "cannot be encoded"),
        }
    }

    /// Sets the body to bytes or text.
    #[must_use]
    pub fn body(self, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        self.stream(content_type, ByteStream::from(body.into()))
    }

    /// Sets the body to a stream, whose own media type goes before a range.
    #[must_use]
    pub fn stream(mut self, content_type: &'static str, body: ByteStream) -> Self {
        let content_type = media::concrete(content_type, body.content_type());
        match HeaderValue::from_str(content_type) {
            Ok(value) => {
                self.headers.insert(CONTENT_TYPE, value);
                self.body = body;
                self
            }
            Err(_) => self.flawed("body", "has a media type that no header can hold"),
        }
    }

    /// The headers alone.
    pub(crate) fn into_headers(self) -> Result<HeaderMap, BuildError> {
        match self.flaw {
            Some(flaw) => Err(flaw),
            None => Ok(self.headers),
        }
    }

    /// The request to the server at `base`.
    pub(crate) fn into_request(
        self,
        base: &str,
        headers: &HeaderMap,
    ) -> Result<Request<Body>, BuildError> {
        if let Some(flaw) = self.flaw {
            return Err(flaw);
        }
        let error = |(at, reason)| BuildError { at, reason };
        let path = path::filled(&self.path, &self.segments).map_err(error)?;
        if let Some(operation) = self.operation {
            path::check_route(operation, &path, &self.segments).map_err(error)?;
        }
        let pairs = Some(param_write::join(&self.query)).filter(|pairs| !pairs.is_empty());
        let query: Vec<_> = self.query_text.into_iter().chain(pairs).collect();
        let mark = match (query.is_empty(), path.contains('?')) {
            (true, _) => "",
            (false, false) => "?",
            (false, true) => "&",
        };
        let uri = format!("{base}{path}{mark}{}", query.join("&"));
        let error = |_| BuildError {
            at: "url",
            reason: "is not a URL",
        };
        let held = self.body.held();
        let mut request = Request::builder()
            .method(self.method)
            .uri(uri)
            .body(self.body.into())
            .map_err(error)?;
        let own = request.headers_mut();
        own.clone_from(headers);
        own.extend(self.headers);
        if !self.cookies.is_empty() {
            // Names come from the contract, and values are percent-encoded or have been looked at.
            if let Ok(cookies) = HeaderValue::try_from(self.cookies.join("; ")) {
                own.insert(COOKIE, cookies);
            }
        }
        if let Some(held) = held {
            request.extensions_mut().insert(WholeBody(held));
        }
        Ok(request)
    }

    fn set_header(mut self, param: &Param, value: &Value) -> Self {
        let name = HeaderName::try_from(param.name);
        let value = HeaderValue::try_from(param_write::single(param, value));
        match (name, value) {
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
                self
            }
            _ => self.flawed(param.name, "has characters that no header can hold"),
        }
    }

    fn flawed(mut self, at: &'static str, reason: &'static str) -> Self {
        self.flaw.get_or_insert(BuildError { at, reason });
        self
    }
}
