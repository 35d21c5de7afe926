//! Requests and responses in one line, as a person would write them down.

use super::arriving::accepts;
use super::choice::distinct;
use super::node::All;
use super::normal::Nodes;
use super::operations::Both;
use super::sample::Sampler;
use super::side::Side;
use super::slot::Slot;
use super::view::View;
use crate::openapi::{Operation, ParamLocation, Parameter};
use serde_json::Value;
use std::iter;

/// How many values are made up for a parameter.
const FEW: usize = 4;
/// How many of those that are listed for it are looked at.
const MOST: usize = 64;

/// An exchange that lacks the one value in question. It is only written down where there is such a
/// value: samples for everything else take their time.
#[derive(Clone, Copy)]
pub(super) enum Exchange<'o> {
    /// A request whose body is in question.
    Request(&'o Both<'o>),
    /// A request one of whose parameters is.
    Parameter(&'o Both<'o>, &'o Parameter),
    /// A response whose body is: status and media type.
    Response(&'o str),
    /// A response and the name of the header that is.
    Header(&'o str, &'o str),
}

/// A request line in parts.
#[derive(Debug, Clone, Default)]
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

    /// The same, and then requests that have other values in the path, as another path may take the first.
    pub(super) fn all<'o>(
        operation: &'o Operation,
        side: &'o Side,
    ) -> impl Iterator<Item = Line> + 'o {
        let first = Line::new(operation, side);
        let others = {
            let first = first.clone();
            iter::once_with(move || first.others(operation, &side.view)).flatten()
        };
        iter::once(first).chain(others)
    }

    fn others(&self, operation: &Operation, view: &View) -> Vec<Line> {
        let own = operation.parameters.iter();
        let own = own.filter(|parameter| parameter.place == ParamLocation::Path);
        let choices = own.map(|parameter| (Slot::of(parameter), several(parameter, view)));
        let choices: Vec<_> = choices.collect();
        let most = choices.iter().map(|(_, values)| values.len()).max();
        let together = (0..most.unwrap_or_default()).map(|at| {
            choices.iter().fold(self.clone(), |line, (slot, values)| {
                let value = values.get(at).or(values.last());
                value.map_or(line.clone(), |value| line.and(slot, value))
            })
        });
        let alone = choices
            .iter()
            .flat_map(|(slot, values)| values.iter().map(|value| self.and(slot, value)));
        together.chain(alone).collect()
    }

    /// The same request by a method to another path, which may have the same parameters.
    pub(super) fn to(self, method: &str, path: &str) -> Line {
        let (method, path) = (method.to_owned(), path.to_owned());
        Line {
            method,
            path,
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

    /// The path as it is sent.
    pub(super) fn path(&self) -> String {
        let own = self.parameters.iter();
        let own = own.filter(|(slot, _)| slot.place == ParamLocation::Path);
        own.fold(self.path.clone(), |path, (slot, value)| {
            path.replace(&format!("{{{}}}", slot.name), &slot.write(value))
        })
    }

    /// The request in one line, with headers and cookies in parentheses.
    pub(super) fn text(&self) -> String {
        let (mut query, mut headers) = (Vec::new(), Vec::new());
        for (slot, value) in &self.parameters {
            let (name, written) = (&slot.name, slot.write(value));
            match slot.place {
                ParamLocation::Path => {}
                ParamLocation::Query => query.push(written),
                ParamLocation::Header => headers.push(format!("{name}: {written}")),
                ParamLocation::Cookie => headers.push(format!("Cookie: {written}")),
            }
        }
        query.retain(|written| !written.is_empty());
        let mut line = format!("{} {}", self.method, self.path());
        if !query.is_empty() {
            let lead = if line.contains('?') { '&' } else { '?' };
            line.push_str(&format!("{lead}{}", query.join("&")));
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
            Exchange::Request(both) => both.line().text(),
            Exchange::Parameter(both, parameter) => {
                both.line().and(&Slot::of(parameter), value).text()
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
    // A path has no segment that is written as nothing.
    let sampler = Sampler::new(&nodes, false).filled(parameter.place == ParamLocation::Path);
    let sample = schema.and_then(|schema| sampler.sample(&All::one(schema)));
    sample.unwrap_or_else(|| Value::String("a".to_owned()))
}

/// Values that a parameter takes: those that are listed, or a few like its sample.
fn several(parameter: &Parameter, view: &View) -> Vec<Value> {
    let schema = view.schema(&parameter.schema);
    let node = schema.map(|schema| Nodes::new(view).of(&All::one(schema)));
    let listed = node.and_then(|node| node.listed.clone());
    let mut values = listed.unwrap_or_else(|| {
        let first = sample(parameter, view);
        (0..FEW).fold(Vec::new(), |mut known, _| {
            known.push(distinct(first.clone(), &known));
            known
        })
    });
    let (key, travels) = (Some(&*parameter.schema), Slot::of(parameter).travels());
    values.retain(|value| accepts(view, key, travels, value));
    values.truncate(MOST);
    values
}

/// The texts that a list or an object is written as where they stand in one; of anything else, its own.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(text).collect(),
        Value::Object(members) => {
            let members = members.iter();
            members
                .flat_map(|(name, member)| [name.clone(), text(member)])
                .collect()
        }
        plain => vec![text(plain)],
    }
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
