//! Refuses heads that hyper reads and that another program could read differently.
//!
//! A request of HTTP/1.1 must have one valid `Host` (RFC 9112, section 3.2). A `Transfer-Encoding` other
//! than `chunked` alone would be framed by its last coding and given to the API with the others still
//! applied. A target with another host than `Host` could be routed by either. Like a head that hyper cannot read, such a request gets a 400 without a body, and the
//! connection is closed.

use axum::body::Body;
use axum::response::Response;
use http::header::{CONNECTION, HOST, HeaderName, TRANSFER_ENCODING};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Request, StatusCode, Version};

use super::response_headers;

/// The answer to a request whose head is refused; `None` for any other request.
pub(super) fn refusal<B>(request: &Request<B>) -> Option<Response> {
    let headers = request.headers();
    let has_host = match only(headers, &HOST) {
        Some(host) => is_host(host),
        None => request.version() < Version::HTTP_11 && !headers.contains_key(HOST),
    };
    let is_framed = !headers.contains_key(TRANSFER_ENCODING)
        || only(headers, &TRANSFER_ENCODING)
            .is_some_and(|coding| coding.as_bytes().eq_ignore_ascii_case(b"chunked"));
    if has_host && is_framed && is_of_one_host(request) {
        return None;
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response_headers::vary(&mut response);
    Some(response)
}

/// Whether a target that names a host names that of the header: the target counts (RFC 9112, section 3.2.2), and
/// everything behind this reads the header.
fn is_of_one_host<B>(request: &Request<B>) -> bool {
    let target = request.uri().authority().map(Authority::as_str);
    let host = only(request.headers(), &HOST).map(HeaderValue::as_bytes);
    target.is_none_or(|target| host.is_none_or(|host| host.eq_ignore_ascii_case(target.as_bytes())))
}

/// The value of a field that stands there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

/// A host with or without a port, or nothing.
fn is_host(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    bytes.is_empty() || (!bytes.contains(&b'@') && Authority::try_from(bytes).is_ok())
}
