//! Operations that the API calls on other servers.

use super::{Name, Operation, Type};

/// A callback: an operation, and its URL.
#[derive(Debug)]
pub struct Callback {
    /// The request and its answers.
    pub operation: Operation,
    /// The URL, if its expression can be evaluated.
    pub url: Option<CallbackUrl>,
}

/// A URL made of an operation's request and answer (OpenAPI 3.1.1 §4.8.20.4).
#[derive(Debug)]
pub struct CallbackUrl {
    /// The name of the callback.
    pub name: Name,
    /// The text in the document.
    pub expression: String,
    /// The index of the operation that has the callback in
    /// [`Api::operations`](super::Api::operations); `None` where it was left out.
    pub of: Option<usize>,
    /// The arguments of the function.
    pub given: Vec<Argument>,
    /// The parts of the URL, to be joined.
    pub parts: Vec<UrlPart>,
}

/// An argument of a function that makes a URL or a link's request.
#[derive(Debug, Clone)]
pub enum Argument {
    /// The struct of the operation's parameters.
    Params,
    /// A value of this type, under this name.
    Value(Name, Type),
    /// A text under this name.
    Text(Name),
}

/// A part of a URL.
#[derive(Debug)]
pub enum UrlPart {
    /// A constant text.
    Text(String),
    /// A value, or the part of it at a JSON pointer.
    Value {
        /// The argument.
        given: Name,
        /// The parameter among those that are one argument.
        field: Option<Name>,
        /// The JSON pointer.
        pointer: String,
        /// The runtime expression.
        expression: String,
        /// Whether it is percent-encoded; a value that begins the URL is not.
        encoded: bool,
    },
}
