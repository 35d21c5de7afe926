//! A 201 has a `Location`: the URL of the new resource (RFC 9110 §15.3.2).

use super::Findings;
use super::subject::Subject;
use crate::openapi::Status;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let operations = subject.document.operations.iter();
    for response in operations.flat_map(|operation| &operation.responses) {
        let mut headers = response.headers.iter();
        let has = headers.any(|header| header.name.eq_ignore_ascii_case("location"));
        if response.status == Status::Code(201) && !has {
            findings.advise(
                &response.at,
                "a 201 without `Location` does not say where the new thing is",
                "add:\nheaders:\n  Location:\n    required: true\n    \
                 schema: { type: string, format: uri-reference }",
            );
        }
    }
}
