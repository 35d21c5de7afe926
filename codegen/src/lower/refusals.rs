//! Refusals: the answers of the framework that the client reads, each once for all operations.

use crate::ir::{Content, HeaderEncoding, Name, Operation, Refusal, RefusalSet, Response, Status};
use crate::names::Scope;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

/// The identity of an answer: the status, the kind of the body with its schema, and of each header
/// its name, whether it is required, its schema and its encoding.
type Identity = (
    u16,
    Option<(Discriminant<Content>, String)>,
    Vec<(String, bool, String, HeaderEncoding)>,
);

/// Collects the refusals of all operations, in their order, and the sets of them that operations document,
/// and tells each operation which set is its own.
pub(super) fn collect<'a>(
    operations: impl Iterator<Item = &'a mut Operation>,
) -> (Vec<Refusal>, Vec<RefusalSet>) {
    let (mut refusals, mut known) = (Vec::new(), HashMap::new());
    let mut sets: Vec<RefusalSet> = Vec::new();
    let mut names = Scope::default();
    for operation in operations {
        let mut own = Vec::new();
        for response in &operation.framework_responses {
            let Some(mut refusal) = refusal(response) else {
                continue;
            };
            let index = *known.entry(identity(&refusal)).or_insert_with(|| {
                refusal.name = name(&mut names, operation, refusal.name.clone());
                refusals.push(refusal);
                refusals.len() - 1
            });
            own.push(index);
        }
        own.sort_unstable();
        own.dedup();
        operation.refusals = sets.iter().position(|set| set.refusals == own);
        if operation.refusals.is_none() && !own.is_empty() {
            operation.refusals = Some(sets.len());
            sets.push(RefusalSet {
                name: names.claim(Name::of(&format!("of {}", operation.name))),
                first: operation.id.clone(),
                refusals: own,
            });
        }
    }
    (refusals, sets)
}

/// The name of the status, unless another refusal has it.
fn name(names: &mut Scope, operation: &Operation, status: Name) -> Name {
    let claimed = names.claim(status.clone());
    if claimed == status {
        return claimed;
    }
    names.claim(Name::of(&format!("{} {status}", operation.name)))
}

/// The refusal that a response is, unless its body passes as a stream or it stands for several statuses.
fn refusal(response: &Response) -> Option<Refusal> {
    let Status::Code(status) = response.status else {
        return None;
    };
    let mut media = response.media.iter();
    let json = media.find(|media| matches!(media.content, Content::Json(..)));
    let chosen = json.or(response.media.first());
    let body = match chosen.map(|media| &media.content) {
        None => None,
        Some(Content::Json(ty, key)) => Some(Content::Json(ty.clone(), key.clone())),
        Some(Content::Scalar(ty, key)) => Some(Content::Scalar(ty.clone(), key.clone())),
        Some(Content::Text) => Some(Content::Text),
        Some(_) => return None,
    };
    Some(Refusal {
        name: response.name.clone(),
        status,
        doc: response.doc.clone(),
        body,
        headers: response.headers.clone(),
    })
}

fn identity(refusal: &Refusal) -> Identity {
    let body = refusal.body.as_ref().map(|body| {
        let schema = match body {
            Content::Json(_, key) | Content::Scalar(_, key) => key.clone(),
            _ => String::new(),
        };
        (discriminant(body), schema)
    });
    let headers = refusal.headers.iter().map(|header| {
        let name = header.field.wire.to_ascii_lowercase();
        let (schema, encoding) = (header.schema.clone(), header.encoding.clone());
        (name, header.field.required, schema, encoding)
    });
    (refusal.status, body, headers.collect())
}
