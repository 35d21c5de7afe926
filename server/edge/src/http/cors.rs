//! Decides which responses a script of another site may read (the Fetch standard's CORS protocol).
//!
//! They are those of GET (and HEAD) routes that work without a key, and errors 404 and 405 of addresses that
//! are no operation's, if no key was sent: a script with a mistyped path sees why it fails. Keys are for
//! servers: `service-api-key` is never among the allowed headers, so that a browser refuses to send it.
//!
//! The layer of `tower-http` decides by the origin, and answers every OPTIONS as a preflight. Here the
//! route and the key decide, and an OPTIONS that is no preflight for such a read is an ordinary
//! request, which the contract answers with 405 (`preflights_never_allow_keys`).

use axum::body::Body;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
};
use http::{HeaderValue, Method, Request, StatusCode, Uri};

use super::KEY_HEADER;
use super::request_context::OperationId;

const ANYONE: HeaderValue = HeaderValue::from_static("*");
const READS: HeaderValue = HeaderValue::from_static("GET, HEAD");
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static("if-none-match");
const ANSWER_HEADERS: HeaderValue = HeaderValue::from_static(
    "deprecation, etag, link, retry-after, sunset, x-content-type-options, x-page-key, x-ratelimit-limit, \
     x-ratelimit-remaining, x-ratelimit-reset, x-request-id",
);
const A_DAY: HeaderValue = HeaderValue::from_static("86400");

/// The part of a request that decides on the sharing of its answer.
pub(super) struct CorsRequest {
    /// The target of a GET or HEAD without a key.
    target: Option<Uri>,
    /// Whether it has no key, and is no OPTIONS, whose answer would be taken for a preflight's.
    is_plain: bool,
}

impl CorsRequest {
    pub(super) fn of(request: &Request<Body>) -> Self {
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let has_key = request.headers().contains_key(KEY_HEADER);
        Self {
            target: (reads && !has_key).then(|| request.uri().clone()),
            is_plain: !has_key && *request.method() != Method::OPTIONS,
        }
    }

    /// Whether any site may read an answer that is no operation's.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether any site may read the answer. `works_without_key` returns whether a target has a GET that
    /// needs no key.
    pub(super) fn is_public(&self, works_without_key: impl FnOnce(&Uri) -> bool) -> bool {
        self.target.as_ref().is_some_and(works_without_key)
    }
}

/// Whether an answer says that its address, or the method there, is no operation's.
pub(super) fn is_of_no_operation(response: &Response, operation: Option<OperationId>) -> bool {
    let is_unknown = matches!(
        response.status(),
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED
    );
    is_unknown && operation.is_none() && response.extensions().get::<OperationId>().is_none()
}

/// Sets the headers with which any site may read the response.
pub(super) fn share(response: &mut Response) {
    response.headers_mut().extend([
        (ACCESS_CONTROL_ALLOW_ORIGIN, ANYONE),
        (ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_HEADERS),
    ]);
}

/// Answers a preflight for a GET that works without a key. It reaches no handler and no limit. Any
/// other OPTIONS is an ordinary request, to be answered by the API.
pub(super) fn preflight(
    request: &Request<Body>,
    works_without_key: impl Fn(&Uri) -> bool,
) -> Option<Response> {
    if *request.method() != Method::OPTIONS {
        return None;
    }
    let wanted = request.headers().get(ACCESS_CONTROL_REQUEST_METHOD)?;
    let is_preflight = request.headers().contains_key(ORIGIN)
        && [b"GET".as_slice(), b"HEAD"].contains(&wanted.as_bytes());
    if !is_preflight || !works_without_key(request.uri()) {
        return None;
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().extend([
        (ACCESS_CONTROL_ALLOW_ORIGIN, ANYONE),
        (ACCESS_CONTROL_ALLOW_METHODS, READS),
        (ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
        (ACCESS_CONTROL_MAX_AGE, A_DAY),
    ]);
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: fn(&Uri) -> bool = |uri| uri.path() == "/open";

    fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    }

    #[test]
    fn only_key_less_reads_are_shared() {
        let key = ("service-api-key", "anything");
        let check = |request, public| {
            assert_eq!(CorsRequest::of(&request).is_public(OPEN), public);
        };
        check(request("GET", "/open?q=a", &[]), true);
        check(request("HEAD", "/open", &[]), true);
        check(request("GET", "/open", &[key]), false);
        check(request("POST", "/open", &[]), false);
        check(request("GET", "/closed", &[]), false);
    }

    #[test]
    fn preflights_of_key_less_reads_are_answered_and_no_others() {
        let origin = ("origin", "https://example.org");
        let get = ("access-control-request-method", "GET");
        let post = ("access-control-request-method", "POST");
        let check = |request, answered| assert_eq!(preflight(&request, OPEN).is_some(), answered);
        check(request("OPTIONS", "/open", &[origin, get]), true);
        check(request("OPTIONS", "/open", &[origin, post]), false);
        check(request("OPTIONS", "/open", &[origin]), false);
        check(request("OPTIONS", "/open", &[get]), false);
        check(request("OPTIONS", "/closed", &[origin, get]), false);
        check(request("GET", "/open", &[origin, get]), false);
    }

    #[test]
    fn a_key_is_never_allowed() {
        let preflight_request = request(
            "OPTIONS",
            "/open",
            &[
                ("origin", "https://example.org"),
                ("access-control-request-method", "GET"),
                ("access-control-request-headers", "service-api-key"),
            ],
        );
        let answer = preflight(&preflight_request, OPEN).unwrap();
        assert_eq!(
            answer.headers()[ACCESS_CONTROL_ALLOW_HEADERS],
            "if-none-match"
        );
    }
}
