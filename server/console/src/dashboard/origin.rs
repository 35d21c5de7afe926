//! Refuses requests that another site has a browser send (cross-site request forgery), and those for
//! another host.
//!
//! A request that changes something must say that it comes from the dashboard itself: by `Origin`, which
//! browsers send with every form, or by `Sec-Fetch-Site` where there is no `Origin`. Where both are sent,
//! both must say so. A request with neither is not from a form of the dashboard. The layer `csrf` of
//! `tower-http` compares `Origin` with the request's `Host`, which its sender chooses, and lets requests
//! with neither header pass; here the origin comes from the configuration, and nothing passes.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName, Method};

use super::context::Context;
use super::page_error::PageError;
use super::public_url::PublicUrl;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Lets a request through that is for the public host and, if it changes something, from the
/// dashboard's own pages.
pub(super) async fn check(
    State(context): State<Context>,
    request: Request,
    next: Next,
) -> Response {
    match refusal(&context.public, &request) {
        Some(Refusal::Error(error)) => error.into_response(),
        Some(Refusal::Elsewhere(url)) => Redirect::temporary(&url).into_response(),
        None => next.run(request).await,
    }
}

/// A response instead of a page.
#[derive(Debug, PartialEq)]
enum Refusal {
    Error(PageError),
    /// The page is here, under the dashboard's own name.
    Elsewhere(String),
}

fn refusal(public: &PublicUrl, request: &Request) -> Option<Refusal> {
    let headers = request.headers();
    let host = only(headers, &HOST).or_else(|| request.uri().authority().map(|it| it.as_str()));
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    match host {
        Some(host) if public.is_host(host) => {}
        Some(host) if reads && public.is_other_host(host) => {
            let path = request.uri().path_and_query().map_or("/", |it| it.as_str());
            return Some(Refusal::Elsewhere(format!("{}{path}", public.origin())));
        }
        _ => return Some(Refusal::Error(PageError::WrongHost)),
    }
    (!reads && !is_own(public, headers)).then_some(Refusal::Error(PageError::WrongOrigin))
}

/// Whether a request comes from a page of the dashboard.
fn is_own(public: &PublicUrl, headers: &HeaderMap) -> bool {
    let origin = headers
        .contains_key(ORIGIN)
        .then(|| only(headers, &ORIGIN) == Some(public.origin()));
    let site = headers
        .contains_key(SEC_FETCH_SITE)
        .then(|| only(headers, &SEC_FETCH_SITE) == Some("same-origin"));
    match (origin, site) {
        (None, None) => false,
        (origin, site) => origin.unwrap_or(true) && site.unwrap_or(true),
    }
}

/// The text of a field that stands there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[track_caller]
    fn check(method: &str, headers: &[(&str, &str)], passes: bool) {
        let public = PublicUrl::new(&"https://localhost".parse().unwrap()).unwrap();
        let mut request = Request::builder().method(method).uri("/dashboard");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        assert_eq!(refusal(&public, &request).is_none(), passes, "{headers:?}");
    }

    #[test]
    fn a_change_says_that_it_comes_from_the_dashboard() {
        let host = ("host", "localhost");
        let own = ("origin", "https://localhost");
        let same = ("sec-fetch-site", "same-origin");
        check("POST", &[host, own], true);
        check("POST", &[host, same], true);
        check("POST", &[host, own, same], true);
        check("POST", &[host], false);
        check("POST", &[host, ("origin", "null")], false);
        check("POST", &[host, ("origin", "null"), same], false);
        check("POST", &[host, ("origin", "http://localhost")], false);
        check(
            "POST",
            &[host, ("origin", "https://evil.example"), same],
            false,
        );
        check(
            "POST",
            &[host, own, ("origin", "https://evil.example")],
            false,
        );
        for site in ["cross-site", "same-site", "none", ""] {
            check("POST", &[host, own, ("sec-fetch-site", site)], false);
        }
        check("DELETE", &[host], false);
    }

    #[test]
    fn another_name_of_this_machine_leads_to_the_pages_own() {
        let public = PublicUrl::new(&"http://127.0.0.1:8080".parse().unwrap()).unwrap();
        let asked = |method: &str| {
            let request = Request::builder()
                .method(method)
                .header("host", "127.0.0.1:8080");
            let request = request.uri("/dashboard?a=1").body(Body::empty()).unwrap();
            refusal(&public, &request)
        };
        let url = "http://localhost:8080/dashboard?a=1".to_owned();
        assert_eq!(asked("GET"), Some(Refusal::Elsewhere(url)));
        assert_eq!(asked("POST"), Some(Refusal::Error(PageError::WrongHost)));
    }

    #[test]
    fn anybody_may_link_to_a_page_at_its_host() {
        check("GET", &[("host", "localhost")], true);
        check("GET", &[("host", "evil.example")], false);
        check("GET", &[], false);
    }
}
