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
pub struct Call<C> {
    /// The operation.
    pub operation: &'static Operation,
    /// The host's context of the request.
    pub context: C,
    /// The values of the path parameters.
    pub captures: Captures,
    /// The head of the request.
    pub parts: Parts,
    /// The body, unread.
    pub body: Body,
    /// The limits of reading the body.
    pub limits: Limits,
}

impl<C> Call<C> {
    /// The request, as authentication sees it.
    pub const fn auth_request(&self) -> AuthRequest<'_, C> {
        AuthRequest {
            operation: self.operation,
            context: &self.context,
            parts: &self.parts,
        }
    }

    /// Checks the length, the media type and `Accept`, by the headers alone.
    ///
    /// # Errors
    /// Returns [`Rejection::TooLarge`], [`Rejection::MediaType`] or
    /// [`Rejection::NotAcceptable`]; the first of these that applies, in this
    /// order.
    pub fn negotiate(&self) -> Result<(), Rejection> {
        negotiate(self.operation, self.limits, &self.parts.headers, &self.body)
    }
}

/// [`Call::negotiate`], compiled once for all hosts.
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
    let is_strict = !operation.lenient && !produces.is_empty();
    if is_strict && media::acceptable(headers, produces).is_none() {
        return Err(Rejection::NotAcceptable);
    }
    Ok(())
}
