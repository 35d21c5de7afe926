//! Rejections: the answers that no handler gives, as the document marks them, or else documents them.

mod inference;
mod known;
mod unmarked;

use super::conditional::{self, NOT_MODIFIED};
use super::models::Models;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Operation, RejectionAnswer, RejectionBody, RejectionKind};
use crate::message::is_json;
use crate::openapi::{Document, Response, Status};

/// The media type of bodies for which the document has no other.
const JSON: &str = "application/json";

/// One answer for each kind of rejection that requests can have. A kind that the document does not
/// mark has its usual status, and a documented body that holds its facts, or else the default
/// body of the generated crate.
pub(super) fn lower(
    document: &Document,
    operations: &[(usize, Operation)],
    models: &mut Models<'_>,
) -> Vec<RejectionAnswer> {
    let own = document
        .operations
        .iter()
        .flat_map(|operation| &operation.responses);
    let marked: Vec<&Response> = own.chain(&document.framework_responses).collect();
    let typed: Vec<&Operation> = operations.iter().map(|(_, one)| one).collect();
    let mut answers = Vec::new();
    for (kind, name, usual) in RejectionKind::ALL {
        let answer = match marked_answer(kind, name, &marked, models) {
            Some(answer) => answer,
            None if kind == RejectionKind::ScopeInsufficient && !has_scopes(document) => continue,
            None => unmarked_answer(kind, usual, &typed, models),
        };
        answers.push(answer);
    }
    unknown_kinds(&marked, models);
    unmarked::report(document, operations, &answers, models);
    conditional::check(document, models.diagnostics);
    answers
}

fn unmarked_answer(
    kind: RejectionKind,
    usual: u16,
    operations: &[&Operation],
    models: &Models<'_>,
) -> RejectionAnswer {
    let status = inference::status(kind, usual, operations);
    let inferred = inference::infer(kind, status, operations, models);
    let (body, media_type) = inferred.unwrap_or((RejectionBody::Default, JSON.to_owned()));
    RejectionAnswer {
        kind,
        status,
        body,
        media_type,
        challenges: has_challenges(kind, status),
    }
}

/// Whether any operation demands scopes, or roles.
fn has_scopes(document: &Document) -> bool {
    let alternatives = document
        .all_operations()
        .flat_map(|operation| &operation.security);
    let mut schemes = alternatives.flatten();
    schemes.any(|(_, scopes)| !scopes.is_empty())
}

/// The answer of a kind as the first response that is marked with it says; others must say the same.
fn marked_answer(
    kind: RejectionKind,
    name: &str,
    marked: &[&Response],
    models: &mut Models<'_>,
) -> Option<RejectionAnswer> {
    let marked = marked.iter().filter_map(|response| {
        let Status::Code(status) = response.status else {
            return None;
        };
        let said = (status, marks(response, name)?, media_type(response));
        Some((*response, said))
    });
    let mut marked = marked.peekable();
    let (first, said) = *marked.peek()?;
    for (response, _) in marked.filter(|(_, other)| *other != said) {
        let message =
            format!("`{name}` is marked elsewhere with another status, schema or media type");
        models.diagnostics.error(Diagnostic::new(
            Code::FrameworkMade,
            &response.at.child("x-framework-made"),
            message,
        ));
    }
    let (status, schema, media_type) = said;
    Some(RejectionAnswer {
        kind,
        status,
        media_type: media_type.to_owned(),
        body: match schema {
            Some(key) => RejectionBody::Marked(models.type_of(key, &format!("{name} error"))),
            None => RejectionBody::Default,
        },
        challenges: documents_challenges(first) || has_challenges(kind, status),
    })
}

/// The first media type of JSON that a response has.
fn media_type(response: &Response) -> &str {
    let mut all = response
        .content
        .iter()
        .map(|media| media.media_type.as_str());
    all.find(|media_type| is_json(media_type)).unwrap_or(JSON)
}

/// Whether an answer always names the accepted credentials: 401 does (RFC 9110 §15.5.2), as does 403
/// to a token without a scope (RFC 6750 §3.1).
fn has_challenges(kind: RejectionKind, status: u16) -> bool {
    status == 401 || status == 403 && kind == RejectionKind::ScopeInsufficient
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
