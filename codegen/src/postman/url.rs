//! The address of a request: its server, the path with its variables, the query.

use super::Context;
use super::describe;
use super::format::{Description, Row, Url};
use super::{style, variables};
use crate::ir::{Operation, Param, uri};

/// The address with these query parameters.
pub(super) fn url(context: &Context<'_>, operation: &Operation, query: Vec<Row>) -> Url {
    let mut variable = Vec::new();
    let template = operation.path.trim_start_matches('/');
    let mut path = Vec::new();
    for segment in template.split('/').filter(|_| !template.is_empty()) {
        path.push(match whole(segment, &operation.path_params) {
            Some(param) => {
                let known = |row: &Row| row.key == param.field.wire;
                if !variable.iter().any(known) {
                    variable.push(variable_of(context, operation, param));
                }
                format!(":{}", param.field.wire)
            }
            None => {
                let text = filled_in(context, segment, operation);
                variable.extend(literal_variable(&text, operation));
                text
            }
        });
    }
    let host = context.variables.server(operation);
    Url {
        raw: raw(&host, &path, &query),
        host: vec![host],
        path,
        query,
        variable,
    }
}

impl Url {
    /// Updates the URL's text after its parts have changed.
    pub(super) fn rewrite(&mut self) {
        self.raw = raw(&self.host.concat(), &self.path, &self.query);
    }
}

fn raw(host: &str, path: &[String], query: &[Row]) -> String {
    let sent = query.iter().filter(|row| !row.disabled);
    let sent: Vec<_> = sent
        .map(|row| match &row.value {
            Some(value) => format!("{}={value}", row.key),
            None => row.key.clone(),
        })
        .collect();
    let path: String = path.iter().map(|segment| format!("/{segment}")).collect();
    if sent.is_empty() {
        format!("{host}{path}")
    } else {
        format!("{host}{path}?{}", sent.join("&"))
    }
}

/// The parameter that is a whole segment: only such a one can be a variable in Postman.
fn whole<'p>(segment: &str, params: &'p [Param]) -> Option<&'p Param> {
    let name = segment.strip_prefix('{')?.strip_suffix('}')?;
    params.iter().find(|param| param.field.wire == name)
}

fn variable_of(context: &Context<'_>, operation: &Operation, param: &Param) -> Row {
    Row {
        key: param.field.wire.clone(),
        value: Some(value_of(context, operation, param)),
        description: describe::param(param),
        disabled: false,
    }
}

/// The variable that a literal segment with a colon at its beginning is to Postman: its value is that segment.
fn literal_variable(segment: &str, operation: &Operation) -> Option<Row> {
    let key = segment.strip_prefix(':')?;
    let mut params = operation.path_params.iter();
    let is_free = !key.is_empty() && params.all(|param| param.field.wire != key);
    is_free.then(|| Row {
        key: key.to_owned(),
        value: Some(segment.to_owned()),
        description: Description::default(),
        disabled: false,
    })
}

/// A segment with values in the place of its parameters. In a value, the characters between parameters are
/// encoded, because they would end it.
fn filled_in(context: &Context<'_>, segment: &str, operation: &Operation) -> String {
    let separators = uri::separators(segment);
    let mut text = segment.to_owned();
    for param in &operation.path_params {
        let hole = format!("{{{}}}", param.field.wire);
        if text.contains(&hole) {
            let encode = |text: &str| uri::escaped(text, &separators, str::to_owned);
            text = text.replace(&hole, &value_by(context, operation, param, encode));
        }
    }
    text
}

/// The variable that an earlier request sets, or the value of the contract.
fn value_of(context: &Context<'_>, operation: &Operation, param: &Param) -> String {
    value_by(context, operation, param, str::to_owned)
}

fn value_by(
    context: &Context<'_>,
    operation: &Operation,
    param: &Param,
    encode: impl Fn(&str) -> String,
) -> String {
    if let Some(stored) = context.chain.used_by(operation, &param.field.wire) {
        return variables::reference(context.chain.variable(stored));
    }
    let value = context.made_up.param(param);
    value
        .map(|value| style::one_text_by(param, &value, encode))
        .unwrap_or_default()
}
