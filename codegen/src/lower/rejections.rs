//! Rejections: the answers that no handler gives, as the document marks them.

use super::conditional::{self, NOT_MODIFIED};
use super::models::Models;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{RejectionAnswer, RejectionKind};
use crate::openapi::{Document, Response, Status};

/// One answer for each kind of rejection. A kind that the document does not mark has its usual
/// status, and the default body of the generated crate.
pub(super) fn lower(document: &Document, models: &mut Models<'_>) -> Vec<RejectionAnswer> {
    let own = document
        .operations
        .iter()
        .flat_map(|operation| &operation.responses);
    let marked: Vec<&Response> = own.chain(&document.framework_responses).collect();
    let mut answers = Vec::new();
    for (kind, name, usual) in RejectionKind::ALL {
        let mut answer = RejectionAnswer {
            kind,
            status: usual,
            body: None,
            challenges: false,
        };
        let mut seen: Option<(u16, Option<String>)> = None;
        for response in &marked {
            let Some(schema) = marks(response, name) else {
                continue;
            };
            let Status::Code(status) = response.status else {
                continue;
            };
            let says = (status, schema.map(str::to_owned));
            if seen.as_ref().is_some_and(|first| *first != says) {
                let message = format!("`{name}` is marked elsewhere with another status or schema");
                models.diagnostics.error(Diagnostic::new(
                    Code::FrameworkMade,
                    &response.at.child("x-framework-made"),
                    message,
                ));
            }
            if seen.is_none() {
                answer.status = status;
                answer.body = schema.map(|key| models.type_of(key, &format!("{name} error")));
                answer.challenges = documents_challenges(response);
                seen = Some(says);
            }
        }
        // 401 names the accepted credentials (RFC 9110 §15.5.2), as does 403 to a token without a
        // scope (RFC 6750 §3.1).
        answer.challenges |= answer.status == 401
            || answer.status == 403 && kind == RejectionKind::ScopeInsufficient;
        answers.push(answer);
    }
    unknown_kinds(&marked, models);
    conditional::check(document, models.diagnostics);
    answers
}

fn documents_challenges(response: &Response) -> bool {
    let mut headers = response.headers.iter();
    headers.any(|header| header.name.eq_ignore_ascii_case("WWW-Authenticate"))
}

fn marks<'r>(response: &'r Response, kind: &str) -> Option<Option<&'r str>> {
    let kinds = response.framework_made.as_ref()?;
    kinds
        .iter()
        .find(|(name, _)| name == kind)
        .map(|(_, schema)| schema.as_deref())
}

fn unknown_kinds(marked: &[&Response], models: &mut Models<'_>) {
    let rejections = RejectionKind::ALL.iter().map(|(_, name, _)| *name);
    let known: Vec<&str> = rejections.chain([NOT_MODIFIED]).collect();
    for response in marked {
        for (kind, _) in response.framework_made.iter().flatten() {
            if !known.contains(&kind.as_str()) {
                let at = response.at.child("x-framework-made").child(kind);
                let help = format!("the kinds are {}", known.join(", "));
                models.diagnostics.error(
                    Diagnostic::new(Code::FrameworkMade, &at, "no such kind of answer").help(help),
                );
            }
        }
    }
}
