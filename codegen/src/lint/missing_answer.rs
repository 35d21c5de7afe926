//! Each operation declares an answer of success and, if it takes parameters or a body, one of
//! failure.

use super::Findings;
use super::subject::Subject;
use crate::openapi::Status;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for operation in subject.document.all_operations() {
        let hundreds: Vec<u16> = operation
            .responses
            .iter()
            .map(|response| match response.status {
                Status::Code(code) => code / 100,
                Status::Range(hundred) => hundred,
                Status::Default => 0,
            })
            .collect();
        let has = |wanted: &[u16]| hundreds.iter().any(|hundred| wanted.contains(hundred));
        let at = operation.at.child("responses");
        if !has(&[1, 2, 3]) {
            findings.report(&at, "no response says how this operation succeeds");
        }
        let takes_something = !operation.parameters.is_empty() || operation.body.is_some();
        if takes_something && !has(&[4, 0]) {
            let help =
                "what an operation takes can be wrong: document a status, `4XX` or `default`";
            findings.advise(
                &at,
                "no response says how a wrong request is answered",
                help,
            );
        }
    }
}
