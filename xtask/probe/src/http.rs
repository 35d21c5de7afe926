//! Requests about HTTP rather than about values, written by hand.

mod content;
mod form;
mod text;

use super::TestRequest;
use super::expected::Expected;
use super::request::raw;
use serde_json::{Value, json};

const QUERY: &str = "/query?needed=here";

pub(super) fn test_requests() -> Vec<TestRequest> {
    let mut all = form::forms_of_request();
    all.extend(text::texts());
    all.extend(content::negotiation());
    all.extend(form::routing());
    all.extend(text::syntax());
    all.extend(content::repetition());
    all.extend(content::presence());
    all
}

fn test_request(subject: &str, request: Vec<u8>, expected: Expected) -> TestRequest {
    TestRequest {
        subject: format!("http: {subject}"),
        request,
        expected,
    }
}

/// The response of `/query` to one value, with the defaults.
fn query(needed: &str) -> Expected {
    let defaults = json!({ "needed": needed, "limit": 20, "flag": false, "sort": "name" });
    Expected::Accepted(defaults)
}

fn json_body(body: &str) -> Vec<u8> {
    raw(
        "POST",
        "/json",
        &["content-type: application/json".into()],
        body.as_bytes(),
    )
}

fn accepted(body: &Value) -> Expected {
    Expected::Accepted(body.clone())
}

fn refused(place: &'static str, at: &str, keyword: &str, sent: &str) -> Expected {
    Expected::Refused {
        place,
        at: at.into(),
        keyword: keyword.into(),
        bound: None,
        sent: sent.into(),
    }
}
