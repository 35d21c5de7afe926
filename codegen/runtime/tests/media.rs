//! Media types: the admitted ones, and the chosen one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use runtime::__private::{media::acceptable, media::consumed};

fn headers(values: &[(HeaderName, &'static str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in values {
        headers.append(name.clone(), HeaderValue::from_static(value));
    }
    headers
}

#[test]
fn accept_chooses_by_quality_then_by_order() {
    const OFFERS: [&str; 3] = [
        "application/json",
        "application/atom+xml",
        "text/plain; charset=utf-8",
    ];
    let choice = |accept| acceptable(&headers(&[(ACCEPT, accept)]), &OFFERS);
    assert_eq!(acceptable(&HeaderMap::new(), &OFFERS), Some(0));
    assert_eq!(choice("*/*"), Some(0));
    assert_eq!(choice("text/*"), Some(2));
    assert_eq!(choice("TEXT/Plain"), Some(2));
    assert_eq!(
        choice("text/plain;q=0.5, application/atom+xml; q=0.7"),
        Some(1)
    );
    assert_eq!(choice("*/*, application/json;q=0"), Some(1));
    assert_eq!(choice("application/*;q=0.2, */*;q=0.1"), Some(0));
    assert_eq!(choice("image/png"), None);
    assert_eq!(choice("*/*;q=0"), None);
    // What cannot be read asks for nothing.
    assert_eq!(choice("garbage"), Some(0));
    assert_eq!(choice("garbage, image/png"), None);
    assert_eq!(choice("text/plain;q=2, image/png"), None);
    let lines = headers(&[(ACCEPT, "image/png"), (ACCEPT, "text/plain")]);
    assert_eq!(acceptable(&lines, &OFFERS), Some(2));
    assert_eq!(
        acceptable(&headers(&[(ACCEPT, "image/png")]), &["image/*"]),
        Some(0)
    );
    assert_eq!(
        acceptable(&headers(&[(ACCEPT, "image/png")]), &["*/*"]),
        Some(0)
    );
}

#[test]
fn content_types_are_matched_closely() {
    const TYPES: [&str; 4] = [
        "*/*",
        "text/*",
        "application/json",
        "application/merge-patch+json",
    ];
    let choice = |text| consumed(&headers(&[(CONTENT_TYPE, text)]), &TYPES);
    assert_eq!(choice("application/json"), Some(2));
    assert_eq!(choice("Application/JSON ; charset=\"UTF-8\""), Some(2));
    assert_eq!(choice("application/merge-patch+json"), Some(3));
    assert_eq!(choice("text/csv"), Some(1));
    // These want quotes, and come without.
    assert_eq!(choice("text/csv; boundary=a:b"), Some(1));
    assert_eq!(choice("application/json; profile=http://a/b"), Some(2));
    assert_eq!(choice("image/png"), Some(0));
    let json = |values: &[_]| consumed(&headers(values), &["application/json"]);
    assert_eq!(
        json(&[(CONTENT_TYPE, "application/json; charset=utf-16")]),
        None
    );
    assert_eq!(json(&[(CONTENT_TYPE, "application/problem+json")]), None);
    assert_eq!(json(&[(CONTENT_TYPE, "json")]), None);
    assert_eq!(json(&[]), None);
    assert_eq!(
        json(&[
            (CONTENT_TYPE, "application/json"),
            (CONTENT_TYPE, "text/plain")
        ]),
        None
    );
    assert_eq!(
        json(&[
            (CONTENT_TYPE, "application/json"),
            (CONTENT_ENCODING, "gzip")
        ]),
        None
    );
    assert_eq!(
        json(&[
            (CONTENT_TYPE, "application/json"),
            (CONTENT_ENCODING, "Identity")
        ]),
        Some(0)
    );
    assert_eq!(
        consumed(&HeaderMap::new(), &["application/octet-stream"]),
        Some(0)
    );
}

#[test]
fn parameters_tell_apart_what_is_else_alike() {
    const TYPES: [&str; 3] = [
        "application/json",
        "application/json; v=1",
        "Application/JSON;v=2; charset=utf-8",
    ];
    let given = |text| consumed(&headers(&[(CONTENT_TYPE, text)]), &TYPES);
    assert_eq!(given("application/json; charset=utf-8"), Some(0));
    assert_eq!(given("application/json;V=\"1\""), Some(1));
    assert_eq!(given("application/json; charset=UTF-8; v=2"), Some(2));
    assert_eq!(given("application/json; v=3"), Some(0));
    let liked = |text| acceptable(&headers(&[(ACCEPT, text)]), &TYPES);
    assert_eq!(liked("application/json"), Some(0));
    assert_eq!(liked("application/json; v=2"), Some(2));
    assert_eq!(liked("application/json; v=2; q=0.5, */*;q=0.1"), Some(2));
    assert_eq!(liked("application/json; v=3"), Some(0));
}
