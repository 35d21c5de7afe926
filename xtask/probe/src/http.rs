//! Questions about HTTP rather than about values, written by hand.

mod content;
mod form;
mod text;

use super::Question;
use super::judge::Expected;
use super::written::raw;
use serde_json::{Value, json};

const QUERY: &str = "/query?needed=here";

/// All of them.
pub(super) fn questions() -> Vec<Question> {
    let mut all = form::forms_of_request();
    all.extend(text::texts());
    all.extend(content::negotiation());
    all.extend(form::routing());
    all.extend(text::syntax());
    all.extend(content::repetition());
    all.extend(content::presence());
    all
}

fn question(about: &str, request: Vec<u8>, expected: Expected) -> Question {
    Question {
        about: format!("http: {about}"),
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
