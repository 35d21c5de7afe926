//! Faults that a server can have, and a proxy that puts them into its responses one at a time.
//!
//! They are derived from the contract and from a valid response, and not written for a test. The
//! harness of the contract test and the Postman collection are both tested with them: a check that does
//! not notice a fault would let a server have it.

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

/// One fault of the answers that an operation gives with one status.
pub struct Fault {
    pub operation: String,
    pub status: u16,
    /// The kind of the fault, as a text that many faults share.
    pub kind: &'static str,
    /// The place of the fault: a header, or a pointer into the body; empty for the whole response.
    pub at: String,
    change: Change,
}

/// The change of a response by a fault. The functions return whether they found a value to change.
enum Change {
    Head(Box<dyn Fn(&mut Parts) -> bool + Send + Sync>),
    Text(fn(&[u8]) -> &[u8]),
    Body(Box<dyn Fn(&mut Value) -> bool + Send + Sync>),
}

/// A fault without its operation: its kind, its place, its change.
struct Found(&'static str, String, Change);

/// The faults that responses of an operation can have, where `good` is a valid response.
///
/// There is one fault of each kind for each header, or one at the top of the body and one inside it, if
/// the kind applies to the contract and to `good`.
pub fn derive(document: &Document, operation: &Operation, good: &Response<Bytes>) -> Vec<Fault> {
    let status = good.status().as_u16();
    let documented = &operation.answers[&status];
    let mut found = head::faults(operation, status, documented);
    found.extend(body::faults(document, operation, documented, good.body()));
    let of_operation = |Found(kind, at, change)| Fault {
        operation: operation.id.clone(),
        status,
        kind,
        at,
        change,
    };
    found.into_iter().map(of_operation).collect()
}

/// The room for faults in an answer: they are those of its operation's first media type, and a longer
/// answer has more places for them.
pub fn room(operation: &Operation, answer: &Response<Bytes>) -> (bool, usize) {
    let documented = operation.answers.get(&answer.status().as_u16());
    let first = documented.and_then(|it| it.content.keys().next());
    let media = answer.headers().get("content-type");
    let is_first = media.map(|it| it.as_bytes()) == first.map(|it| it.as_bytes());
    (is_first, answer.body().len())
}

/// One fault of each kind, from those of an operation's other responses: different statuses for
/// different kinds, so that every status has its turn.
pub fn one_of_each_kind(of_statuses: Vec<Vec<Fault>>) -> Vec<Fault> {
    let mut kept: Vec<Fault> = Vec::new();
    let count = of_statuses.len();
    let mut waiting: Vec<_> = of_statuses.into_iter().map(Vec::into_iter).collect();
    let mut idle = 0;
    for turn in (0..count).cycle() {
        let next = waiting[turn].find(|fault| kept.iter().all(|it| it.kind != fault.kind));
        idle = if next.is_some() { 0 } else { idle + 1 };
        kept.extend(next);
        if idle > count {
            break;
        }
    }
    kept
}

impl Fault {
    /// The response with the fault; `None` if the fault does not apply to it.
    fn put_into(&self, answer: Response<Bytes>) -> Option<Response<Bytes>> {
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
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
