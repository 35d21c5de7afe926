//! Every operation, called through the client and the service.

use crate::*;
use axum::body::Body;
use bytes::Bytes;
use http::response::Parts;
use http::{HeaderValue, Request, Response};
use http_body_util::BodyExt as _;
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use subject::client::{Client, ClientError, Transport};
use subject::runtime::__private::Dispatch;
use subject::runtime::{ByteStream, Limits, Service};
use subject::service::Dispatcher;
use subject::{Encoded, HandlerError, Rejection, Host};
use tower_service::Service as _;

pub type Outcome = Result<(), String>;
pub type Run<'a> = Pin<Box<dyn Future<Output = Outcome> + 'a>>;
pub type Caller = Client<Loopback<Dispatcher<Stub>>>;

thread_local! {
    static HEARD: RefCell<String> = RefCell::default();
    static WIRE: RefCell<Option<(Parts, Bytes)>> = RefCell::default();
    static PANIC: RefCell<String> = RefCell::default();
}

/// Calls them all, and says which failed.
pub fn all() -> Vec<String> {
    std::panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().expect("a runtime");
    let client = Client::new(
        "http://localhost",
        Loopback(subject::service::service(
            Arc::new(Stub),
            limits(),
        )),
    );
    let client = cases::with_credentials(client);
    let mut operations = Vec::new();
    for number in 0..DATA.calls {
        let (id, run) = cases::call(number, &client);
        HEARD.take();
        WIRE.take();
        PANIC.take();
        let run = AssertUnwindSafe(|| runtime.block_on(run));
        let outcome = catch_unwind(run).unwrap_or_else(|_| Err(PANIC.take()));
        if let Err(why) = outcome {
            operations.push(format!("{id}: {why} {}", PANIC.take()));
        }
    }
    operations
}

pub fn limits() -> Limits {
    Limits {
        body: 64 << 20,
        ..Limits::default()
    }
}

pub fn encoded<T: DeserializeOwned + Serialize>(number: usize) -> Encoded<T> {
    Encoded::new(&value::<T>(number))
}

pub fn stream() -> ByteStream {
    ByteStream::from(Bytes::from_static(b"content"))
}

/// Keeps the arguments of a handler.
pub fn heard(arguments: &[&dyn Debug]) {
    HEARD.set(format!("{arguments:?}"));
}

/// Compares the arguments of the handler with those that were sent, and the client's response with the wire.
pub async fn judge<E: Debug>(
    status: u16,
    sent: String,
    answer: Result<Result<Response<Body>, Rejection>, ClientError<E>>,
) -> Outcome {
    let answer = match answer {
        Ok(answer) => answer.map_err(|rejection| format!("{rejection:?}"))?,
        Err(error) => return Err(format!("{error:?}")),
    };
    let heard = HEARD.take();
    if heard != sent {
        return Err(format!("sent {sent}, heard {heard}"));
    }
    let Some((parts, wire)) = WIRE.take() else {
        return Err("nothing was sent".to_owned());
    };
    if parts.status.as_u16() != status {
        return Err(format!("answered with {}, not {status}", parts.status));
    }
    let (again, body) = answer.into_parts();
    let body = body.collect().await.map_err(|error| error.to_string())?.to_bytes();
    let json = |bytes: &Bytes| serde_json::from_slice::<Value>(bytes).ok();
    let equal = match (json(&wire), json(&body)) {
        (Some(wire), Some(body)) => same(&wire, &body, false),
        _ => unbounded(&wire, &parts) == unbounded(&body, &again),
    };
    if !equal {
        return Err(format!("{wire:?} was read as {body:?}"));
    }
    for (name, value) in &again.headers {
        let known = |value: &HeaderValue, head: &Parts| unbounded(value.as_bytes(), head);
        let written = parts.headers.get(name).map(|value| known(value, &parts));
        if written != Some(known(value, &again)) {
            let wire = parts.headers.get(name);
            return Err(format!("{name}: {wire:?} was read as {value:?}"));
        }
    }
    Ok(())
}

/// A text without the boundary between parts, which is another one each time.
fn unbounded(text: &[u8], head: &Parts) -> Vec<u8> {
    let kind = head.headers.get("content-type").and_then(|kind| kind.to_str().ok());
    match kind.and_then(|kind| kind.split_once("; boundary=")) {
        Some((_, boundary)) => String::from_utf8_lossy(text).replace(boundary, "").into_bytes(),
        None => text.to_vec(),
    }
}

/// The service in the place of a server.
pub struct Loopback<D: Dispatch>(pub Service<D>);

impl<D: Dispatch> Transport for Loopback<D> {
    type Error = Infallible;

    async fn send(&self, mut request: Request<Body>) -> Result<Response<Body>, Infallible> {
        // Of every certificate, what the stub asks to know.
        request.extensions_mut().insert(());
        let answer = self.0.clone().call(request).await?;
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.map(|body| body.to_bytes());
        let bytes = bytes.unwrap_or_default();
        WIRE.set(Some((parts.clone(), bytes.clone())));
        Ok(Response::from_parts(parts, Body::from(bytes)))
    }
}

pub struct Stub;

impl Host for Stub {
    type Context = ();
    type Error = HandlerError;
}
