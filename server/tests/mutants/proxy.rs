//! A proxy between a server and its clients.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use bytes::Bytes;
use generated::client::{HttpTransport, Transport as _};
use http::header::{ACCEPT_ENCODING, CONTENT_LENGTH};
use http::{Method, Request, Response};
use http_body_util::BodyExt as _;
use serde_json::Value;

use super::{Fault, room};
use crate::document::{Document, Operation, Target};

/// A proxy that puts a fault into responses. Without a fault it only re-encodes their bodies, to prove
/// that re-encoding alone is not noticed.
#[derive(Default)]
pub struct Proxy {
    fault: Option<Arc<Fault>>,
    is_put: AtomicBool,
    good: Mutex<BTreeMap<(String, u16), Response<Bytes>>>,
}

impl Proxy {
    /// A proxy that puts this fault into every response that it applies to.
    pub fn with(fault: Arc<Fault>) -> Proxy {
        Proxy {
            fault: Some(fault),
            ..Proxy::default()
        }
    }

    /// Whether an answer had the fault.
    pub fn is_put(&self) -> bool {
        self.is_put.load(Ordering::SeqCst)
    }

    /// The answer with most room for faults that came through for each operation and status.
    pub fn good(&self) -> BTreeMap<(String, u16), Response<Bytes>> {
        self.good.lock().unwrap().clone()
    }

    /// Sends a request and gives its answer, with the fault if it is about it.
    pub async fn carry(
        &self,
        document: &Document,
        http: &HttpTransport,
        mut request: Request<Bytes>,
    ) -> Result<Response<Bytes>, String> {
        let path = request.uri().path().to_owned();
        let operation = match document.target(request.method().as_str(), &path) {
            Target::Operation(operation) if self.is_about(operation) => operation,
            _ => return send(http, request).await,
        };
        // A fault is put into JSON, not into what gzip makes of it.
        request.headers_mut().remove(ACCEPT_ENCODING);
        // A server with the fault would send the length of the faulty body.
        let is_head = request.method() == Method::HEAD;
        if is_head {
            *request.method_mut() = Method::GET;
        }
        let mut answer = send(http, request).await?;
        answer = self.spoil(operation, answer);
        if is_head {
            *answer.body_mut() = Bytes::new();
        }
        Ok(answer)
    }

    fn is_about(&self, operation: &Operation) -> bool {
        let fault = self.fault.as_ref();
        fault.is_none_or(|fault| fault.operation == operation.id)
    }

    fn spoil(&self, operation: &Operation, answer: Response<Bytes>) -> Response<Bytes> {
        let status = answer.status().as_u16();
        let spoilt = match &self.fault {
            None => {
                self.keep(operation, &answer);
                Some(written_anew(answer.clone()))
            }
            Some(fault) if fault.status == status => fault.put_into(answer.clone()),
            Some(_) => None,
        };
        let Some(mut spoilt) = spoilt else {
            return answer;
        };
        self.is_put.store(true, Ordering::SeqCst);
        let length = spoilt.body().len();
        if let Some(told) = spoilt.headers_mut().get_mut(CONTENT_LENGTH) {
            *told = length.into();
        }
        spoilt
    }

    fn keep(&self, operation: &Operation, answer: &Response<Bytes>) {
        let at = (operation.id.clone(), answer.status().as_u16());
        let mut good = self.good.lock().unwrap();
        let known = good.entry(at).or_insert_with(|| answer.clone());
        if room(operation, known) < room(operation, answer) {
            *known = answer.clone();
        }
    }
}

/// The same value in other bytes, as a fault leaves the rest of a body.
fn written_anew(answer: Response<Bytes>) -> Response<Bytes> {
    answer.map(|body| match serde_json::from_slice::<Value>(&body) {
        Ok(value) => value.to_string().into(),
        Err(_) => body,
    })
}

async fn send(http: &HttpTransport, request: Request<Bytes>) -> Result<Response<Bytes>, String> {
    let answer = http.send(request.map(Body::from)).await;
    let (parts, body) = answer.map_err(|it| it.to_string())?.into_parts();
    let whole = body.collect().await.map_err(|it| it.to_string())?;
    Ok(Response::from_parts(parts, whole.to_bytes()))
}
