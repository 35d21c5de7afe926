//! The typed client's unvarying half: requests from declared parameters, and
//! answers from responses.
//!
//! Generated methods fill a [`RequestBuilder`], send it through a [`Client`] and read
//! the answer by its status. What carries requests is a [`Transport`].

pub(crate) mod credentials;
pub mod link;
pub(crate) mod transport;

use std::fmt;

use axum_core::body::Body;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::client::credentials::Credentials;
use crate::client::transport::Transport;
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
    pub async fn send(
        &self,
        request: RequestBuilder,
    ) -> Result<Response<Bytes>, ClientError<T::Error>> {
        let (parts, body) = self.ask(request).await?.into_parts();
        let whole = ByteStream::from(body).bytes().await;
        let whole = whole.map_err(ClientError::Broken)?;
        Ok(Response::from_parts(parts, whole))
    }

    /// Sends a request, and brings back the answer as it comes.
    ///
    /// # Errors
    /// Returns the errors of [`Client::send`].
    pub async fn exchange(
        &self,
        request: RequestBuilder,
    ) -> Result<Response<ByteStream>, ClientError<T::Error>> {
        Ok(self.ask(request).await?.map(ByteStream::from))
    }

    async fn ask(&self, request: RequestBuilder) -> Result<Response<Body>, ClientError<T::Error>> {
        let request = match request.operation {
            Some(operation) => self.credentials.show(operation, request),
            None => request,
        };
        let request = request
            .into_request(&self.base, &self.headers)
            .map_err(ClientError::BuildError)?;
        let response = self.transport.send(request).await;
        response.map_err(ClientError::Transport)
    }

    /// The whole of an answer, and the stream that it is where `streamed` says
    /// so of its status and its headers; the other of the two is empty.
    ///
    /// # Errors
    /// Returns the errors of [`Client::send`].
    pub async fn open(
        &self,
        request: RequestBuilder,
        streamed: fn(u16, &HeaderMap) -> bool,
    ) -> Result<(Response<Bytes>, ByteStream), ClientError<T::Error>> {
        let (parts, body) = self.ask(request).await?.into_parts();
        let mut stream = ByteStream::from(body);
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

/// Why a call gave no documented answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientError<E> {
    /// The arguments make no request.
    BuildError(BuildError),
    /// There was no answer.
    Transport(E),
    /// The answer broke off.
    Broken(StreamError),
    /// The answer has a status that is not the handler's to give: the
    /// framework made it, or the contract does not have it.
    Refused {
        /// Its status.
        status: StatusCode,
        /// Its headers.
        headers: Box<HeaderMap>,
        /// Its body.
        body: Bytes,
    },
    /// The answer has a documented status and an undocumented form.
    Undecodable {
        /// Its status.
        status: StatusCode,
        /// What is wrong with it.
        reason: String,
    },
}

impl<E: fmt::Display> fmt::Display for ClientError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuildError(why) => write!(f, "the request cannot be made: {why}"),
            Self::Transport(error) => write!(f, "there was no answer: {error}"),
            Self::Broken(error) => error.fmt(f),
            Self::Refused { status, .. } => {
                write!(f, "the server refused the request with {status}")
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

impl<E: fmt::Debug + fmt::Display> std::error::Error for ClientError<E> {}

/// The error for a status that no variant of the operation's response has.
#[must_use]
pub fn refused<E>(response: Response<Bytes>) -> ClientError<E> {
    let (parts, body) = response.into_parts();
    ClientError::Refused {
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
pub fn json<T: DeserializeOwned, E>(response: &Response<Bytes>) -> Result<T, ClientError<E>> {
    let undecodable = |error: serde_json::Error| undecodable(response, error.to_string());
    json_single::from_slice(response.body()).map_err(undecodable)
}

/// The body of an answer, decoded and encoded again.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the body is not JSON or does not
/// match `T`.
pub fn encoded<T: DeserializeOwned + Serialize, E>(
    response: &Response<Bytes>,
) -> Result<Encoded<T>, ClientError<E>> {
    let undecodable = |error: serde_json::Error| undecodable(response, error.to_string());
    Encoded::parse(response.body()).map_err(undecodable)
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
pub fn text<E>(response: &Response<Bytes>) -> Result<String, ClientError<E>> {
    let text = std::str::from_utf8(response.body()).map(str::to_owned);
    text.map_err(|error| undecodable(response, error.to_string()))
}

/// The body of an answer that is the text of one value.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the body is not the text of a `T`.
pub fn scalar<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    schema: &str,
) -> Result<T, ClientError<E>> {
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
pub fn header<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    name: &'static str,
) -> Result<T, ClientError<E>> {
    optional_header(response, name)?.ok_or_else(|| missing(response, name))
}

/// A header of an answer that is one text and may be absent.
///
/// # Errors
/// Returns [`ClientError::Undecodable`] if the header does not match `T`.
pub fn optional_header<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    name: &'static str,
) -> Result<Option<T>, ClientError<E>> {
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
pub fn styled_header<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    param: Param,
) -> Result<T, ClientError<E>> {
    let absent = || raw_decode::decode(&header_lines::absent(&param)?).ok();
    optional_styled_header(response, schemas, param)?
        .or_else(absent)
        .ok_or_else(|| missing(response, param.name))
}

/// A header of an answer that may be absent, written as for [`styled_header`].
///
/// # Errors
/// Returns the errors of [`optional_header`].
pub fn optional_styled_header<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    param: Param,
) -> Result<Option<T>, ClientError<E>> {
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

fn unlike<E>(response: &Response<Bytes>, name: &str) -> ClientError<E> {
    undecodable(response, format!("the header {name} is not of its type"))
}

fn missing<E>(response: &Response<Bytes>, name: &str) -> ClientError<E> {
    undecodable(response, format!("the header {name} is missing"))
}

fn undecodable<E>(response: &Response<Bytes>, reason: String) -> ClientError<E> {
    ClientError::Undecodable {
        status: response.status(),
        reason,
    }
}
