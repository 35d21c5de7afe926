//! Calls of a real service and their classification, shared by the programs in `xtask/services/*/calls.rs`.
//!
//! A program states the expected result of each call: a success with a value ([`ok!`]), a success without a body
//! ([`done!`]), or an error status ([`error!`]). It prints one [`Outcome`] per call, as a line of JSON.

#![allow(missing_docs)]

mod recording;

use bytes::Bytes;
use recording::Record;
pub use recording::{Exchange, Recording};
use runtime::{ByteStream, ClientError, Encoded, HttpTransport, Retries};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fmt::Display;
use std::time::Duration;

/// The classification of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    /// As expected.
    Fine,
    /// The client could not build the request, or the server rejected it or did something else.
    WrongRequest,
    /// The client could not decode a documented success.
    Undecodable,
    /// The client returned an error for a success with another status or media type than documented.
    SuccessAsError,
    /// The expected error status, but the client has no type for its body.
    ErrorWithoutType,
    /// A success, but with another value than the server sent.
    LostValue,
    /// A failure that the document causes: no client generated from it can do better.
    WrongDocument,
}

/// A call: what crossed the wire, and its classification.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// What the call does, in a few words.
    pub call: String,
    pub class: Class,
    /// The client's error, or the difference from the expected result.
    pub reason: String,
    pub exchange: Exchange,
}

/// The calls of one service.
#[derive(Debug)]
pub struct Calls {
    base: String,
    record: Record,
    wrong_document: Cell<Option<&'static str>>,
}

impl Calls {
    /// Calls of the service whose base URL is the program's first argument.
    #[must_use]
    pub fn begin() -> Self {
        Self {
            base: std::env::args().nth(1).unwrap_or_default(),
            record: Record::default(),
            wrong_document: Cell::default(),
        }
    }

    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The transport for the clients of the program.
    #[must_use]
    pub fn transport(&self) -> Recording {
        let http = HttpTransport::builder()
            .retries(Retries::NONE)
            .timeout(Duration::from_secs(20));
        Recording::new(http.build(), self.record.clone())
    }

    /// A value in the last JSON response, by its JSON pointer. Gives the ids for later calls even if the client could
    /// not decode the response.
    #[must_use]
    pub fn received<T: DeserializeOwned>(&self, pointer: &str) -> Option<T> {
        let body: serde_json::Value = serde_json::from_slice(&self.record.received()).ok()?;
        serde_json::from_value(body.pointer(pointer)?.clone()).ok()
    }

    /// Attributes a failure of the next call to the document, which differs from the service as `difference` says.
    pub fn wrong_document(&self, difference: &'static str) {
        self.wrong_document.set(Some(difference));
    }

    /// Reports a call whose success has a value that passes `check`. Called by [`ok!`].
    pub fn success<V>(
        &self,
        call: &str,
        result: Result<Option<V>, Failure>,
        check: impl FnOnce(&V) -> bool,
    ) -> Option<V> {
        let exchange = self.record.exchange();
        let (class, reason) = judge_success(&result, &exchange, check);
        self.report(call, class, reason, exchange);
        result.ok().flatten()
    }

    /// Reports a call whose success has no body. Called by [`done!`].
    pub fn without_body<R>(
        &self,
        call: &str,
        result: Result<R, Failure>,
        is_expected: impl FnOnce(&R) -> bool,
    ) {
        let result = result.map(|response| is_expected(&response).then_some(()));
        self.success(call, result, |()| self.record.is_blank());
    }

    /// Reports a call that the server rejects with `status`. Called by [`error!`].
    pub fn failure<R>(&self, call: &str, result: Result<R, Failure>, status: u16) {
        let exchange = self.record.exchange();
        let (class, reason) = judge_failure(result.err(), &exchange, status);
        self.report(call, class, reason, exchange);
    }

    fn report(&self, call: &str, class: Class, reason: String, exchange: Exchange) {
        let (class, reason) = match (class, self.wrong_document.take()) {
            (class, None) => (class, reason),
            (Class::Fine, Some(difference)) => (
                Class::LostValue,
                format!("fine, though the document is said to be wrong: {difference}"),
            ),
            (_, Some(difference)) => (Class::WrongDocument, format!("{difference}: {reason}")),
        };
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

/// Classifies a call that is expected to succeed. `Ok(None)` is another documented response than the expected one.
fn judge_success<V>(
    result: &Result<Option<V>, Failure>,
    exchange: &Exchange,
    check: impl FnOnce(&V) -> bool,
) -> (Class, String) {
    let is_success = exchange.status.is_some_and(|status| status < 400);
    match result {
        Ok(Some(value)) if check(value) => (Class::Fine, String::new()),
        Ok(Some(_)) => (
            Class::LostValue,
            "not the value that the service sent".into(),
        ),
        Ok(None) if is_success => (
            Class::SuccessAsError,
            "another response than expected".into(),
        ),
        Ok(None) => (Class::WrongRequest, "a documented error".into()),
        Err(failure) if !is_success => (Class::WrongRequest, failure.reason.clone()),
        Err(failure) if failure.is_undocumented => (Class::SuccessAsError, failure.reason.clone()),
        Err(failure) => (Class::Undecodable, failure.reason.clone()),
    }
}

/// Classifies a call that is expected to fail with `status`. Without a failure, the client returned a documented
/// response.
fn judge_failure(failure: Option<Failure>, exchange: &Exchange, status: u16) -> (Class, String) {
    match failure {
        Some(failure) if exchange.status.is_none() => (Class::WrongRequest, failure.reason),
        _ if exchange.status != Some(status) => {
            (Class::WrongRequest, format!("the status is not {status}"))
        }
        Some(failure) if !failure.is_typed => (Class::ErrorWithoutType, failure.reason),
        _ => (Class::Fine, String::new()),
    }
}

/// The error of a call. The only code here that knows the variants of the client's errors.
#[derive(Debug)]
pub struct Failure {
    reason: String,
    /// The document does not have the status or media type of the response.
    is_undocumented: bool,
    /// The response is a documented error, with the type of its body.
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

/// A request body of a generated type, from JSON.
///
/// # Errors
/// If the type cannot hold the JSON.
pub fn body<T: DeserializeOwned>(json: serde_json::Value) -> Result<T, Failure> {
    let shown = json.to_string();
    serde_json::from_value(json).map_err(|error| Failure {
        reason: format!(
            "{} cannot hold {shown}: {error}",
            std::any::type_name::<T>()
        ),
        is_undocumented: false,
        is_typed: false,
    })
}

/// A body of a generated response.
pub trait Body {
    type Value;

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

plain!(
    bool,
    String,
    i32,
    i64,
    u32,
    u64,
    f64,
    serde_json::Value,
    Bytes
);

/// Makes a call, expects a response with a body that passes a check, and returns the body: `ok!(calls, "create a book",
/// client.create(body(json)?), CreateResponse::Created, |book| book.title == "Emma")`. If the response has several media
/// types, the expected one follows: `GetResponse::Ok => GetContent::Json`.
#[macro_export]
macro_rules! ok {
    ($calls:expr, $name:expr, $call:expr, $response:path $(=> $content:path)?, $check:expr) => {{
        let response: Result<_, $crate::Failure> = async { Ok($call.await?) }.await;
        let value = match response {
            #[allow(unused_parens)]
            Ok($response { body: ($($content)? (body)), .. }) => Ok($crate::Body::value(body).await),
            #[allow(unreachable_patterns)]
            Ok(_) => Ok(None),
            Err(failure) => Err(failure),
        };
        $calls.success($name, value, $check)
    }};
}

/// Makes a call and expects a response without a body: `done!(calls, "delete a book", client.delete(7),
/// DeleteResponse::NoContent)`.
#[macro_export]
macro_rules! done {
    ($calls:expr, $name:expr, $call:expr, $response:path) => {
        $calls.without_body($name, async { Ok($call.await?) }.await, |response| {
            matches!(response, $response { .. })
        })
    };
}

/// Makes a call and expects an error status: `error!(calls, "read an unknown book", client.get(0), 404)`.
#[macro_export]
macro_rules! error {
    ($calls:expr, $name:expr, $call:expr, $status:literal) => {
        $calls.failure($name, async { Ok($call.await?) }.await, $status)
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_status(status: impl Into<Option<u16>>) -> Exchange {
        Exchange {
            status: status.into(),
            ..Exchange::default()
        }
    }

    fn failure(is_undocumented: bool, is_typed: bool) -> Failure {
        Failure {
            reason: "R".into(),
            is_undocumented,
            is_typed,
        }
    }

    #[test]
    fn classifies_calls_that_should_succeed() {
        for (result, status, class) in [
            (Ok(Some(7)), Some(200), Class::Fine),
            (Ok(Some(8)), Some(200), Class::LostValue),
            (Ok(None), Some(201), Class::SuccessAsError),
            (Ok(None), Some(404), Class::WrongRequest),
            (Err(failure(false, false)), None, Class::WrongRequest),
            (Err(failure(true, false)), Some(422), Class::WrongRequest),
            (Err(failure(true, false)), Some(201), Class::SuccessAsError),
            (Err(failure(false, false)), Some(200), Class::Undecodable),
        ] {
            let judged = judge_success(&result, &with_status(status), |value| *value == 7);
            assert_eq!(judged.0, class, "{result:?} {status:?}");
        }
    }

    #[test]
    fn classifies_calls_that_should_fail() {
        for (result, status, class) in [
            (None, Some(404), Class::Fine),
            (Some(failure(false, true)), Some(404), Class::Fine),
            (
                Some(failure(true, false)),
                Some(404),
                Class::ErrorWithoutType,
            ),
            (Some(failure(false, true)), Some(422), Class::WrongRequest),
            (None, Some(200), Class::WrongRequest),
            (Some(failure(false, false)), None, Class::WrongRequest),
        ] {
            let said = format!("{result:?} {status:?}");
            let judged = judge_failure(result, &with_status(status), 404);
            assert_eq!(judged.0, class, "{said}");
        }
    }
}
