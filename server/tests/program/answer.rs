//! The formats of the contract's errors.

use serde_json::Value;

use crate::wire::Answer;

/// An error that a handler could give: `defined` is true. Gives its code.
#[track_caller]
pub(crate) fn defined(answer: &Answer, status: u16) -> String {
    error(answer, status, true)
}

/// An error that the framework made: `defined` is false. Gives its code.
#[track_caller]
pub(crate) fn undefined(answer: &Answer, status: u16) -> String {
    error(answer, status, false)
}

/// Checks a response of authentication or limits, which has `error` and `code` only; returns its code.
#[track_caller]
pub(crate) fn denied(answer: &Answer, status: u16) -> String {
    let body = json(answer, status);
    let names: Vec<_> = body.as_object().unwrap().keys().collect();
    assert_eq!(names, ["error", "code"], "{answer:?}");
    body["code"].as_str().unwrap().to_owned()
}

#[track_caller]
fn error(answer: &Answer, status: u16, defined: bool) -> String {
    let body = json(answer, status);
    assert_eq!(body["defined"], defined, "{answer:?}");
    assert_eq!(body["status"], status, "{answer:?}");
    assert!(body["message"].is_string(), "{answer:?}");
    body["code"].as_str().unwrap().to_owned()
}

#[track_caller]
fn json(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{answer:?}");
    assert_eq!(
        answer.header("content-type"),
        Some("application/json"),
        "{answer:?}"
    );
    assert!(answer.header("x-request-id").is_some(), "{answer:?}");
    answer.json()
}

/// Checks the response to a head that hyper cannot parse: a status without a body.
#[track_caller]
pub(crate) fn bare(answer: &Answer, status: u16) {
    is_safe(answer);
    assert_eq!(
        (answer.status, answer.body.as_str()),
        (status, ""),
        "{answer:?}"
    );
}

/// Its content type is right, and no cache keeps it if it is an error.
#[track_caller]
pub(crate) fn is_safe(answer: &Answer) {
    assert!(
        has(answer, "x-content-type-options", "nosniff"),
        "{answer:?}"
    );
    let is_error = answer.status >= 400;
    assert!(
        !is_error || has(answer, "cache-control", "no-store"),
        "{answer:?}"
    );
}

pub(crate) fn has(answer: &Answer, name: &str, part: &str) -> bool {
    answer
        .header(name)
        .is_some_and(|value| value.contains(part))
}
