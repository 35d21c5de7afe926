//! How long a body may be (`x-body-limit`).

use crate::comparison::Comparison;
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::version::essence;
use codegen::openapi::{Body, Media, is_text};

/// Compares how long the bodies of an operation may be.
pub(super) fn compare(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    scope: &Scope,
    (old, new): (&Body, &Body),
) {
    if old.limit == new.limit {
        return;
    }
    let bytes = |limit: Option<u64>| match limit {
        Some(limit) => format!("{limit} bytes"),
        None => "what the host accepts".to_owned(),
    };
    let (was, is) = (bytes(old.limit), bytes(new.limit));
    let message = format!("the limit was {was} and is now {is}");
    let (kind, changes) = ("request-body-limit", &mut comparison.changes);
    // Blanks around JSON and the text before the first part of a form mean nothing, so that a valid body
    // is as long as one likes; a text is as long as its schema allows.
    let is_padded = |media: &&Media| media.schema.is_none() || !is_text(&media.media_type);
    let is_raised = matches!((old.limit, new.limit), (Some(old), Some(new)) if new > old);
    if is_raised {
        return changes.note(scope, Severity::Compatible, kind, message);
    }
    let padded = old.content.iter().find(is_padded);
    match (old.limit, new.limit, padded) {
        (Some(_), Some(limit), Some(media)) => {
            let (name, length) = (essence(&media.media_type), limit.saturating_add(1));
            let line = pair.line().text();
            let sent = format!("{line} (Content-Type: {name}; Content-Length: {length})");
            let refusal = format!("413: a body has at most {limit} bytes");
            changes.prove(scope, kind, message, (sent, refusal));
        }
        // It is not known what a host accepts, nor how long texts are.
        _ => changes.note(scope, Severity::Possible, kind, message),
    }
}
