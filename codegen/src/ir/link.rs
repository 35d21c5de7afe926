//! Links (OpenAPI 3.1.1 §4.8.20) that a client can follow.

use super::Given;
use serde_json::Value;

/// A link: how the target's request is made of what an operation was asked and has answered.
#[derive(Debug)]
pub struct Link {
    /// The function.
    pub rust: String,
    /// Its name in the document.
    pub link: String,
    /// What the document says of it.
    pub description: String,
    /// The operation that has it, in [`Api::operations`](super::Api::operations).
    pub source: usize,
    /// The answer that has it, in the operation's `responses`.
    pub answer: usize,
    /// Whether values of the answer's body are taken.
    pub reads_body: bool,
    /// The headers of the answer whose values are taken: their fields, and the variables for them.
    pub headers: Vec<(String, String)>,
    /// The operation that it leads to.
    pub target: usize,
    /// What has to be at hand of the request, by the names of the function's arguments.
    pub given: Vec<(String, Given)>,
    /// The values of the target's parameters in the path, one for each.
    pub path_params: Vec<LinkArgument>,
    /// The values of its other parameters, one for each.
    pub params: Vec<LinkArgument>,
    /// Its body.
    pub body: LinkArgument,
    /// The media type of a body that the link gives, by its place.
    pub media: usize,
}

/// Where a part of a request comes from.
#[derive(Debug)]
pub enum LinkArgument {
    /// From nowhere: it is absent, or has its default.
    Nothing,
    /// From an argument of this name: it has to be there, and the link does not give it.
    Asked(String),
    /// From the link.
    Told {
        /// As in the document.
        expression: String,
        /// The value.
        source: LinkSource,
    },
}

/// What an expression names.
#[derive(Debug, Clone)]
pub enum LinkSource {
    /// The same value always.
    Constant(Value),
    /// A text that is joined from these.
    Joined(Vec<LinkSource>),
    /// A part of what the operation was asked.
    Request {
        /// The argument.
        given: String,
        /// The field of the parameters' struct.
        field: Option<String>,
        /// The JSON pointer within it.
        pointer: String,
    },
    /// The status of an answer that stands for several.
    Status,
    /// What this JSON pointer names within the answer's body.
    Body(String),
    /// A header of the answer, by its variable.
    Header(String),
}

impl LinkSource {
    /// Whether it is of what the operation was asked, and nothing of the answer is in it: where it is
    /// missing, it was left out before.
    pub fn is_asked(&self) -> bool {
        match self {
            LinkSource::Request { .. } => true,
            LinkSource::Joined(parts) => {
                let constant = |part: &LinkSource| matches!(part, LinkSource::Constant(_));
                parts.iter().all(|part| part.is_asked() || constant(part))
            }
            _ => false,
        }
    }
}
