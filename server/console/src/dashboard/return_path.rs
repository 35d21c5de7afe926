//! The page that somebody asked for before signing in, or that has the form that was sent, which is shown afterwards:
//! mails lead to pages, and sessions end while forms are filled in.

use axum::extract::Request;
use axum::response::Response;
use http::header::REFERER;
use http::{HeaderMap, Method, Uri};

use super::context::Shared;
use super::cookies::CookieKind;
use crate::accounts::PendingSignIn;

/// The longest path.
const MAX: usize = 200;

/// The path of the page that a request asks for, or that has the form that it sends.
pub(super) fn of_request(request: &Request) -> Option<String> {
    match *request.method() {
        Method::GET => Some(request.uri().path().to_owned()),
        Method::POST => {
            let referrer = request.headers().get(REFERER)?.as_bytes();
            Some(Uri::try_from(referrer).ok()?.path().to_owned())
        }
        _ => None,
    }
}

/// Has the browser keep the path of a page, for as long as a sign-in may take.
pub(super) fn keep(context: &Shared, response: &mut Response, path: &str) {
    if is_page(path) {
        let (kind, life) = (CookieKind::ReturnPath, PendingSignIn::LIFE);
        context.cookies.keep(response, kind, path, life);
    }
}

/// The path that the browser has kept, or the dashboard's first page.
pub(super) fn of<'a>(context: &Shared, headers: &'a HeaderMap) -> &'a str {
    let kept = context.cookies.get(headers, CookieKind::ReturnPath);
    kept.filter(|path| is_page(path)).unwrap_or("/dashboard")
}

/// Whether it is the path of a page of the dashboard: nothing else is followed, wherever it comes from.
fn is_page(path: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-');
    path.starts_with("/dashboard/") && path.len() <= MAX && path.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_dashboard_are_followed() {
        assert!(is_page(
            "/dashboard/projects/0191e5a0-1111-7000-8000-000000000001/keys/new"
        ));
        for path in [
            "",
            "/",
            "/docs",
            "//evil.example/dashboard/",
            "https://evil.example/dashboard/",
            "/dashboard/../docs",
            "/dashboard/a?b",
            "/dashboard/a;b",
            "/dashboardx/",
        ] {
            assert!(!is_page(path), "{path}");
        }
    }
}
