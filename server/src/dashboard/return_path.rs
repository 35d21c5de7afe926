//! The page that somebody asked for before signing in, which is shown afterwards: mails lead to pages.

use axum::response::Response;
use http::{HeaderMap, Method};

use super::context::Shared;
use super::cookies::CookieKind;
use crate::accounts::PendingSignIn;

/// The longest path.
const MAX: usize = 200;

/// Has the browser keep the path of a page that it has asked for, for as long as a sign-in may take.
pub(super) fn keep(context: &Shared, response: &mut Response, method: &Method, path: &str) {
    if *method == Method::GET && is_page(path) {
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
