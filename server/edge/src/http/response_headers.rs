//! Headers that control how browsers and caches treat a response.

use axum::response::Response;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, VARY, X_CONTENT_TYPE_OPTIONS};

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const KEY_AND_FORM: HeaderValue =
    HeaderValue::from_static("accept, accept-encoding, service-api-key");

/// On every response: it is of the type that it names, and no cache keeps it if it is an error.
pub(super) fn protect(response: &mut Response) {
    let is_error = response.status().as_u16() >= 400;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    if is_error {
        headers.insert(CACHE_CONTROL, NO_STORE);
    }
}

/// On every response of the API: the request's key, `Accept` and `Accept-Encoding` decide on it.
pub(super) fn vary(response: &mut Response) {
    response.headers_mut().append(VARY, KEY_AND_FORM);
}
