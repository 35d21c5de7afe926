//! One request to a generated service, without a socket.

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::BodyExt as _;
use serde_json::Value;
use std::convert::Infallible;
use tower_service::Service;

/// An answer with its whole body.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a body of JSON")
    }

    /// A header's text, empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("a header of text"))
    }

    /// What the answer to an invalid request complains of, sorted: `in at keyword`.
    pub fn issues(&self) -> Vec<String> {
        assert_eq!(self.status, 400, "{}", String::from_utf8_lossy(&self.body));
        let body = self.json();
        let issues = body["issues"].as_array().expect("a list of issues");
        let part = |issue: &Value, name: &str| issue[name].as_str().unwrap_or("?").to_owned();
        let mut found: Vec<String> = issues
            .iter()
            .map(|i| format!("{} {} {}", part(i, "in"), part(i, "at"), part(i, "keyword")))
            .collect();
        found.sort();
        found
    }
}

/// Sends a request.
pub async fn send<S>(service: &S, request: Request<Bytes>) -> Answer
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
{
    let answer = service.clone().call(request.map(Body::from)).await;
    let (parts, body) = answer.expect("a service that cannot fail").into_parts();
    Answer {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: body.collect().await.expect("a whole body").to_bytes(),
    }
}

/// Carries a client's request to a service; bodies pass as they come.
pub async fn carry<S>(service: &S, request: Request<Body>) -> Result<Response<Body>, Infallible>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
{
    service.clone().call(request).await
}

/// Sends a request that is made of a method, a target, headers and a body.
pub async fn request<S>(
    service: &S,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Answer
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
{
    let mut request = Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(service, request.body(body.into()).expect("a request")).await
}
