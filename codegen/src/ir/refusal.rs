//! Refusals: answers of the framework, as the client reads them.

use super::{Content, Name, ResponseHeader};

/// An answer of the framework, the same for all operations that document the same.
#[derive(Debug)]
pub struct Refusal {
    /// Its name: that of its status, after that of an operation where another answer has it.
    pub name: Name,
    /// The status.
    pub status: u16,
    /// Its description.
    pub doc: String,
    /// The body: JSON, text or the text of one value. Of several media types, JSON.
    pub body: Option<Content>,
    /// The headers.
    pub headers: Vec<ResponseHeader>,
}

/// The refusals that some operations document alike.
#[derive(Debug)]
pub struct RefusalSet {
    /// Its name, after that of the first of these operations.
    pub name: Name,
    /// The id of that operation.
    pub first: String,
    /// Indices into [`Api::refusals`](super::Api::refusals), in rising order.
    pub refusals: Vec<usize>,
}
