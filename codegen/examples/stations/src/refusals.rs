//! Answers that refuse a request, as problems (RFC 9457).

use stations_api::HandlerError;
use stations_api::models::Problem;
use stations_api::runtime::{Issue, Place};
use stations_api::service::Faults;

use crate::App;

/// The service makes the documented problem of each refusal itself.
impl Faults for App {}

pub(crate) fn not_found() -> Problem {
    Problem {
        title: "There is no such thing".into(),
        status: 404,
        detail: None,
    }
}

/// A violation that the contract cannot tell.
pub(crate) fn invalid(at: &str, message: &str) -> HandlerError {
    HandlerError::Invalid(vec![Issue {
        place: Place::Body,
        at: at.to_owned(),
        keyword: "required",
        message: message.to_owned(),
    }])
}
