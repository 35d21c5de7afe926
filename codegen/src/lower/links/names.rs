//! What the functions that follow links are called. Operations and links that are added rename none,
//! unless two names come out alike: then the later one in the document has a number.

use crate::names;
use crate::openapi::{LinkObject, Response, Status};

/// The answer whose links are called after the operation alone: the first of success, if there is one.
pub(super) fn main(responses: &[Response]) -> Option<Status> {
    let rank = |status: &Status| match status {
        Status::Code(200..300) => 0,
        Status::Range(2) => 1,
        Status::Default => 2,
        _ => 3,
    };
    let statuses = responses.iter().map(|response| response.status);
    statuses.min_by_key(|status| (rank(status), *status))
}

/// The name of a function: that of a link at another answer has the status.
pub(super) fn function(
    operation: &str,
    link: &LinkObject,
    response: &Response,
    main: Option<Status>,
) -> String {
    // Each by itself, so that a name without a letter is spelled as it is elsewhere.
    let [operation, link] = [operation, &link.name].map(names::snake);
    let name = format!("{} {}", names::stem(&operation), names::stem(&link));
    names::snake(&match main == Some(response.status) {
        true => name,
        false => format!("{name} on {}", response.status),
    })
}
