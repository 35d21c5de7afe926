//! Operations that the API calls on the servers of others.

use super::{Operation, Type};

/// A callback: an operation, and where it is sent to.
#[derive(Debug)]
pub struct Callback {
    /// What is sent and answered.
    pub operation: Operation,
    /// The URL, where its expression is one.
    pub url: Option<CallbackUrl>,
}

/// A URL that is made of what an operation was called with and has answered (OpenAPI 3.1.1
/// §4.8.20.4).
#[derive(Debug)]
pub struct CallbackUrl {
    /// The function that makes it.
    pub rust: String,
    /// As in the document.
    pub expression: String,
    /// The place of the operation whose callback it is in
    /// [`Api::operations`](super::Api::operations); `None` where it was left out.
    pub of: Option<usize>,
    /// The arguments of the function.
    pub given: Vec<Given>,
    /// What the URL is joined from.
    pub parts: Vec<UrlPart>,
}

/// What has to be at hand.
#[derive(Debug, Clone)]
pub enum Given {
    /// The struct of the operation's parameters.
    Params,
    /// A value of this type, under this name.
    Value(String, Type),
    /// A text under this name.
    Text(String),
}

/// A part of a URL.
#[derive(Debug)]
pub enum UrlPart {
    /// The same in every URL.
    Text(String),
    /// A value, or what a JSON pointer names within it.
    Value {
        /// The argument.
        given: String,
        /// The field of the parameters' struct.
        field: Option<String>,
        /// The JSON pointer.
        pointer: String,
        /// The expression that says so.
        expression: String,
        /// Whether it stands where a URL takes no character for itself, and is percent-encoded.
        encoded: bool,
    },
}
