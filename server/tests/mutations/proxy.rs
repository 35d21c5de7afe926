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

use super::{Mutation, room};
use crate::document::{Document, Operation};

/// A proxy that mutates responses. Without a mutation it only re-encodes their bodies, to prove
/// that re-encoding alone is not noticed.
#[derive(Default)]
pub struct Proxy {
    mutation: Option<Arc<Mutation>>,
    is_applied: AtomicBool,
    good: Mutex<BTreeMap<(String, u16), Response<Bytes>>>,
}

impl Proxy {
    /// A proxy that makes this mutation in every response that it applies to.
    pub fn with(mutation: Arc<Mutation>) -> Proxy {
        Proxy {
            mutation: Some(mutation),
            ..Proxy::default()
        }
    }

    /// Whether an answer was mutated.
    pub fn is_applied(&self) -> bool {
        self.is_applied.load(Ordering::SeqCst)
    }

    /// The answer with most room for mutations that came through for each operation and status.
    pub fn good(&self) -> BTreeMap<(String, u16), Response<Bytes>> {
        self.good.lock().unwrap().clone()
    }

    /// Sends a request and gives its answer, mutated if the mutation is about it.
    pub async fn carry(
        &self,
        document: &Document,
        http: &HttpTransport,
        mut request: Request<Bytes>,
    ) -> Result<Response<Bytes>, String> {
        let path = request.uri().path().to_owned();
        let operation = document.matching(request.method().as_str(), &path);
        let Some(operation) = operation.filter(|operation| self.is_about(operation)) else {
            return send(http, request).await;
        };
        // JSON is mutated, not what gzip makes of it.
        request.headers_mut().remove(ACCEPT_ENCODING);
        // A server that answers so would send the length of the mutated body.
        let is_head = request.method() == Method::HEAD;
        if is_head {
            *request.method_mut() = Method::GET;
        }
        let mut answer = send(http, request).await?;
        answer = self.mutate(operation, answer);
        if is_head {
            *answer.body_mut() = Bytes::new();
        }
        Ok(answer)
    }

    fn is_about(&self, operation: &Operation) -> bool {
        let mutation = self.mutation.as_ref();
        mutation.is_none_or(|mutation| mutation.operation == operation.id)
    }

    fn mutate(&self, operation: &Operation, answer: Response<Bytes>) -> Response<Bytes> {
        let status = answer.status().as_u16();
        let mutated = match &self.mutation {
            None => {
                self.keep(operation, &answer);
                Some(written_anew(answer.clone()))
            }
            Some(mutation) if mutation.status == status => mutation.apply_to(answer.clone()),
            Some(_) => None,
        };
        let Some(mut mutated) = mutated else {
            return answer;
        };
        self.is_applied.store(true, Ordering::SeqCst);
        let length = mutated.body().len();
        if let Some(told) = mutated.headers_mut().get_mut(CONTENT_LENGTH) {
            *told = length.into();
        }
        mutated
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

/// The same value in other bytes, as a mutation leaves the rest of a body.
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
