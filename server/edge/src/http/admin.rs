//! Liveness, readiness and metrics for operators, on an address of their own.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HOST};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};

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
    async fn handle(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        if peer.ip().is_loopback() && !is_local(request.headers()) {
            let why = "use the address of this machine, or localhost";
            return text(StatusCode::MISDIRECTED_REQUEST, why);
        }
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

/// Whether a request names its host by an address or a name without dots. Other names may be those of a site whose pages
/// reach this machine by DNS rebinding.
fn is_local(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(HOST).filter(|host| !host.is_empty()) else {
        return true;
    };
    let host = Authority::try_from(host.as_bytes()).ok();
    host.is_some_and(|host| {
        let name = host.host().trim_matches(['[', ']']);
        name.parse::<IpAddr>().is_ok() || !name.contains('.')
    })
}

fn text(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = [(CONTENT_TYPE, TEXT), (CACHE_CONTROL, NO_STORE)];
    response.headers_mut().extend(headers);
    response
}
