//! Calls of a real service and their classification: what the programs in `xtask/services/*/calls.rs` share.
//!
//! A program states what each call must bring: a success with a value ([`ok!`]), a success without a body ([`done!`]),
//! or an error status ([`error!`]). It prints an [`Outcome`] per call, as a line of JSON.

mod recording;

use recording::{Exchange, Record};
pub use recording::Recording;
use bytes::Bytes;
use runtime::{ByteStream, ClientError, Encoded, HttpTransport, Retries};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::time::Duration;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Class {
    /// As the program expects.
    Fine,
    /// The server rejected a request that is right, or the client could not build it.
    WrongRequest,
    /// The client could not read a documented success.
    Undecodable,
    /// The client has no response for a status or media type of a success.
    SuccessAsError,
    /// The right error status, without the type of its body.
    ErrorWithoutType,
    /// The call seems fine, but a value is not what the server sent.
    LostValue,
}

/// A call, what crossed the wire, and how it ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// What the call does, in a few words.
    pub call: String,
    /// How it ended.
    pub class: Class,
    /// What the client reported, or what was expected instead.
    pub reason: String,
    /// What crossed the wire, shortened.
    pub exchange: Exchange,
}

/// The calls of one service.
#[derive(Debug)]
pub struct Calls {
    base: String,
    record: Record,
}

impl Calls {
    /// Calls of the service whose base URL is the program's first argument.
    #[must_use]
    pub fn begin() -> Self {
        Self {
            base: std::env::args().nth(1).unwrap_or_default(),
            record: Record::default(),
        }
    }

    /// The base URL of the service.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The transport that clients must be created with.
    #[must_use]
    pub fn transport(&self) -> Recording {
        let http = HttpTransport::builder()
            .retries(Retries::NONE)
            .timeout(Duration::from_secs(20));
        Recording::new(http.build(), self.record.clone())
    }

    /// A value in the last JSON response, by its JSON pointer: ids that later calls need even if the client could
    /// not read the response.
    #[must_use]
    pub fn received<T: DeserializeOwned>(&self, pointer: &str) -> Option<T> {
        let body: serde_json::Value = serde_json::from_slice(&self.record.received()).ok()?;
        serde_json::from_value(body.pointer(pointer)?.clone()).ok()
    }

    /// Expects a success whose value passes `check`. Called by [`ok!`].
    pub fn success<V>(
        &self,
        call: &str,
        result: Result<Option<V>, Failure>,
        check: impl FnOnce(&V) -> bool,
    ) -> Option<V> {
        let exchange = self.record.exchange();
        let is_success = exchange.status.is_some_and(|status| status < 400);
        let (class, reason, value) = match result {
            Ok(Some(value)) if check(&value) => (Class::Fine, String::new(), Some(value)),
            Ok(Some(value)) => (Class::LostValue, "not the expected value".into(), Some(value)),
            Ok(None) if is_success => (Class::SuccessAsError, "not the expected response".into(), None),
            Ok(None) => (Class::WrongRequest, "a documented error".into(), None),
            Err(failure) if !is_success => (Class::WrongRequest, failure.reason, None),
            Err(failure) if failure.is_undocumented => (Class::SuccessAsError, failure.reason, None),
            Err(failure) => (Class::Undecodable, failure.reason, None),
        };
        self.report(call, class, reason, exchange);
        value
    }

    /// Expects a success without a body. Called by [`done!`].
    pub fn without_body<R>(
        &self,
        call: &str,
        result: Result<R, Failure>,
        is_expected: impl FnOnce(&R) -> bool,
    ) {
        let result = result.map(|response| is_expected(&response).then_some(()));
        self.success(call, result, |()| self.record.says_nothing());
    }

    /// Expects an error status, with a type. Called by [`error!`].
    pub fn failure<R>(&self, call: &str, result: Result<R, Failure>, status: u16) {
        let exchange = self.record.exchange();
        let (class, reason) = match result {
            Err(failure) if exchange.status.is_none() => (Class::WrongRequest, failure.reason),
            _ if exchange.status != Some(status) => {
                (Class::WrongRequest, format!("expected the status {status}"))
            }
            Err(failure) if !failure.is_typed => (Class::ErrorWithoutType, failure.reason),
            _ => (Class::Fine, String::new()),
        };
        self.report(call, class, reason, exchange);
    }

    fn report(&self, call: &str, class: Class, reason: String, exchange: Exchange) {
        let call = call.to_owned();
        let outcome = Outcome {
            call,
            class,
            reason,
            exchange,
        };
        if let Ok(line) = serde_json::to_string(&outcome) {
            println!("{line}");
        }
        self.record.clear();
    }
}

/// Why a call brought no response of its operation.
#[derive(Debug)]
pub struct Failure {
    reason: String,
    /// Whether the document does not have the response.
    is_undocumented: bool,
    /// Whether it is an error of the document, with its type.
    is_typed: bool,
}

impl<E: Display, R> From<ClientError<E, R>> for Failure {
    fn from(error: ClientError<E, R>) -> Self {
        Self {
            reason: error.to_string(),
            is_undocumented: matches!(error, ClientError::Undocumented { .. }),
            is_typed: matches!(error, ClientError::Refused { .. }),
        }
    }
}

/// A request body of a generated type, from JSON as the documentation of the service has it.
///
/// # Errors
/// If the type does not take the JSON.
pub fn body<T: DeserializeOwned>(json: serde_json::Value) -> Result<T, Failure> {
    let shown = json.to_string();
    serde_json::from_value(json).map_err(|error| Failure {
        reason: format!("{} cannot hold {shown}: {error}", std::any::type_name::<T>()),
        is_undocumented: false,
        is_typed: false,
    })
}

/// A response body as generated responses hold it.
pub trait Body {
    /// The type that it is read as.
    type Value;

    /// Reads the value.
    fn value(self) -> impl Future<Output = Option<Self::Value>>;
}

impl<T: DeserializeOwned> Body for Encoded<T> {
    type Value = T;

    async fn value(self) -> Option<T> {
        self.decode().ok()
    }
}

impl Body for ByteStream {
    type Value = Bytes;

    async fn value(self) -> Option<Bytes> {
        self.bytes().await.ok()
    }
}

macro_rules! plain {
    ($($type:ty),*) => {$(
        impl Body for $type {
            type Value = $type;

            async fn value(self) -> Option<$type> {
                Some(self)
            }
        }
    )*};
}

plain!(bool, String, i32, i64, u32, u64, f64, serde_json::Value, Bytes);

/// Expects a response with a body, and returns its value: `ok!(calls, "create a book", client.create(body(json)?),
/// CreateResponse::Created, |book| book.title == "Emma")`. Of a response with several media types, the expected one
/// is named, too: `GetResponse::Ok => GetContent::Json`.
#[macro_export]
macro_rules! ok {
    ($calls:expr, $call:expr, $made:expr, $response:path $(=> $content:path)?, $check:expr) => {{
        let response: Result<_, $crate::Failure> = async { Ok($made.await?) }.await;
        let value = match response {
            #[allow(unused_parens)]
            Ok($response { body: ($($content)? (body)), .. }) => Ok($crate::Body::value(body).await),
            #[allow(unreachable_patterns)]
            Ok(_) => Ok(None),
            Err(failure) => Err(failure),
        };
        $calls.success($call, value, $check)
    }};
}

/// Expects a response without a body: `done!(calls, "delete a book", client.delete(7), DeleteResponse::NoContent)`.
#[macro_export]
macro_rules! done {
    ($calls:expr, $call:expr, $made:expr, $variant:path) => {
        $calls.without_body($call, async { Ok($made.await?) }.await, |response| {
            matches!(response, $variant { .. })
        })
    };
}

/// Expects an error status: `error!(calls, "an unknown book", client.get(0), 404)`.
#[macro_export]
macro_rules! error {
    ($calls:expr, $call:expr, $made:expr, $status:literal) => {
        $calls.failure($call, async { Ok($made.await?) }.await, $status)
    };
}
