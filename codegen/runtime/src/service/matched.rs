//! The operation that a request was routed to, in words that are safe to
//! record.

use std::fmt;

use http::Method;

use crate::http::operation::Operation;

/// The name of the operation of a request that is for none.
const UNMATCHED: &str = "<unmatched>";

/// The operation that a request was routed to. Its texts are of a closed set,
/// and none is the client's: they can be labels of metrics.
#[derive(Debug, Clone, Copy)]
pub struct Matched {
    operation: Option<&'static Operation>,
    method: &'static str,
}

impl Matched {
    /// The match of a method and, if there is one, an operation.
    #[must_use]
    pub fn new(operation: Option<&'static Operation>, method: &Method) -> Self {
        Self {
            operation,
            method: named(operation, method),
        }
    }

    /// The operation; `None` for an unknown path or method.
    #[must_use]
    pub const fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }

    /// The operationId; `<unmatched>` for an unknown path or method.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.operation.map_or(UNMATCHED, |operation| operation.id)
    }

    /// The method's name if it is a standard one or the operation's own, else
    /// `<other>`.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        self.method
    }

    /// The template of the path, base path included; nothing for an unknown
    /// path or method.
    #[must_use]
    pub const fn route(&self) -> Route {
        Route(*self)
    }
}

/// A template of a path, to be printed.
#[derive(Debug, Clone, Copy)]
pub struct Route(Matched);

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.operation {
            Some(operation) => write!(f, "{}{}", operation.base_path, operation.path),
            None => Ok(()),
        }
    }
}

fn named(operation: Option<&'static Operation>, method: &Method) -> &'static str {
    let own = operation.map(|operation| &operation.method);
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::TRACE => "TRACE",
        Method::CONNECT => "CONNECT",
        _ => own
            .filter(|own| *own == method)
            .map_or("<other>", Method::as_str),
    }
}
