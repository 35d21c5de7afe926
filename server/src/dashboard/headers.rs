//! The headers of every answer of the dashboard.

use axum::response::Response;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, REFERRER_POLICY, VARY, X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue};

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// A page loads files of this server, none inline, and sends its forms and requests to it; nothing frames it.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

/// Sets the headers of an answer. No cache keeps any of them: the page depends on the account that is signed in.
///
/// The referrer stays within the site. With `no-referrer` a browser would send `Origin: null` with forms.
pub(super) fn set(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.append(VARY, HeaderValue::from_static("cookie"));
}

/// Has the browser delete the data of the site, at the end of a session.
pub(super) fn clear_site(response: &mut Response) {
    let everything = HeaderValue::from_static("\"cache\", \"cookies\", \"storage\"");
    response.headers_mut().insert(CLEAR_SITE_DATA, everything);
}
