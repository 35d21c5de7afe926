//! Requests and responses in one line, as a person would write them down.

use super::node::All;
use super::normal::Nodes;
use super::sample::Sampler;
use super::side::Side;
use super::slot::Slot;
use super::view::View;
use crate::document::{Operation, Parameter, Place};
use serde_json::Value;

/// An exchange that lacks the one value in question. It is only written down where there is such a
/// value: samples for everything else take their time.
#[derive(Clone, Copy)]
pub(super) enum Exchange<'o> {
    /// A request whose body is in question.
    Request(&'o Operation, &'o Side),
    /// A request one of whose parameters is.
    Parameter(&'o Operation, &'o Side, &'o Parameter),
    /// A response whose body is: status and media type.
    Response(&'o str),
    /// A response and the name of the header that is.
    Header(&'o str, &'o str),
}

/// A request line in parts.
#[derive(Debug, Clone)]
pub(super) struct Line {
    method: String,
    path: String,
    parameters: Vec<(Slot, Value)>,
}

impl Line {
    /// A request that has everything the operation requires, of sample values.
    pub(super) fn new(operation: &Operation, side: &Side) -> Line {
        let required = operation.parameters.iter().filter(|p| p.required);
        let parameters =
            required.map(|parameter| (Slot::of(parameter), sample(parameter, &side.view)));
        Line {
            method: operation.method.clone(),
            path: side.path(operation),
            parameters: parameters.collect(),
        }
    }

    /// The same request to a path without parameters.
    pub(super) fn at(self, path: &str) -> Line {
        let mut parameters = self.parameters;
        parameters.retain(|(known, _)| known.place != Place::Path);
        Line {
            path: path.to_owned(),
            parameters,
            ..self
        }
    }

    /// The same request with a parameter, in place of the one of that name.
    pub(super) fn and(&self, slot: &Slot, value: &Value) -> Line {
        let mut line = self.without(slot);
        line.parameters.push((slot.clone(), value.clone()));
        line
    }

    /// The same request without a parameter.
    pub(super) fn without(&self, slot: &Slot) -> Line {
        let mut line = self.clone();
        line.parameters
            .retain(|(known, _)| known.name != slot.name || known.place != slot.place);
        line
    }

    /// The request in one line, with headers and cookies in parentheses.
    pub(super) fn text(&self) -> String {
        let mut path = self.path.clone();
        let (mut query, mut headers) = (Vec::new(), Vec::new());
        for (slot, value) in &self.parameters {
            let (name, written) = (&slot.name, slot.write(value));
            match slot.place {
                Place::Path => path = path.replace(&format!("{{{name}}}"), &written),
                Place::Query => query.push(written),
                Place::Header => headers.push(format!("{name}: {written}")),
                Place::Cookie => headers.push(format!("Cookie: {written}")),
            }
        }
        query.retain(|written| !written.is_empty());
        let mut line = format!("{} {path}", self.method);
        if !query.is_empty() {
            line.push_str(&format!("?{}", query.join("&")));
        }
        if !headers.is_empty() {
            line.push_str(&format!(" ({})", headers.join("; ")));
        }
        line
    }
}

impl Exchange<'_> {
    /// The exchange with the value that makes the difference, where a line can show it.
    pub(super) fn with(&self, value: &Value) -> String {
        match self {
            Exchange::Request(operation, side) => Line::new(operation, side).text(),
            Exchange::Parameter(operation, side, parameter) => {
                let line = Line::new(operation, side);
                line.and(&Slot::of(parameter), value).text()
            }
            Exchange::Response(line) => (*line).to_owned(),
            Exchange::Header(line, name) => format!("{line} ({name}: {})", text(value)),
        }
    }
}

/// A value that a parameter is likely to take.
pub(super) fn sample(parameter: &Parameter, view: &View) -> Value {
    let nodes = Nodes::new(view);
    let schema = view.schema(&parameter.schema);
    let sample = schema.and_then(|schema| Sampler::new(&nodes, false).sample(&All::one(schema)));
    sample.unwrap_or_else(|| Value::String("a".to_owned()))
}

/// A value as a parameter or header shows it.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        Value::Object(members) => {
            let members = members.iter();
            let pairs = members.map(|(name, value)| format!("{name},{}", text(value)));
            pairs.collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    }
}
