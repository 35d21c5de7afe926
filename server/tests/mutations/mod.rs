//! Mutations of a server's responses, and a proxy that makes them, one at a time.
//!
//! They are derived from the contract and from a valid response, and not written for a test. The
//! harness of the contract test and the Postman collection are both tested with them: a check that does
//! not notice a mutation would not notice a server that answers so.

mod body;
mod head;
mod lists;
mod pointer;
mod proxy;
mod schema;
mod table;

use std::fmt;

use bytes::Bytes;
use http::Response;
use http::response::Parts;
use serde_json::Value;

use crate::document::{Document, Operation};

pub use proxy::Proxy;
pub use table::Table;

/// A mutation of the answers that an operation gives with one status: one wrong thing in each.
pub struct Mutation {
    pub operation: String,
    pub status: u16,
    /// Its kind, as a text that many mutations share.
    pub kind: &'static str,
    /// Its place: a header, or a pointer into the body; empty for the whole response.
    pub at: String,
    change: Change,
}

/// The change that a mutation makes to a response. The functions return whether they found a value to change.
enum Change {
    Head(Box<dyn Fn(&mut Parts) -> bool + Send + Sync>),
    Text(fn(&[u8]) -> &[u8]),
    Body(Box<dyn Fn(&mut Value) -> bool + Send + Sync>),
}

/// A mutation without its operation: its kind, its place, its change.
struct Found(&'static str, String, Change);

/// The mutations of an operation's responses, where `good` is a valid response.
///
/// There is one mutation of each kind for each header, or one at the top of the body and one inside it, if
/// the kind applies to the contract and to `good`.
pub fn derive(document: &Document, operation: &Operation, good: &Response<Bytes>) -> Vec<Mutation> {
    let status = good.status().as_u16();
    let documented = &operation.answers[&status];
    let mut found = head::mutations(operation, status, documented);
    found.extend(body::mutations(
        document,
        operation,
        documented,
        good.body(),
    ));
    let of_operation = |Found(kind, at, change)| Mutation {
        operation: operation.id.clone(),
        status,
        kind,
        at,
        change,
    };
    found.into_iter().map(of_operation).collect()
}

/// The room for mutations in an answer: they are those of its operation's first media type, and a longer
/// answer has more places for them.
pub fn room(operation: &Operation, answer: &Response<Bytes>) -> (bool, usize) {
    let documented = operation.answers.get(&answer.status().as_u16());
    let first = documented.and_then(|it| it.content.keys().next());
    let media = answer.headers().get("content-type");
    let is_first = media.map(|it| it.as_bytes()) == first.map(|it| it.as_bytes());
    (is_first, answer.body().len())
}

/// One mutation of each kind, from those of an operation's other responses: different statuses for
/// different kinds, so that every status has its turn.
pub fn one_of_each_kind(of_statuses: Vec<Vec<Mutation>>) -> Vec<Mutation> {
    let mut kept: Vec<Mutation> = Vec::new();
    let count = of_statuses.len();
    let mut waiting: Vec<_> = of_statuses.into_iter().map(Vec::into_iter).collect();
    let mut idle = 0;
    for turn in (0..count).cycle() {
        let next = waiting[turn].find(|mutation| kept.iter().all(|it| it.kind != mutation.kind));
        idle = if next.is_some() { 0 } else { idle + 1 };
        kept.extend(next);
        if idle > count {
            break;
        }
    }
    kept
}

impl Mutation {
    /// The response with the mutation; `None` if there is nothing in it to change.
    fn apply_to(&self, answer: Response<Bytes>) -> Option<Response<Bytes>> {
        let (mut parts, mut body) = answer.into_parts();
        match &self.change {
            Change::Head(change) if !change(&mut parts) => return None,
            Change::Head(_) => {}
            Change::Text(change) => body = Bytes::copy_from_slice(change(&body)),
            Change::Body(change) => {
                let mut value = serde_json::from_slice(&body).ok()?;
                if !change(&mut value) {
                    return None;
                }
                body = value.to_string().into();
            }
        }
        Some(Response::from_parts(parts, body))
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mutation {
            operation,
            status,
            kind,
            at,
            ..
        } = self;
        let at = if at.is_empty() {
            String::new()
        } else {
            format!(" at {at}")
        };
        write!(f, "{operation} {status}: {kind}{at}")
    }
}
