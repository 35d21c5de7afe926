//! The names of links. Added operations and links rename none, unless two
//! names are equal: then the later one in the document gets a number.

use crate::ir::Name;
use crate::openapi::{LinkObject, Response, Status};

/// The answer whose links are named after the operation alone: the first success, if there is one.
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

/// The name of a link; at another answer than the main one, it ends in the status.
pub(super) fn of_link(
    operation: &Name,
    link: &LinkObject,
    response: &Response,
    main: Option<Status>,
) -> Name {
    // Each part is converted alone, so that a name without a letter is spelled as elsewhere.
    let name = operation.with(Name::of(&link.name).snake());
    match main == Some(response.status) {
        true => name,
        false => Name::of(&format!("{name} on {}", response.status)),
    }
}
