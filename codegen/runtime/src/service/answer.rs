//! The rules of HTTP for every answer, of a handler or of the framework.

use axum_core::body::Body;
use http::header::{
    ACCEPT, ALLOW, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use http_body::Body as _;

use crate::http::media;
use crate::http::operation::Operation;
use crate::http::rejection::{Answer, DefaultBody, Rejection};
use crate::service::challenge::challenges;

/// The response to a rejection, with the headers that its status asks for
/// (RFC 9110, sections 11.6.1, 15.5.6 and 15.6.4).
pub(crate) fn of_rejection(
    rejection: &Rejection,
    answer: Answer,
    operation: Option<&Operation>,
) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(answer.content_type));
    if answer.challenges {
        for challenge in
            operation.map_or_else(Vec::new, |operation| challenges(operation, rejection))
        {
            headers.append(WWW_AUTHENTICATE, challenge);
        }
    }
    match rejection {
        Rejection::Method { allow } => {
            if let Ok(allow) = HeaderValue::from_str(allow) {
                headers.insert(ALLOW, allow);
            }
        }
        // The media types that the operation takes (RFC 9110, section 15.5.16).
        Rejection::MediaType { consumes } => {
            if let Ok(types) = HeaderValue::try_from(consumes.join(", ")) {
                headers.insert(ACCEPT, types);
            }
        }
        Rejection::Unavailable { retry_after } => {
            headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after));
        }
        _ => {}
    }
    response
}

/// The header that says since when an operation is deprecated (RFC 9745).
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// The header that says when an operation ends (RFC 8594).
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Says that an operation is deprecated, and when it ends.
pub(crate) fn tell_end(operation: &Operation, headers: &mut HeaderMap) {
    let dates = [
        (DEPRECATION, operation.deprecation),
        (SUNSET, operation.sunset),
    ];
    for (name, date) in dates {
        if let Some(date) = date {
            headers.insert(name, HeaderValue::from_static(date));
        }
    }
}

/// Whether a client with these headers takes an answer: an error it takes in
/// any form.
pub(crate) fn is_admitted(response: &Response<Body>, headers: &HeaderMap) -> bool {
    let answered = response.headers().get(CONTENT_TYPE);
    let answered = answered.and_then(|value| value.to_str().ok());
    !response.status().is_success()
        || answered.is_none_or(|answered| media::admits(headers, answered))
}

/// The answer where not even an answer can be worded.
pub(crate) fn of_nobody() -> Response<Body> {
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    let answer = Answer::json(status, &DefaultBody::new(status.as_u16(), &[]));
    of_rejection(&Rejection::Internal, answer, None)
}

/// Whether the client waits to be asked for the body (RFC 9110, section
/// 10.1.1).
pub(crate) fn expects_continue(headers: &HeaderMap) -> bool {
    headers
        .get(EXPECT)
        .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

/// The answer to `HEAD`: the headers of the one to `GET`, its length
/// included, and no body (RFC 9110, section 9.3.2).
pub(crate) fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    let has_content =
        !parts.status.is_informational() && !matches!(parts.status.as_u16(), 204 | 304);
    if let Some(length) = body.size_hint().exact().filter(|_| has_content) {
        parts
            .headers
            .entry(CONTENT_LENGTH)
            .or_insert_with(|| HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}
