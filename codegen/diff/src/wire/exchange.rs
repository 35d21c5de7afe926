//! Requests and responses in one line, as a person would write them down.

use super::{ParamEncoding, accepts};
use crate::pairing::OperationPair;
use crate::version::Version;
use codegen::openapi::{Operation, ParamLocation, Parameter};
use sample::normal::{AllOf, Normalizer};
use sample::{Bundle, Sampler, distinct};
use serde_json::Value;

/// How many values are tried for a parameter in the path.
const MOST_VALUES: usize = 8;

/// A message that lacks the one value in question.
#[derive(Clone, Copy)]
pub(crate) enum Exchange<'o> {
    /// A request whose body is in question.
    Request(&'o OperationPair<'o>),
    /// A request one of whose parameters is.
    Parameter(&'o OperationPair<'o>, &'o Parameter),
    /// Any other message.
    Line(&'o str),
    /// A message and the name of its header that is.
    Header(&'o str, &'o str),
}

/// A request line in parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestLine {
    method: String,
    path: String,
    parameters: Vec<(ParamEncoding, Value)>,
}

impl RequestLine {
    /// A request with sample values for everything that an operation requires, to a path that is no other
    /// operation's.
    pub(crate) fn new(operation: &Operation, version: &Version) -> RequestLine {
        let required = operation.parameters.iter().filter(|one| one.required);
        let parameters = required
            .map(|one| (ParamEncoding::of(one), sample_of(one, &version.schemas)))
            .collect();
        let line = RequestLine {
            method: operation.method.clone(),
            path: version.path(operation),
            parameters,
        };
        if version.routes_to(operation, &line.path()) {
            return line;
        }
        let other = line.others(operation, version).next();
        other.unwrap_or(line)
    }

    /// The same request with other values in the path, which is still that of the operation.
    pub(crate) fn others(
        &self,
        operation: &Operation,
        version: &Version,
    ) -> impl Iterator<Item = RequestLine> {
        let own = operation.parameters.iter();
        let own = own.filter(|one| one.place == ParamLocation::Path);
        let values: Vec<_> = own
            .map(|one| (ParamEncoding::of(one), path_values(one, &version.schemas)))
            .collect();
        let lines = (0..MOST_VALUES).map(move |at| {
            values
                .iter()
                .fold(self.clone(), |line, (encoding, values)| {
                    let value = values.get(at).or(values.last());
                    value.map_or(line.clone(), |value| line.with(encoding, value))
                })
        });
        lines.filter(|line| version.routes_to(operation, &line.path()))
    }

    /// The same request by another method.
    pub(crate) fn by(self, method: &str) -> RequestLine {
        let method = method.to_owned();
        RequestLine { method, ..self }
    }

    /// The same request with a parameter in place of the one with its name.
    pub(crate) fn with(&self, encoding: &ParamEncoding, value: &Value) -> RequestLine {
        let mut line = self.without(encoding);
        line.parameters.push((encoding.clone(), value.clone()));
        line
    }

    /// The same request without a parameter.
    pub(crate) fn without(&self, encoding: &ParamEncoding) -> RequestLine {
        let mut line = self.clone();
        line.parameters.retain(|(known, _)| {
            known.name != encoding.name || known.location != encoding.location
        });
        line
    }

    /// The path as it is sent.
    pub(crate) fn path(&self) -> String {
        let own = self.parameters.iter();
        let own = own.filter(|(encoding, _)| encoding.location == ParamLocation::Path);
        own.fold(self.path.clone(), |path, (encoding, value)| {
            path.replace(&format!("{{{}}}", encoding.name), &encoding.write(value))
        })
    }

    /// The request in one line, with headers and cookies in parentheses.
    pub(crate) fn text(&self) -> String {
        let (mut query, mut headers) = (Vec::new(), Vec::new());
        for (encoding, value) in &self.parameters {
            let (name, written) = (&encoding.name, encoding.write(value));
            match encoding.location {
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
    /// The message with the value in question, where a line can show it.
    pub(crate) fn with(&self, value: &Value) -> String {
        match self {
            Exchange::Request(pair) => pair.line().text(),
            Exchange::Parameter(pair, parameter) => pair
                .line()
                .with(&ParamEncoding::of(parameter), value)
                .text(),
            Exchange::Line(line) => (*line).to_owned(),
            Exchange::Header(line, name) => format!("{line} ({name}: {})", text_of(value)),
        }
    }
}

/// A value that a parameter is likely to accept.
pub(crate) fn sample_of(parameter: &Parameter, bundle: &Bundle) -> Value {
    let forms = Normalizer::new(bundle);
    // No segment of a path is empty, and a query has nothing of what is.
    let style = sample::Style {
        filled: matches!(parameter.place, ParamLocation::Path | ParamLocation::Query),
        ..sample::Style::default()
    };
    let schema = bundle.schema(&parameter.schema);
    let value = schema.and_then(|schema| Sampler::new(&forms, style).sample(&AllOf::one(schema)));
    value.unwrap_or_else(|| Value::String("a".to_owned()))
}

/// Values that a parameter in the path accepts: those that are enumerated, or some like its sample.
fn path_values(parameter: &Parameter, bundle: &Bundle) -> Vec<Value> {
    let schema = bundle.schema(&parameter.schema);
    let form = schema.map(|schema| Normalizer::new(bundle).of(&AllOf::one(schema)));
    let enumerated = form.and_then(|form| form.enumerated.clone());
    let mut values = enumerated.unwrap_or_else(|| {
        let first = sample_of(parameter, bundle);
        (0..MOST_VALUES).fold(Vec::new(), |mut known, _| {
            known.push(distinct(first.clone(), &known));
            known
        })
    });
    let (key, format) = (
        Some(&*parameter.schema),
        ParamEncoding::of(parameter).wire_format(),
    );
    values.retain(|value| accepts(bundle, key, format, value));
    values.truncate(MOST_VALUES);
    values
}

/// The texts that are joined where a list or an object is one text.
pub(super) fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(text_of).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let pairs = members.flat_map(|(name, member)| [name.clone(), text_of(member)]);
            pairs.collect()
        }
        plain => vec![text_of(plain)],
    }
}

/// A value as a parameter or a header shows it.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(_) | Value::Object(_) => texts_of(value).join(","),
        other => other.to_string(),
    }
}
