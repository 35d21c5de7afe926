//! The cookies of the dashboard.
//!
//! They belong to the host alone (`__Host-`, RFC 6265bis, section 4.1.3), are sent by TLS only and hidden
//! from scripts. On plain http, which is this machine's own, browsers refuse the prefix, so the names there
//! lack it. `Lax`, because a link in a mail must find the session and the browser's secret; the origin of
//! what changes something is checked for itself.

use std::time::Duration;

use axum::response::Response;
use cookie::{Cookie, SameSite};
use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CookieKind {
    /// The secret of a session.
    Session,
    /// The secret of the browser that a sign-in is bound to. It stays, so that the browser is known later.
    Browser,
    /// The token of a link that was followed and is not confirmed yet.
    Token,
    /// The token of an invitation's link that was followed and is not answered yet.
    Invitation,
    /// The secret of the browser that was sent to a provider of OpenID Connect.
    Authorization,
    /// The path of the page that was asked for before the sign-in.
    ReturnPath,
}

/// Reads and writes the cookies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cookies {
    /// Whether the site is reached by TLS.
    pub(super) are_secure: bool,
}

impl Cookies {
    /// The value that the browser sent.
    pub(super) fn get(self, headers: &HeaderMap, kind: CookieKind) -> Option<&str> {
        let name = self.name(kind);
        let lines = headers.get_all(COOKIE).iter();
        let mut pairs = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        pairs.find_map(|(found, value)| (found == name).then_some(value))
    }

    /// Has the browser keep `value` for `life`.
    pub(super) fn keep(
        self,
        response: &mut Response,
        kind: CookieKind,
        value: &str,
        life: Duration,
    ) {
        let life = life.try_into().unwrap_or(cookie::time::Duration::MAX);
        let cookie = Cookie::build((self.name(kind), value))
            .path("/")
            .secure(self.are_secure)
            .http_only(true)
            .same_site(SameSite::Lax)
            .max_age(life);
        // The values are ours: letters and digits.
        if let Ok(line) = HeaderValue::try_from(cookie.to_string()) {
            response.headers_mut().append(SET_COOKIE, line);
        }
    }

    /// Has the browser forget a cookie.
    pub(super) fn forget(self, response: &mut Response, kind: CookieKind) {
        self.keep(response, kind, "", Duration::ZERO);
    }

    fn name(self, kind: CookieKind) -> &'static str {
        match (kind, self.are_secure) {
            (CookieKind::Session, true) => "__Host-session",
            (CookieKind::Session, false) => "session",
            (CookieKind::Browser, true) => "__Host-browser",
            (CookieKind::Browser, false) => "browser",
            (CookieKind::Token, true) => "__Host-token",
            (CookieKind::Token, false) => "token",
            (CookieKind::Invitation, true) => "__Host-invitation",
            (CookieKind::Invitation, false) => "invitation",
            (CookieKind::Authorization, true) => "__Host-authorization",
            (CookieKind::Authorization, false) => "authorization",
            (CookieKind::ReturnPath, true) => "__Host-next",
            (CookieKind::ReturnPath, false) => "next",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn belong_to_the_host_and_to_no_script() {
        let check = |are_secure, expected: &str| {
            let mut response = Response::default();
            let cookies = Cookies { are_secure };
            let life = Duration::from_secs(600);
            cookies.keep(&mut response, CookieKind::Session, "a1", life);
            assert_eq!(response.headers()[SET_COOKIE], expected);
        };
        check(
            true,
            "__Host-session=a1; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=600",
        );
        check(
            false,
            "session=a1; HttpOnly; SameSite=Lax; Path=/; Max-Age=600",
        );
    }

    #[test]
    fn are_found_by_their_whole_name() {
        let cookies = Cookies { are_secure: true };
        let check = |line: &str, expected| {
            let headers = HeaderMap::from_iter([(COOKIE, line.parse().unwrap())]);
            assert_eq!(cookies.get(&headers, CookieKind::Session), expected);
        };
        check("a=b; __Host-session=s1; c=d", Some("s1"));
        check("session=s1; x__Host-session=s1", None);
        check("__Host-session", None);
    }
}
