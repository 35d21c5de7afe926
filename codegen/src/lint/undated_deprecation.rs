//! A deprecated operation has the date of its deprecation.
//!
//! Without one, it cannot send the header `Deprecation` (RFC 9745), which tells callers.

use super::Findings;
use super::subject::Subject;
use crate::openapi::DEPRECATED_AT;

pub(super) fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let operations = &subject.document.operations;
    for operation in operations.iter().filter(|one| one.deprecated) {
        if operation.deprecation.at.is_none() {
            found.advise(
                &operation.at.child("deprecated"),
                "this operation does not say since when it is deprecated",
                format!("add the day, as in `{DEPRECATED_AT}: 2026-11-24`"),
            );
        }
    }
}
