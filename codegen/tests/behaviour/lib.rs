//! Requests to a generated service, without a socket and over one.

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use std::convert::Infallible;
use std::time::Duration;
use tokio::net::TcpListener;
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

    /// The violations in the answer to an invalid request, sorted: `in at keyword`.
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

/// Serves a service at an address of this machine, which is returned, for as long as the test runs.
pub async fn serve<S>(service: S) -> String
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let service = service.clone();
            let answer = service_fn(move |request: Request<Incoming>| {
                service.clone().call(request.map(Body::new))
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), answer));
        }
    });
    format!("http://{address}")
}

/// Sends a request to a server.
pub async fn exchange(
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Answer {
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(body.into())).expect("a request");
    let client = Client::builder(TokioExecutor::new()).build_http();
    let (parts, body) = client
        .request(request)
        .await
        .expect("an answer")
        .into_parts();
    Answer {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: body.collect().await.expect("a whole body").to_bytes(),
    }
}

/// Asks a server for something.
pub async fn get(base: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
    exchange("GET", &format!("{base}{target}"), headers, "").await
}

/// Sends something to a server.
pub async fn post(
    base: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Answer {
    exchange("POST", &format!("{base}{target}"), headers, body).await
}

/// Waits for a future that completes soon or never.
pub async fn soon<T>(awaited: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(Duration::from_secs(20), awaited).await;
    waited.expect("it happens soon")
}
