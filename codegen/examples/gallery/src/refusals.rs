//! Answers that refuse a request, as problems (RFC 9457).

use gallery_api::models::Problem;
use gallery_api::service::Faults;

use crate::App;

/// The service makes the documented problem of each refusal itself.
impl Faults for App {}

pub(crate) fn no_such_photo() -> Problem {
    Problem {
        title: "There is no such photo".into(),
        status: 404,
        detail: None,
    }
}
