//! Conditional requests (RFC 9110 §13.1.2): operations whose answers have entity tags, and are 304 where the
//! caller holds the representation already.
//!
//! An operation asks for them by an answer 304 that is marked `x-framework-made: not-modified`, beside answers
//! of success whose header `ETag` is marked `x-framework-made`. The handler then gives the body alone.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::Param;
use crate::openapi::{Document, Operation, ParamLocation, Response, Status};

/// The kind of the answer 304, as `x-framework-made` names it. It is none of the rejections: nothing is refused.
pub(super) const NOT_MODIFIED: &str = "not-modified";

/// Whether a response is the framework's answer to a caller that holds the representation.
fn is_not_modified(response: &Response) -> bool {
    let kinds = response.framework_made.iter().flatten();
    kinds.into_iter().any(|(kind, _)| kind == NOT_MODIFIED)
}

/// The names, in lower case, of the header fields that a handler gives the framework's answer 304; `None` of an operation
/// without it.
pub(super) fn not_modified(operation: &Operation) -> Option<Vec<String>> {
    let mut responses = operation.responses.iter();
    let answer = responses.find(|response| is_not_modified(response))?;
    let own = answer.headers.iter().filter(|one| !one.framework_made);
    Some(own.map(|one| one.name.to_ascii_lowercase()).collect())
}

/// Whether the framework gives the bodies of a response their entity tags.
pub(super) fn is_tagged(operation: &Operation, response: &Response) -> bool {
    operation.responses.iter().any(is_not_modified) && has_tag(response)
}

/// Whether a response of success has an entity tag that no handler sets.
fn has_tag(response: &Response) -> bool {
    let mut headers = response.headers.iter();
    response.status.is_success()
        && headers.any(|one| one.framework_made && one.name.eq_ignore_ascii_case("ETag"))
}

/// Takes the optional header `If-None-Match` out of an operation's parameters: its handler has no use for it.
pub(super) fn take_if_none_match(params: &mut Vec<Param>) -> Option<Param> {
    let is_answered = |param: &Param| {
        let is_header = param.place == ParamLocation::Header && !param.field.required;
        is_header && param.field.wire.eq_ignore_ascii_case("If-None-Match")
    };
    let at = params.iter().position(is_answered)?;
    Some(params.remove(at))
}

/// Reports answers marked [`NOT_MODIFIED`] that are not 304 without a body, or have no tagged answer beside them.
pub(super) fn check(document: &Document, diagnostics: &mut Diagnostics) {
    for operation in document.all_operations() {
        for response in operation
            .responses
            .iter()
            .filter(|one| is_not_modified(one))
        {
            let message = if response.status != Status::Code(304) || !response.content.is_empty() {
                "`not-modified` marks the answer 304, which has no body"
            } else if !operation.responses.iter().any(has_tag) {
                "no answer of success has a header `ETag` that is marked `x-framework-made: true`"
            } else {
                continue;
            };
            let at = response.at.child("x-framework-made");
            diagnostics.error(Diagnostic::new(Code::FrameworkMade, &at, message));
        }
    }
}
