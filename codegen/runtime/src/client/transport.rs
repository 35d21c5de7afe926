//! Transports of the typed client's requests.

use std::future::Future;

use axum_core::body::Body;
use http::{Request, Response};

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

/// The answer may be a stream, of which nobody knows how long it takes; among the extensions of its request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StreamedAnswer;
