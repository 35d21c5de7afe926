//! A schema of OpenAPI 3.1 has `examples`; its `example` is deprecated (§4.8.24.1).

use super::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        if spot.members.contains_key("example") {
            findings.advise(
                &spot.at.child("example"),
                "`example` is deprecated in schemas since OpenAPI 3.1",
                "write `examples: [...]`",
            );
        }
    }
}
