//! Links (OpenAPI 3.1.1 §4.8.20) that a client can follow.

use super::{Argument, Name};
use serde_json::Value;

/// A link as the document describes it to readers.
#[derive(Debug)]
pub struct DescribedLink {
    /// Its name.
    pub name: String,
    /// The operationId that it names.
    pub operation_id: Option<String>,
    /// Its description.
    pub description: String,
    /// The values that it gives to parameters.
    pub parameters: Vec<(String, Value)>,
}

/// A link: builds the target's request from an operation's request and answer.
#[derive(Debug)]
pub struct Link {
    /// Its name among all links.
    pub name: Name,
    /// Its name in the document.
    pub document_name: String,
    /// Its description.
    pub description: String,
    /// The operation with the link, as an index into [`Api::operations`](super::Api::operations).
    pub operation: usize,
    /// The answer with the link, as an index into the operation's `responses`.
    pub answer: usize,
    /// Whether it uses the answer's body.
    pub reads_body: bool,
    /// The headers of the answer that it uses: their fields, and the names of their values.
    pub headers: Vec<(Name, Name)>,
    /// The operation that it leads to.
    pub target: usize,
    /// The parts of the request that it uses, by their names.
    pub arguments: Vec<(Name, Argument)>,
    /// The values of the target's parameters in the path, one for each.
    pub path_params: Vec<LinkArgument>,
    /// The values of its other parameters, one for each.
    pub params: Vec<LinkArgument>,
    /// Its body.
    pub body: LinkArgument,
    /// The index of the media type of a body that the link gives.
    pub media: usize,
}

/// The source of a part of a request.
#[derive(Debug)]
pub enum LinkArgument {
    /// None: it is absent, or has its default.
    Absent,
    /// An argument with this name: it is required, and the link does not give it.
    Argument(Name),
    /// An expression of the link.
    Value {
        /// The text in the document.
        expression: String,
        /// The value.
        source: LinkSource,
    },
}

/// The value of an expression.
#[derive(Debug, Clone)]
pub enum LinkSource {
    /// A constant.
    Constant(Value),
    /// A text joined from these.
    Concatenated(Vec<LinkSource>),
    /// A part of the operation's request.
    Request {
        /// The argument.
        argument: Name,
        /// The parameter among those that are one argument.
        field: Option<Name>,
        /// The JSON pointer within it.
        pointer: String,
    },
    /// The status of an answer that has several.
    Status,
    /// The value at this JSON pointer in the answer's body.
    Body(String),
    /// A header of the answer, by the name of its value.
    Header(Name),
}

impl LinkSource {
    /// Whether it reads the request alone: such a value is missing only where the request had none.
    pub fn is_of_request(&self) -> bool {
        match self {
            LinkSource::Request { .. } => true,
            LinkSource::Concatenated(parts) => {
                let constant = |part: &LinkSource| matches!(part, LinkSource::Constant(_));
                parts
                    .iter()
                    .all(|part| part.is_of_request() || constant(part))
            }
            _ => false,
        }
    }
}
