//! Liveness, readiness and metrics for operators, on an address of their own.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, StatusCode};

use super::metrics::Metrics;
use super::serve::Handler;
use super::shutdown::Shutdown;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const PROMETHEUS: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const READS: HeaderValue = HeaderValue::from_static("GET, HEAD");

/// Answers `GET /livez`, `/readyz` and `/metrics`. To be served where only operators can reach it.
#[derive(Clone)]
pub struct Admin {
    metrics: Arc<Metrics>,
    readiness: Arc<dyn Fn() -> Result<String, String> + Send + Sync>,
    shutdown: Shutdown,
}

impl Admin {
    /// `readiness` says whether the server should get requests, and the body of `/readyz`: `Ok` if it
    /// is ready. Once a shutdown is requested it is not ready.
    pub fn new(
        metrics: Arc<Metrics>,
        readiness: impl Fn() -> Result<String, String> + Send + Sync + 'static,
        shutdown: Shutdown,
    ) -> Self {
        Self {
            metrics,
            readiness: Arc::new(readiness),
            shutdown,
        }
    }

    fn ready(&self) -> Response {
        let readiness = if self.shutdown.is_requested() {
            Err("shutting down".to_owned())
        } else {
            (self.readiness)()
        };
        match readiness {
            Ok(words) => text(StatusCode::OK, words),
            Err(reason) => text(StatusCode::SERVICE_UNAVAILABLE, reason),
        }
    }

    fn metrics(&self) -> Response {
        let mut response = text(StatusCode::OK, self.metrics.render());
        response.headers_mut().insert(CONTENT_TYPE, PROMETHEUS);
        response
    }
}

impl Handler for Admin {
    async fn handle(&self, _peer: SocketAddr, request: Request<Body>) -> Response {
        let answer: fn(&Self) -> Response = match request.uri().path() {
            "/livez" => |_| text(StatusCode::OK, "alive"),
            "/readyz" => Self::ready,
            "/metrics" => Self::metrics,
            _ => return text(StatusCode::NOT_FOUND, "try /livez, /readyz or /metrics"),
        };
        if matches!(*request.method(), Method::GET | Method::HEAD) {
            return answer(self);
        }
        let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD");
        response.headers_mut().insert(ALLOW, READS);
        response
    }
}

fn text(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = [(CONTENT_TYPE, TEXT), (CACHE_CONTROL, NO_STORE)];
    response.headers_mut().extend(headers);
    response
}
