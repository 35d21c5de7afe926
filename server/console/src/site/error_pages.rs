//! Error pages for browsers.
//!
//! Outside the API, an error whose body is JSON becomes a page where the request prefers one. The status stays,
//! and so do the headers that do not describe the body: limits and counts are decided before.

use std::net::SocketAddr;
use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::response::Response;
use edge::http::Handler;
use generated::operations::BASE_PATH;
use http::header::{
    CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, RETRY_AFTER,
};
use http::{HeaderValue, Method, Request, StatusCode};

use super::page::HTML;
use super::{Shell, SiteInfo, policy, prefers_html};

/// A handler `H` whose errors are pages for browsers.
#[derive(Clone)]
pub struct ErrorPages<H> {
    inner: H,
    info: Arc<SiteInfo>,
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    shell: Shell<'a>,
    title: &'static str,
    advice: &'static str,
    /// The path of the API, if the page does not exist.
    api: Option<&'static str>,
    /// The seconds after which the request may be sent again.
    retry_after: Option<&'a str>,
}

impl<H> ErrorPages<H> {
    /// Makes pages of the errors of `inner`.
    pub fn new(inner: H, info: SiteInfo) -> Self {
        Self {
            inner,
            info: Arc::new(info),
        }
    }

    fn page(&self, path: &str, response: &Response) -> Option<String> {
        let (title, advice) = title_and_advice(response.status());
        let retry_after = response.headers().get(RETRY_AFTER);
        let page = ErrorPage {
            shell: Shell::new(&self.info, path),
            title,
            advice,
            api: (response.status() == StatusCode::NOT_FOUND).then_some(BASE_PATH),
            retry_after: retry_after.and_then(|seconds| seconds.to_str().ok()),
        };
        page.render().ok()
    }
}

impl<H: Handler> Handler for ErrorPages<H> {
    async fn handle(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        let path = request.uri().path();
        if path.starts_with(BASE_PATH) || !prefers_html(request.headers()) {
            return self.inner.handle(peer, request).await;
        }
        let (path, is_head) = (path.to_owned(), request.method() == Method::HEAD);
        let mut response = self.inner.handle(peer, request).await;
        if is_error_in_json(&response)
            && let Some(page) = self.page(&path, &response)
        {
            replace_body(page, is_head, &mut response);
        }
        response
    }
}

fn is_error_in_json(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE);
    let is_json = content_type.is_some_and(|it| it.as_bytes().starts_with(b"application/json"));
    response.status().as_u16() >= 400 && is_json
}

fn replace_body(page: String, is_head: bool, response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_LENGTH, page.len().into());
    for (name, value) in [
        (CONTENT_TYPE, HTML),
        (CONTENT_SECURITY_POLICY, policy::PAGE),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    *response.body_mut() = match is_head {
        true => Body::empty(),
        false => Body::from(page),
    };
}

/// The title of the page about an error, and an advice.
fn title_and_advice(status: StatusCode) -> (&'static str, &'static str) {
    match status {
        StatusCode::NOT_FOUND => (
            "Page not found",
            "Check the address, or the page may have been removed.",
        ),
        StatusCode::METHOD_NOT_ALLOWED => (
            "This page is read-only",
            "This page does not support the request’s method. Open the page from a link.",
        ),
        StatusCode::TOO_MANY_REQUESTS => (
            "Too many requests",
            "Your network requested too many pages in the last minute. Wait, then reload this page.",
        ),
        StatusCode::SERVICE_UNAVAILABLE => (
            "Temporarily unavailable",
            "The server cannot respond right now. Nothing is lost. Please try again soon.",
        ),
        status if status.is_server_error() => (
            "The server failed",
            "This is a bug in the server. Please try again. If it happens again, tell the operator when it happened.",
        ),
        _ => (
            "Request rejected",
            "The server cannot process this request.",
        ),
    }
}
