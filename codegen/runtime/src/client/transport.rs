//! What carries the typed client's requests.

use std::error::Error;
use std::fmt;
use std::future::Future;

use axum_core::body::Body;
use http::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// Sends a request and brings back the answer. Bodies pass as they come, in
/// both directions.
pub trait Transport: Send + Sync {
    /// Why there was no answer.
    type Error: Send;

    /// Sends one request, and returns when the head of the answer is there.
    /// The URI is absolute.
    fn send(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Result<Response<Body>, Self::Error>> + Send;
}

/// HTTP/1.1 without encryption, over a pool of connections. A cheap clone
/// shares the pool.
#[derive(Debug, Clone)]
pub struct HttpTransport {
    client: Client<HttpConnector, Body>,
}

impl HttpTransport {
    /// A transport without connections yet. Sending needs a tokio runtime.
    #[must_use]
    pub fn new() -> Self {
        Self {
            client: Client::builder(TokioExecutor::new()).build_http(),
        }
    }
}

impl Default for HttpTransport {
    fn default() -> Self {
        Self::new()
    }
}

impl Transport for HttpTransport {
    type Error = HttpError;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, HttpError> {
        let answering = self.client.request(request).await;
        answering
            .map(|response| response.map(Body::new))
            .map_err(HttpError::new)
    }
}

/// A connection that failed.
#[derive(Debug)]
pub struct HttpError(Box<dyn Error + Send + Sync>);

impl HttpError {
    fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for HttpError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
