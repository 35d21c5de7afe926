//! A request for an operation, admitted and not yet read.

use axum::body::Body;
use http::HeaderMap;
use http::request::Parts;
use http_body::Body as _;

use super::captures::Captures;
use super::fault::Fault;
use super::media;
use super::operation::Operation;
use super::security::Asked;
use super::service::Limits;

/// An admitted request for an operation.
pub struct Call<V> {
    /// The operation.
    pub operation: &'static Operation,
    /// What the host remembers of the visitor.
    pub visitor: V,
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
    pub const fn asked(&self) -> Asked<'_, V> {
        Asked {
            operation: self.operation,
            visitor: &self.visitor,
            parts: &self.parts,
        }
    }

    /// What the headers alone refuse.
    ///
    /// # Errors
    /// [`Fault::TooLarge`], [`Fault::MediaType`] and [`Fault::NotAcceptable`],
    /// in this order.
    pub fn negotiate(&self) -> Result<(), Fault> {
        negotiate(self.operation, self.limits, &self.parts.headers, &self.body)
    }
}

fn negotiate(
    operation: &Operation,
    limits: Limits,
    headers: &HeaderMap,
    body: &Body,
) -> Result<(), Fault> {
    if !operation.consumes.is_empty() {
        let consumed = media::consumed(headers, operation.consumes);
        let streamed = consumed.is_some_and(|index| operation.streamed.contains(&index));
        let limit = if streamed { limits.stream } else { limits.body };
        if body.size_hint().lower() > limit {
            return Err(Fault::TooLarge { limit });
        }
        // A request without a body and without a type is not of a wrong
        // type; whether it needs a body is seen when it is read.
        let typed = headers.contains_key(http::header::CONTENT_TYPE) || !body.is_end_stream();
        if typed && consumed.is_none() {
            return Err(Fault::MediaType);
        }
    }
    let produces = operation.produces;
    if !produces.is_empty() && media::acceptable(headers, produces).is_none() {
        return Err(Fault::NotAcceptable);
    }
    Ok(())
}
