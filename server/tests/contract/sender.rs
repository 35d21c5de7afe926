//! Sends requests over real sockets and validates every response.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::body::Body;
use bytes::Bytes;
use generated::client::{HttpTransport, Transport};
use generated::runtime::Retries;
use http::{HeaderValue, Request, Response};
use http_body_util::{BodyExt as _, Collected};
use serde_json::Value;

use super::coverage::{Coverage, Sent};
use super::document::{Operation, Parameter};
use super::mutations::Proxy;
use super::validator::AnswerValidator;

/// The contract's checks and the coverage, shared by all scenarios.
pub struct Harness {
    pub validator: Arc<AnswerValidator>,
    pub coverage: Arc<Coverage>,
    /// The proxy that responses pass through.
    proxy: Option<Arc<Proxy>>,
    visitors: AtomicU32,
}

/// The beginning of a failure message that says how a response violates the contract.
pub const VERDICT: &str = "against the contract:";

/// A transport of the typed client, and of handmade requests.
///
/// It acts as a trusted proxy: a request that names no client gets the address of a new network, so
/// that limits only matter in tests about them.
#[derive(Clone)]
pub struct Sender {
    http: HttpTransport,
    harness: Arc<Harness>,
}

impl Harness {
    pub fn new(validator: AnswerValidator) -> Harness {
        Harness {
            validator: Arc::new(validator),
            coverage: Arc::default(),
            proxy: None,
            visitors: AtomicU32::new(0),
        }
    }

    /// A harness with the same checks and coverage, with a proxy between the server and the scenarios.
    pub fn behind(&self, proxy: Arc<Proxy>) -> Harness {
        Harness {
            validator: Arc::clone(&self.validator),
            coverage: Arc::clone(&self.coverage),
            proxy: Some(proxy),
            visitors: AtomicU32::new(0),
        }
    }

    /// An address in a /48 of its own, since many /64s of one share a window.
    fn stranger(&self) -> String {
        let number = self.visitors.fetch_add(1, Ordering::Relaxed);
        format!("2001:{:x}:{:x}::1", 0xdb8 + (number >> 12), number & 0xfff)
    }
}

impl Sender {
    pub fn new(harness: Arc<Harness>) -> Sender {
        Sender {
            http: HttpTransport::builder().retries(Retries::NONE).build(),
            harness,
        }
    }

    /// The harness.
    pub fn harness(&self) -> &Harness {
        &self.harness
    }

    /// Sends a request that the contract does not describe: a CORS preflight.
    pub async fn send_unchecked(&self, request: Request<Bytes>) -> Response<Bytes> {
        self.carry(request).await.expect("an answer")
    }

    /// Sends a request and has its answer checked.
    pub async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, String> {
        let (parts, body) = Transport::send(self, request.map(Body::from))
            .await?
            .into_parts();
        Ok(Response::from_parts(parts, whole(body).await?))
    }

    async fn carry(&self, request: Request<Bytes>) -> Result<Response<Bytes>, String> {
        if let Some(proxy) = &self.harness.proxy {
            let document = &self.harness.validator.document;
            return proxy.carry(document, &self.http, request).await;
        }
        let answer = self.http.send(request.map(Body::from)).await;
        let (parts, body) = answer.map_err(|it| it.to_string())?.into_parts();
        Ok(Response::from_parts(parts, whole(body).await?))
    }
}

impl Transport for Sender {
    type Error = String;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, String> {
        let (parts, body) = request.into_parts();
        let mut request = Request::from_parts(parts, whole(body).await?);
        let document = &self.harness.validator.document;
        if !request.headers().contains_key("x-forwarded-for") {
            let address = HeaderValue::try_from(self.harness.stranger()).unwrap();
            request.headers_mut().insert("x-forwarded-for", address);
        }
        let (method, uri) = (request.method().to_string(), request.uri().clone());
        let parameters = match document.matching(&method, uri.path()) {
            Some(operation) => sent_parameters(&request, operation),
            None => Vec::new(),
        };
        let answer = self.carry(request).await?;
        let body: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
        self.harness.coverage.note(
            document,
            &Sent {
                method: &method,
                path: uri.path(),
                parameters,
                status: answer.status().as_u16(),
                code: body["code"].as_str().map(str::to_owned),
                refused: refused(&body),
            },
        );
        let violations = self
            .harness
            .validator
            .violations(&method, uri.path(), &answer);
        assert!(
            violations.is_empty(),
            "{method} {uri} is answered with {} {:?} {}\n{VERDICT}\n  {}",
            answer.status(),
            answer.headers(),
            String::from_utf8_lossy(answer.body()),
            violations.join("\n  "),
        );
        Ok(answer.map(Body::from))
    }
}

async fn whole(body: Body) -> Result<Bytes, String> {
    let whole = body.collect().await;
    whole.map(Collected::to_bytes).map_err(|it| it.to_string())
}

fn sent_parameters(request: &Request<Bytes>, operation: &Operation) -> Vec<String> {
    let query = request.uri().query().unwrap_or_default();
    let in_query: Vec<_> = query
        .split('&')
        .map(|pair| pair.split('=').next().unwrap_or_default())
        .collect();
    let is_sent = |parameter: &&Parameter| match parameter.place.as_str() {
        "path" => true,
        "query" => in_query.contains(&parameter.name.as_str()),
        _ => request.headers().contains_key(parameter.name.as_str()),
    };
    let sent = operation.parameters.iter().filter(is_sent);
    let mut sent: Vec<_> = sent.map(|it| it.name.clone()).collect();
    if !request.body().is_empty() {
        sent.push("body".to_owned());
    }
    sent
}

/// The places that a validation error names: parameters, or `body`.
fn refused(body: &Value) -> Vec<String> {
    let issues = body["data"]["issues"].as_array();
    let name = |issue: &Value| issue["parameter"].as_str().unwrap_or("body").to_owned();
    issues.into_iter().flatten().map(name).collect()
}
