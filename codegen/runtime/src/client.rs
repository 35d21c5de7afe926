//! The typed client's unvarying half: requests from declared parameters, and
//! typed responses.
//!
//! Generated methods fill a [`RequestBuilder`], send it through a [`Client`] and decode
//! the response by its status. A [`Transport`] sends the requests. Clients are tolerant readers by default.

pub(crate) mod connector;
pub(crate) mod credentials;
pub(crate) mod http_transport;
pub mod link;
pub(crate) mod retries;
pub(crate) mod transport;

use std::convert::Infallible;
use std::fmt;

use axum_core::body::Body;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::response::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use serde::de::DeserializeOwned;

use crate::client::credentials::Credentials;
use crate::client::transport::{StreamedAnswer, Transport};
use crate::decode::candidates;
use crate::decode::json_single;
use crate::decode::param::{Param, Style};
use crate::decode::raw_decode;
use crate::decode::tolerant::{self, ReadError};
use crate::encode::encoded::Encoded;
use crate::encode::request_builder::{BuildError, RequestBuilder};
use crate::http::entity_tag::{EntityTag, Tagged};
use crate::http::header_lines;
use crate::http::media;
use crate::http::operation::Scheme;
use crate::stream::{ByteStream, StreamError};
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use json_schema::validator::Schemas;

/// Sends requests to one server.
#[derive(Clone)]
pub struct Client<T> {
    base: String,
    transport: T,
    headers: HeaderMap,
    credentials: Credentials,
    is_strict: bool,
}

impl<T: fmt::Debug> fmt::Debug for Client<T> {
    /// Omits the user and password of the base URL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = self.base.parse();
        let base = base.map(|base| self.credentials.redacted(&base));
        f.debug_struct("Client")
            .field("base", &base.unwrap_or_default())
            .field("transport", &self.transport)
            .field("headers", &self.headers)
            .field("credentials", &self.credentials)
            .field("is_strict", &self.is_strict)
            .finish()
    }
}

impl<T: Transport> Client<T> {
    /// A client of the server at `base`, such as `http://127.0.0.1:8080`,
    /// without the contract's base path.
    #[must_use]
    pub fn new(base: &str, transport: T) -> Self {
        Self {
            base: base.trim_end_matches('/').to_owned(),
            transport,
            headers: HeaderMap::new(),
            credentials: Credentials::default(),
            is_strict: false,
        }
    }

    /// Rejects every response that differs from the contract.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// The same client, sending a header with every request.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(true);
        self.headers.insert(name, value);
        self
    }

    /// The same client with a credential of a scheme, which it shows to the
    /// operations that ask for it.
    ///
    /// # Errors
    /// Returns an error if the part of the request that carries the credential
    /// cannot hold `secret`.
    pub fn with_credential(
        mut self,
        scheme: &'static Scheme,
        secret: &str,
    ) -> Result<Self, BuildError> {
        self.credentials.put(scheme, secret)?;
        Ok(self)
    }

    /// The same client with a name and a password, as [`Client::with_credential`].
    ///
    /// # Errors
    /// Returns an error if `user` contains a colon, or if `user` or `password`
    /// contains a control character.
    pub fn with_login(
        self,
        scheme: &'static Scheme,
        user: &str,
        password: &str,
    ) -> Result<Self, BuildError> {
        let secret = credentials::login(user, password).ok_or(BuildError {
            at: scheme.name,
            reason: "has a colon in its name, or a control character",
        })?;
        self.with_credential(scheme, &secret)
    }

    /// Sends a request, and brings back the whole response.
    ///
    /// # Errors
    /// Returns [`ClientError::BuildError`] if the request cannot be built,
    /// [`ClientError::Transport`] if no response arrives,
    /// [`ClientError::OtherMediaType`] if its body is of a type that the contract
    /// does not document, and [`ClientError::Broken`] if it breaks off.
    pub async fn send<R>(
        &self,
        request: RequestBuilder,
    ) -> Result<Response<Bytes>, ClientError<T::Error, R>> {
        let documented = request.expected.filter(|_| !self.is_strict);
        let request = self.request(request)?;
        let response = self.ask(request).await?.map(ByteStream::from);
        let (parts, body) = expected(response, documented)?.into_parts();
        whole(parts, body).await
    }

    /// Sends a request, and brings back the response as it comes.
    ///
    /// # Errors
    /// Returns the errors of [`Client::send`], but for those of its media type.
    pub async fn exchange<R>(
        &self,
        request: RequestBuilder,
    ) -> Result<Response<ByteStream>, ClientError<T::Error, R>> {
        let mut request = self.request(request)?;
        request.extensions_mut().insert(StreamedAnswer);
        Ok(self.ask(request).await?.map(ByteStream::from))
    }

    /// The request as it is sent, with its credentials.
    fn request<R>(
        &self,
        request: RequestBuilder,
    ) -> Result<Request<Body>, ClientError<T::Error, R>> {
        let request = match request.operation {
            _ if request.has_all_credentials => self.credentials.show_all(request),
            Some(operation) => self.credentials.show(operation, request),
            None => request,
        };
        let request = request.into_request(&self.base, &self.headers);
        request.map_err(ClientError::BuildError)
    }

    async fn ask<R>(
        &self,
        request: Request<Body>,
    ) -> Result<Response<Body>, ClientError<T::Error, R>> {
        let sent = SentRequest {
            method: request.method().clone(),
            url: self.credentials.redacted(request.uri()),
            is_strict: self.is_strict,
        };
        let response = self.transport.send(request).await;
        let mut response = response.map_err(ClientError::Transport)?;
        response.extensions_mut().insert(sent);
        Ok(response)
    }

    /// The whole of a response, and the stream that it is where `streamed` says
    /// so of its status and its headers; the other of the two is empty.
    ///
    /// # Errors
    /// Returns the errors of [`Client::send`].
    pub async fn open<R>(
        &self,
        request: RequestBuilder,
        streamed: fn(u16, &HeaderMap) -> bool,
    ) -> Result<(Response<Bytes>, ByteStream), ClientError<T::Error, R>> {
        let documented = request.expected.filter(|_| !self.is_strict);
        let mut request = self.request(request)?;
        request.extensions_mut().insert(StreamedAnswer);
        let response = self.ask(request).await?.map(ByteStream::from);
        let is_stream = streamed(response.status().as_u16(), response.headers());
        let (parts, mut stream) = expected(response, documented)?.into_parts();
        if let Some(content_type) = parts
            .headers
            .get(CONTENT_TYPE)
            .and_then(|v| v.to_str().ok())
        {
            stream = stream.with_type(content_type);
        }
        if is_stream {
            return Ok((Response::from_parts(parts, Bytes::new()), stream));
        }
        Ok((whole(parts, stream).await?, ByteStream::default()))
    }
}

/// Reads the whole body of a response.
async fn whole<E, R>(parts: Parts, body: ByteStream) -> Result<Response<Bytes>, ClientError<E, R>> {
    match body.bytes().await {
        Ok(whole) => Ok(Response::from_parts(parts, whole)),
        Err(error) => {
            let response = Response::from_parts(parts, Bytes::new());
            let response = RawResponse::boxed(&response);
            Err(ClientError::Broken { response, error })
        }
    }
}

/// Rejects a success that cannot be decoded as one of the documented media types.
fn expected<E, R>(
    response: Response<ByteStream>,
    documented: Option<&'static str>,
) -> Result<Response<ByteStream>, ClientError<E, R>> {
    // RFC 9110, sections 15.3.5 and 15.3.6: these have no body, whatever their `Content-Type`.
    let may_have_body = response.status().is_success()
        && !matches!(
            response.status(),
            StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT
        );
    let Some(documented) = documented.filter(|_| may_have_body) else {
        return Ok(response);
    };
    let types: Vec<&str> = documented.split(", ").collect();
    if media::is_readable_as(response.headers(), &types) {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    Err(ClientError::OtherMediaType {
        response: RawResponse::boxed(&Response::from_parts(parts, Bytes::new())),
        documented: documented.to_owned(),
        body: Box::new(body),
    })
}

/// A response with its body, and the request that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawResponse {
    /// The method of the request.
    pub method: Method,
    /// The URL of the request, without the values of credentials.
    pub url: String,
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl RawResponse {
    fn boxed(response: &Response<Bytes>) -> Box<RawResponse> {
        let sent = response.extensions().get::<SentRequest>();
        Box::new(RawResponse {
            method: sent.map_or(Method::GET, |sent| sent.method.clone()),
            url: sent.map(|sent| sent.url.clone()).unwrap_or_default(),
            status: response.status(),
            headers: response.headers().clone(),
            body: response.body().clone(),
        })
    }

    /// Decodes the body as JSON, such as an error that the contract does not document.
    ///
    /// # Errors
    /// Returns an error if the body is not JSON or does not match `T`.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ReadError> {
        tolerant::read_json(&self.body)
    }

    /// The media type that `Content-Type` names; empty without one.
    fn media_type(&self) -> &str {
        let media_type = self.headers.get(CONTENT_TYPE);
        media_type
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

/// The maximum number of characters of a body in an error message.
const EXCERPT: usize = 200;

impl fmt::Display for RawResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RawResponse {
            method,
            url,
            status,
            ..
        } = self;
        write!(f, "{method} {url}: {status}")
    }
}

/// Formats the start of a body for an error message.
struct Excerpt<'r>(&'r RawResponse);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = &self.0.body;
        if body.is_empty() {
            return f.write_str("; the body is empty");
        }
        let Ok(text) = std::str::from_utf8(body) else {
            return write!(f, "; the body has {} bytes", body.len());
        };
        match text.char_indices().nth(EXCERPT) {
            None => write!(f, "; body: {}", text.trim_end()),
            Some((end, _)) => write!(f, "; body: {}…", text.get(..end).unwrap_or_default()),
        }
    }
}

/// The request of a response, stored in the response's extensions.
#[derive(Debug, Clone)]
struct SentRequest {
    method: Method,
    /// Without the values of credentials.
    url: String,
    is_strict: bool,
}

/// Error of a client call. `E` is the error of the transport, `R` the enum of the documented responses that the
/// framework returns, not the handler.
///
/// Every error after the response's head was received carries the response.
#[derive(Debug)]
pub enum ClientError<E, R = Infallible> {
    /// The request cannot be built from the arguments.
    BuildError(BuildError),
    /// There was no response.
    Transport(E),
    /// The connection failed while the body was read.
    Broken {
        /// The response. Its `body` is empty.
        response: Box<RawResponse>,
        /// The cause.
        error: StreamError,
    },
    /// A documented response of the framework, such as 401 or 429.
    Refused {
        /// The response.
        response: Box<RawResponse>,
        /// The decoded response.
        refusal: Box<R>,
    },
    /// The contract does not document the status, or documents it for the framework with another body. The response
    /// can be a proxy's.
    Undocumented(Box<RawResponse>),
    /// The contract documents other media types. The body can be an endless stream, so the client does not read it.
    OtherMediaType {
        /// The response. Its `body` is empty if the client did not read it.
        response: Box<RawResponse>,
        /// The documented media types, separated by commas.
        documented: String,
        /// The body as a stream.
        body: Box<ByteStream>,
    },
    /// The contract documents the status, but the response does not match its schema.
    Undecodable {
        /// The response.
        response: Box<RawResponse>,
        /// The location and the cause.
        error: Box<ReadError>,
    },
}

impl<E, R> ClientError<E, R> {
    /// The response, if there is one.
    pub const fn response(&self) -> Option<&RawResponse> {
        match self {
            Self::BuildError(_) | Self::Transport(_) => None,
            Self::Broken { response, .. }
            | Self::Refused { response, .. }
            | Self::Undocumented(response)
            | Self::OtherMediaType { response, .. }
            | Self::Undecodable { response, .. } => Some(response),
        }
    }

    /// The status of the response, if there is one.
    pub fn status(&self) -> Option<StatusCode> {
        self.response().map(|response| response.status)
    }
}

impl<E: fmt::Display, R> fmt::Display for ClientError<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuildError(why) => write!(f, "the request cannot be built: {why}"),
            Self::Transport(error) => write!(f, "there was no response: {error}"),
            Self::Broken { response, error } => write!(f, "{response}: {error}"),
            Self::Refused { response, .. } => write!(f, "{response}{}", Excerpt(response)),
            Self::Undocumented(response) => {
                let excerpt = Excerpt(response);
                write!(f, "{response} is not documented{excerpt}")
            }
            Self::OtherMediaType {
                response,
                documented,
                ..
            } => {
                let received = response.media_type();
                write!(f, "{response}: expected {documented}, received {received}")
            }
            Self::Undecodable { response, error } => {
                write!(f, "{response}: {error}")?;
                match response.media_type() {
                    "" => {}
                    media_type => write!(f, "; {media_type}")?,
                }
                Excerpt(response).fmt(f)
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display, R: fmt::Debug> std::error::Error for ClientError<E, R> {}

/// Reads a response of the framework.
type ReadRefusal<E, R> = fn(&Response<Bytes>) -> Result<R, ClientError<E, R>>;

/// The error for a response that is not the handler's, by the statuses of the refusals that the contract
/// documents.
#[must_use]
pub fn refused<E, R>(
    response: Response<Bytes>,
    documented: &[(u16, ReadRefusal<E, R>)],
) -> ClientError<E, R> {
    let status = response.status();
    let mut documented = documented.iter();
    let read = documented.find(|(code, _)| *code == status.as_u16());
    match read.map(|(_, read)| read(&response)) {
        Some(Ok(refusal)) => ClientError::Refused {
            response: RawResponse::boxed(&response),
            refusal: Box::new(refusal),
        },
        _ => undocumented(response),
    }
}

/// The error for a response that the contract does not have.
#[must_use]
pub fn undocumented<E, R>(response: Response<Bytes>) -> ClientError<E, R> {
    ClientError::Undocumented(RawResponse::boxed(&response))
}

/// The error for a documented status with an undocumented media type.
#[must_use]
pub fn other_media_type<E, R>(response: Response<Bytes>, documented: &str) -> ClientError<E, R> {
    ClientError::OtherMediaType {
        response: RawResponse::boxed(&response),
        documented: documented.to_owned(),
        body: Box::new(ByteStream::from(response.into_body())),
    }
}

fn is_strict(response: &Response<Bytes>) -> bool {
    let sent = response.extensions().get::<SentRequest>();
    sent.is_some_and(|sent| sent.is_strict)
}

/// The body of a response, decoded from JSON.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the body is not JSON or does not
/// match `T`.
pub fn json<T: DeserializeOwned, E, R>(response: &Response<Bytes>) -> Result<T, ClientError<E, R>> {
    let read = match is_strict(response) {
        true => tolerant::read_strictly(response.body()),
        // Some servers send JSON strings unquoted, as `text/plain`.
        false if media::is_plain_text(response.headers()) => {
            tolerant::read_json_or_text(response.body())
        }
        false => tolerant::read_json(response.body()),
    };
    read.map_err(|error| undecodable(response, error))
}

/// The body of a response, decoded once: the value is kept for the first caller that asks for it.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the body is not JSON or does not
/// match `T`.
pub fn encoded<T: DeserializeOwned, E, R>(
    response: &Response<Bytes>,
) -> Result<Encoded<T>, ClientError<E, R>> {
    let value = json(response)?;
    Ok(Encoded::received(response.body().clone(), value))
}

/// A body with the entity tag of its answer.
pub fn tagged<B>(response: &Response<Bytes>, body: B) -> Tagged<B> {
    let tag = EntityTag::of_response(response);
    Tagged { body, tag }
}

/// The body of an answer, as text.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the body is not UTF-8.
pub fn text<E, R>(response: &Response<Bytes>) -> Result<String, ClientError<E, R>> {
    let text = std::str::from_utf8(response.body()).map(str::to_owned);
    text.map_err(|error| undecodable(response, ReadError::because(error.to_string())))
}

/// The body of an answer that is the text of one value.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the body is not the text of a `T`.
pub fn scalar<T: DeserializeOwned, E, R>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    schema: &str,
) -> Result<T, ClientError<E, R>> {
    let whole = text(response)?;
    let read = match is_strict(response) {
        true => whole.as_str(),
        false => whole.trim(),
    };
    let raw = Raw::Text(read.into());
    // Of several types, the schema decides.
    let decided = |_| {
        let admitted = schemas.json_type(schema);
        T::deserialize(coerce::value(&raw, &admitted, Objects::ByMember))
    };
    let undecodable =
        |error: serde_json::Error| undecodable(response, ReadError::because(error.to_string()));
    raw_decode::decode(&raw)
        .or_else(decided)
        .map_err(undecodable)
}

/// A header of an answer that is one text.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the header is missing or does not
/// match `T`.
pub fn header<T: DeserializeOwned, E, R>(
    response: &Response<Bytes>,
    name: &'static str,
) -> Result<T, ClientError<E, R>> {
    optional_header(response, name)?.ok_or_else(|| missing(response, name))
}

/// A header of a response that is one text and may be absent. To a tolerant client it is, where it is not of its
/// type.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the header does not match `T` and the client is strict.
pub fn optional_header<T: DeserializeOwned, E, R>(
    response: &Response<Bytes>,
    name: &'static str,
) -> Result<Option<T>, ClientError<E, R>> {
    let Some(text) = header_lines::one(response.headers(), name) else {
        return Ok(None);
    };
    let value =
        text.and_then(|text| by_rules(response, || raw_decode::decode(&Raw::Text(text)).ok()));
    or_unlike(response, name, value)
}

/// A header of an answer, in the style `simple` or as JSON; where its text does
/// not tell, the schema does.
///
/// # Errors
/// Returns the errors of [`header`].
pub fn styled_header<T: DeserializeOwned, E, R>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    param: Param,
) -> Result<T, ClientError<E, R>> {
    let absent = || raw_decode::decode(&header_lines::absent(&param)?).ok();
    optional_styled_header(response, schemas, param)?
        .or_else(absent)
        .ok_or_else(|| missing(response, param.name))
}

/// A header of an answer that may be absent, written as for [`styled_header`].
///
/// # Errors
/// Returns the errors of [`optional_header`].
pub fn optional_styled_header<T: DeserializeOwned, E, R>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    param: Param,
) -> Result<Option<T>, ClientError<E, R>> {
    let Some(lines) = header_lines::of(response.headers(), param.name) else {
        return Ok(None);
    };
    let value = lines.and_then(|lines| {
        by_rules(response, || match param.style {
            Style::Json => json_single::from_slice(lines.text().as_bytes()).ok(),
            _ => {
                let readings = lines.readings(&param).ok()?;
                let decided = || {
                    let admitted = schemas.json_type(param.schema);
                    let value = candidates::chosen(&param, &readings, &admitted)?;
                    T::deserialize(value).ok()
                };
                match &readings[..] {
                    [only] => raw_decode::decode(only).ok().or_else(decided),
                    _ => decided(),
                }
            }
        })
    });
    or_unlike(response, param.name, value)
}

/// Decodes a header, strictly or tolerantly.
fn by_rules<T>(response: &Response<Bytes>, read: impl FnOnce() -> T) -> T {
    match is_strict(response) {
        true => read(),
        false => tolerant::tolerantly(read),
    }
}

fn or_unlike<T, E, R>(
    response: &Response<Bytes>,
    name: &str,
    value: Option<T>,
) -> Result<Option<T>, ClientError<E, R>> {
    if value.is_none() && is_strict(response) {
        let reason = format!("the header {name} is not of its type");
        return Err(undecodable(response, ReadError::because(reason)));
    }
    Ok(value)
}

fn missing<E, R>(response: &Response<Bytes>, name: &str) -> ClientError<E, R> {
    let reason = format!("the header {name} is missing or not of its type");
    undecodable(response, ReadError::because(reason))
}

fn undecodable<E, R>(response: &Response<Bytes>, error: ReadError) -> ClientError<E, R> {
    ClientError::Undecodable {
        response: RawResponse::boxed(response),
        error: Box::new(error),
    }
}
