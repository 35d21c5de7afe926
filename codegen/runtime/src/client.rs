//! The typed client's unvarying half: requests from declared parameters, and
//! answers from responses.
//!
//! Generated methods fill a [`RequestBuilder`], send it through a [`Client`] and read
//! the answer by its status. A [`Transport`] sends the requests.

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
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use serde::de::DeserializeOwned;

use crate::client::credentials::Credentials;
use crate::client::transport::{StreamedAnswer, Transport};
use crate::decode::candidates;
use crate::decode::json_single;
use crate::decode::param::{Param, Style};
use crate::decode::raw_decode;
use crate::encode::encoded::Encoded;
use crate::encode::request_builder::{BuildError, RequestBuilder};
use crate::http::entity_tag::{EntityTag, Tagged};
use crate::http::header_lines;
use crate::http::operation::Scheme;
use crate::stream::{ByteStream, StreamError};
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use json_schema::validator::Schemas;

/// Sends requests to one server.
#[derive(Debug, Clone)]
pub struct Client<T> {
    base: String,
    transport: T,
    headers: HeaderMap,
    credentials: Credentials,
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
        }
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

    /// Sends a request, and brings back the whole answer.
    ///
    /// # Errors
    /// Returns [`ClientError::BuildError`] if the request cannot be built,
    /// [`ClientError::Transport`] if no answer arrives, and
    /// [`ClientError::Broken`] if the answer breaks off.
    pub async fn send<R>(
        &self,
        request: RequestBuilder,
    ) -> Result<Response<Bytes>, ClientError<T::Error, R>> {
        let request = self.request(request)?;
        let (parts, body) = self.ask(request).await?.into_parts();
        let whole = ByteStream::from(body).bytes().await;
        let whole = whole.map_err(ClientError::Broken)?;
        Ok(Response::from_parts(parts, whole))
    }

    /// Sends a request, and brings back the answer as it comes.
    ///
    /// # Errors
    /// Returns the errors of [`Client::send`].
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
        let response = self.transport.send(request).await;
        response.map_err(ClientError::Transport)
    }

    /// The whole of an answer, and the stream that it is where `streamed` says
    /// so of its status and its headers; the other of the two is empty.
    ///
    /// # Errors
    /// Returns the errors of [`Client::send`].
    pub async fn open<R>(
        &self,
        request: RequestBuilder,
        streamed: fn(u16, &HeaderMap) -> bool,
    ) -> Result<(Response<Bytes>, ByteStream), ClientError<T::Error, R>> {
        let (parts, mut stream) = self.exchange(request).await?.into_parts();
        if let Some(content_type) = parts
            .headers
            .get(CONTENT_TYPE)
            .and_then(|v| v.to_str().ok())
        {
            stream = stream.with_type(content_type);
        }
        if streamed(parts.status.as_u16(), &parts.headers) {
            return Ok((Response::from_parts(parts, Bytes::new()), stream));
        }
        let whole = stream.bytes().await.map_err(ClientError::Broken)?;
        Ok((Response::from_parts(parts, whole), ByteStream::default()))
    }
}

/// Why a call gave no answer of the operation's handler. `E` is the transport's error, `R` the answers
/// that the framework gives, as the contract documents them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientError<E, R = Infallible> {
    /// The arguments make no request.
    BuildError(BuildError),
    /// There was no answer.
    Transport(E),
    /// The answer broke off.
    Broken(StreamError),
    /// The framework answered in the place of the handler, as the contract documents it.
    Refused {
        /// The status.
        status: StatusCode,
        /// The answer.
        refusal: Box<R>,
    },
    /// The answer has a status that the contract does not have, or it has the status of a refusal and not its
    /// documented form: a proxy may have made it.
    Undocumented {
        /// Its status.
        status: StatusCode,
        /// Its headers.
        headers: Box<HeaderMap>,
        /// Its body.
        body: Bytes,
    },
    /// The answer has the status of a handler's answer, and not its documented form.
    Undecodable {
        /// Its status.
        status: StatusCode,
        /// The reason, as a sentence.
        reason: String,
    },
}

impl<E, R> ClientError<E, R> {
    /// The status of the answer, where there was one.
    pub const fn status(&self) -> Option<StatusCode> {
        match self {
            Self::BuildError(_) | Self::Transport(_) | Self::Broken(_) => None,
            Self::Refused { status, .. }
            | Self::Undocumented { status, .. }
            | Self::Undecodable { status, .. } => Some(*status),
        }
    }
}

impl<E: fmt::Display, R> fmt::Display for ClientError<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuildError(why) => write!(f, "the request cannot be made: {why}"),
            Self::Transport(error) => write!(f, "there was no answer: {error}"),
            Self::Broken(error) => error.fmt(f),
            Self::Refused { status, .. } => {
                write!(f, "the server refused the request with {status}")
            }
            Self::Undocumented { status, .. } => {
                write!(
                    f,
                    "the contract does not document this answer with {status}"
                )
            }
            Self::Undecodable { status, reason } => {
                write!(
                    f,
                    "the answer with {status} is not of the documented form: {reason}"
                )
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display, R: fmt::Debug> std::error::Error for ClientError<E, R> {}

/// Reads an answer of the framework.
type ReadRefusal<E, R> = fn(&Response<Bytes>) -> Result<R, ClientError<E, R>>;

/// The error for an answer that is not the handler's, by the statuses of the refusals that the contract
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
            status,
            refusal: Box::new(refusal),
        },
        _ => undocumented(response),
    }
}

/// The error for an answer that the contract does not have.
#[must_use]
pub fn undocumented<E, R>(response: Response<Bytes>) -> ClientError<E, R> {
    let (parts, body) = response.into_parts();
    ClientError::Undocumented {
        status: parts.status,
        headers: Box::new(parts.headers),
        body,
    }
}

/// The body of an answer, decoded from JSON.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the body is not JSON or does not
/// match `T`.
pub fn json<T: DeserializeOwned, E, R>(response: &Response<Bytes>) -> Result<T, ClientError<E, R>> {
    let undecodable = |error: serde_json::Error| undecodable(response, error.to_string());
    json_single::from_slice(response.body()).map_err(undecodable)
}

/// The body of an answer, decoded once: the value is kept for the first caller that asks for it.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the body is not JSON or does not
/// match `T`.
pub fn encoded<T: DeserializeOwned, E, R>(
    response: &Response<Bytes>,
) -> Result<Encoded<T>, ClientError<E, R>> {
    let undecodable = |error: serde_json::Error| undecodable(response, error.to_string());
    Encoded::received(response.body().clone()).map_err(undecodable)
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
    text.map_err(|error| undecodable(response, error.to_string()))
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
    let raw = Raw::Text(text(response)?.into());
    // Of several types, the schema decides.
    let decided = |_| {
        let admitted = schemas.json_type(schema);
        T::deserialize(coerce::value(&raw, &admitted, Objects::ByMember))
    };
    let undecodable = |error: serde_json::Error| undecodable(response, error.to_string());
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

/// A header of an answer that is one text and may be absent.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the header does not match `T`.
pub fn optional_header<T: DeserializeOwned, E, R>(
    response: &Response<Bytes>,
    name: &'static str,
) -> Result<Option<T>, ClientError<E, R>> {
    let Some(text) = header_lines::one(response.headers(), name) else {
        return Ok(None);
    };
    let value = text.and_then(|text| raw_decode::decode(&Raw::Text(text)).ok());
    value.map(Some).ok_or_else(|| unlike(response, name))
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
    let value = lines.and_then(|lines| match param.style {
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
    });
    value.map(Some).ok_or_else(|| unlike(response, param.name))
}

fn unlike<E, R>(response: &Response<Bytes>, name: &str) -> ClientError<E, R> {
    undecodable(response, format!("the header {name} is not of its type"))
}

fn missing<E, R>(response: &Response<Bytes>, name: &str) -> ClientError<E, R> {
    undecodable(response, format!("the header {name} is missing"))
}

fn undecodable<E, R>(response: &Response<Bytes>, reason: String) -> ClientError<E, R> {
    ClientError::Undecodable {
        status: response.status(),
        reason,
    }
}
