//! A request in one line, as a person would write it down.

use super::{Param, accepts};
use crate::version::Version;
use codegen::openapi::{Operation, ParamLocation};
use json_schema::pairs;
use sample::distinct;
use sample::normal::{AllOf, Normalizer};
use serde_json::Value;

/// How many values are tried for a parameter in the path.
const MAX_VALUES: usize = 8;

/// A request line in parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestLine<'p> {
    method: String,
    path: String,
    parameters: Vec<(Param<'p>, Value)>,
}

impl<'p> RequestLine<'p> {
    /// A request with sample values for everything that an operation requires, to a path that is no other
    /// operation's.
    pub(crate) fn new(operation: &'p Operation, version: &Version) -> RequestLine<'p> {
        let line = RequestLine::to(version.path(operation), operation, version);
        if version.routes_to(operation, &line.path()) {
            return line;
        }
        let other = line.others(operation, version).next();
        other.unwrap_or(line)
    }

    /// The same for a webhook or a callback, which has no path below a server.
    pub(crate) fn outgoing(operation: &'p Operation, version: &Version) -> RequestLine<'p> {
        RequestLine::to(operation.path.clone(), operation, version)
    }

    fn to(path: String, operation: &'p Operation, version: &Version) -> RequestLine<'p> {
        let required = operation.parameters.iter().filter(|one| one.required);
        let sampled = required
            .map(Param::from)
            .map(|one| (one, one.sample(&version.schemas)));
        RequestLine {
            method: operation.method.clone(),
            path,
            parameters: sampled.collect(),
        }
    }

    /// The same request with other values in the path, which is still that of the operation.
    pub(crate) fn others(
        &self,
        operation: &'p Operation,
        version: &Version,
    ) -> impl Iterator<Item = RequestLine<'p>> {
        let own = operation.parameters.iter().map(Param::from);
        let own = own.filter(|one| one.location == ParamLocation::Path);
        let values: Vec<_> = own.map(|one| (one, path_values(&one, version))).collect();
        let lines = (0..MAX_VALUES).map(move |at| {
            let values = values.iter();
            values.fold(self.clone(), |line, (param, values)| {
                let value = values.get(at).or(values.last());
                value.map_or(line.clone(), |value| line.with(*param, value))
            })
        });
        lines.filter(|line| version.routes_to(operation, &line.path()))
    }

    /// The same request by another method.
    pub(crate) fn by(self, method: String) -> RequestLine<'p> {
        RequestLine { method, ..self }
    }

    /// The same request with a parameter in place of the one with its name.
    pub(crate) fn with(&self, param: Param<'p>, value: &Value) -> RequestLine<'p> {
        let mut line = self.without(&param);
        line.parameters.push((param, value.clone()));
        line
    }

    /// The same request without a parameter.
    pub(crate) fn without(&self, param: &Param<'_>) -> RequestLine<'p> {
        let mut line = self.clone();
        let parameters = &mut line.parameters;
        parameters
            .retain(|(known, _)| known.name != param.name || known.location != param.location);
        line
    }

    /// The path as it is sent.
    pub(crate) fn path(&self) -> String {
        let own = self.parameters.iter();
        let own = own.filter(|(param, _)| param.location == ParamLocation::Path);
        own.fold(self.path.clone(), |path, (param, value)| {
            path.replace(&format!("{{{}}}", param.name), &param.write(value))
        })
    }

    /// The request in one line, with headers and cookies in parentheses.
    pub(crate) fn text(&self) -> String {
        let (mut query, mut headers) = (Vec::new(), Vec::new());
        for (param, value) in &self.parameters {
            let written = param.write(value);
            match param.location {
                ParamLocation::Path => {}
                ParamLocation::Query => query.push(written),
                ParamLocation::Header => headers.push(format!("{}: {written}", param.name)),
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

/// Values that a parameter in the path accepts: those that are enumerated, or some like its sample.
fn path_values(param: &Param<'_>, version: &Version) -> Vec<Value> {
    let bundle = &version.schemas;
    let schema = bundle.schema(param.schema);
    let form = schema.map(|schema| Normalizer::new(bundle).of(&AllOf::one(schema)));
    let enumerated = form.and_then(|form| form.enumerated.clone());
    let mut values = enumerated.unwrap_or_else(|| {
        let first = param.sample(bundle);
        (0..MAX_VALUES).fold(Vec::new(), |mut known, _| {
            known.push(distinct(first.clone(), &known));
            known
        })
    });
    let format = param.wire_format();
    values.retain(|value| accepts(bundle, Some(param.schema), format, value));
    values.truncate(MAX_VALUES);
    values
}

/// The texts that are joined where a list or an object is one text.
pub(super) fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(pairs::text).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let pairs = members.flat_map(|(name, member)| [name.clone(), pairs::text(member)]);
            pairs.collect()
        }
        plain => vec![pairs::text(plain)],
    }
}
