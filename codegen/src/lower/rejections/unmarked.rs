//! Finds documented responses that the framework gives without a mark, and with another body than theirs.

use super::inference::{accepts, default_sample, json_body, response, sample};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Operation, RejectionAnswer, RejectionBody, RejectionKind, Response};
use crate::lower::models::Models;
use crate::openapi::{Document, Status};
use crate::source::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// Warns of each response that is documented with another body than `answers` have.
pub(super) fn report(
    document: &Document,
    operations: &[(usize, Operation)],
    answers: &[RejectionAnswer],
    models: &mut Models<'_>,
) {
    let mut found: BTreeMap<Pointer, (Status, Vec<&RejectionAnswer>)> = BTreeMap::new();
    let mut asked: BTreeMap<(RejectionKind, &str), bool> = BTreeMap::new();
    for answer in answers {
        let Some(body) = body(answer) else { continue };
        for (place, operation) in operations {
            let Some(response) = response(answer.kind, answer.status, operation) else {
                continue;
            };
            let fits = match json_body(response) {
                // A range or `default` without JSON is for what handlers answer.
                None => response.media.is_empty() || !matches!(response.status, Status::Code(_)),
                Some(documented) => *asked
                    .entry((answer.kind, documented.key()))
                    .or_insert_with(|| accepts(models, documented, &body)),
            };
            if !fits && let Some(at) = place_of(document, *place, response) {
                let of_status = || (response.status, Vec::new());
                let (_, kinds) = found.entry(at).or_insert_with(of_status);
                if !kinds.iter().any(|known| known.kind == answer.kind) {
                    kinds.push(answer);
                }
            }
        }
    }
    for (at, (status, answers)) in found {
        models.diagnostics.warn(problem(&at, status, &answers));
    }
}

/// The body of an answer that the document does not mark.
fn body(answer: &RejectionAnswer) -> Option<Value> {
    match &answer.body {
        RejectionBody::Marked(_) => None,
        RejectionBody::Inferred { known, .. } => Some(sample(known)),
        RejectionBody::Default => Some(default_sample(answer.kind, answer.status)),
    }
}

fn place_of(document: &Document, operation: usize, response: &Response) -> Option<Pointer> {
    let operation = document.operations.get(operation)?;
    let mut responses = operation.responses.iter();
    let found = responses.find(|one| one.status == response.status)?;
    Some(found.at.clone())
}

fn problem(at: &Pointer, status: Status, answers: &[&RejectionAnswer]) -> Diagnostic {
    let kinds = answers.iter().map(|answer| answer.kind.name());
    let kinds: Vec<&str> = kinds.collect();
    let message = format!(
        "the framework answers here ({}) with another body than this response documents",
        kinds.join(", ")
    );
    let help = match (status, kinds.as_slice()) {
        (Status::Code(_), [only]) => {
            format!(
                "mark it with `x-framework-made: {only}`, and make the body in a method of `Faults`"
            )
        }
        (Status::Code(_), _) => {
            "mark it with `x-framework-made`, an object from these kinds to component schemas, and \
             make the bodies in methods of `Faults`"
                .to_owned()
        }
        _ => "document a response for each status of these kinds, marked with `x-framework-made`"
            .to_owned(),
    };
    Diagnostic::new(Code::UnmarkedAnswer, at, message).help(help)
}
