//! A request for an operation, admitted and not yet read.

use axum_core::body::Body;
use http::HeaderMap;
use http::request::Parts;
use http_body::Body as _;

use crate::http::captures::Captures;
use crate::http::limits::Limits;
use crate::http::media;
use crate::http::operation::Operation;
use crate::http::rejection::Rejection;
use crate::service::security::AuthRequest;

/// An admitted request for an operation.
pub struct Call<V> {
    /// The operation.
    pub operation: &'static Operation,
    /// What the host keeps of the request.
    pub context: V,
    /// What the path gave to its parameters.
    pub captures: Captures,
    /// The head of the request.
    pub parts: Parts,
    /// The body, unread.
    pub body: Body,
    /// The bounds to read it within.
    pub limits: Limits,
}

impl<V> Call<V> {
    /// What its caller is asked with.
    pub const fn auth_request(&self) -> AuthRequest<'_, V> {
        AuthRequest {
            operation: self.operation,
            context: &self.context,
            parts: &self.parts,
        }
    }

    /// What the headers alone refuse.
    ///
    /// # Errors
    /// Returns [`Rejection::TooLarge`], [`Rejection::MediaType`] or
    /// [`Rejection::NotAcceptable`]; the first of these that applies, in this
    /// order.
    pub fn negotiate(&self) -> Result<(), Rejection> {
        negotiate(self.operation, self.limits, &self.parts.headers, &self.body)
    }
}

fn negotiate(
    operation: &Operation,
    limits: Limits,
    headers: &HeaderMap,
    body: &Body,
) -> Result<(), Rejection> {
    if !operation.consumes.is_empty() {
        let consumed = media::consumed(headers, operation.consumes);
        let streamed = consumed.is_some_and(|index| operation.streamed.contains(&index));
        let limit = if streamed { limits.stream } else { limits.body };
        if body.size_hint().lower() > limit {
            return Err(Rejection::TooLarge { limit });
        }
        // A request without a body and without a type is not of a wrong
        // type; whether it needs a body is seen when it is read.
        let typed = headers.contains_key(http::header::CONTENT_TYPE) || !body.is_end_stream();
        if typed && consumed.is_none() {
            let consumes = operation.consumes;
            return Err(Rejection::MediaType { consumes });
        }
    }
    let produces = operation.produces;
    if !produces.is_empty() && media::acceptable(headers, produces).is_none() {
        return Err(Rejection::NotAcceptable);
    }
    Ok(())
}
