//! What carries the typed client's requests.

use std::error::Error;
use std::fmt;
use std::future::Future;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// Sends a request and brings back the whole answer.
pub trait Transport: Send + Sync {
    /// Why there was no answer.
    type Error: Send;

    /// Sends one request. The URI is absolute.
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, Self::Error>> + Send;
}

/// HTTP/1.1 without encryption, over a pool of connections. A cheap clone
/// shares the pool.
#[derive(Debug, Clone)]
pub struct HttpTransport {
    client: Client<HttpConnector, Full<Bytes>>,
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

    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let response = self
            .client
            .request(request.map(Full::new))
            .await
            .map_err(HttpError::new)?;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map_err(HttpError::new)?.to_bytes();
        Ok(Response::from_parts(parts, body))
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
