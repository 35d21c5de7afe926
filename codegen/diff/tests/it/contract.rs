//! Small contracts, and questions about the difference between two of them.

use codegen::diagnostic::Look;
use codegen::{Reading, Source};
use diff::{Change, Contract, Report, Severity, diff};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Compares two documents.
#[track_caller]
pub(crate) fn compare(before: &Value, after: &Value) -> Report {
    let source = |name: &str, document: &Value| Source {
        name: name.into(),
        text: document.to_string(),
    };
    let (before, after) = (source("before", before), source("after", after));
    diff(alone(&before), alone(&after))
        .unwrap_or_else(|wrong| panic!("{}", wrong.render(Look::Plain)))
}

/// A contract of one file.
pub(crate) fn alone(source: &Source) -> Contract<'_> {
    static READING: LazyLock<Reading> = LazyLock::new(Reading::default);
    Contract {
        source,
        reading: &READING,
    }
}

/// A document with these paths.
pub(crate) fn document(paths: &str) -> Value {
    with(paths, "{}")
}

/// A document with these paths and components.
pub(crate) fn with(paths: &str, components: &str) -> Value {
    json!({
        "openapi": "3.1.1",
        "info": { "title": "T", "version": "1.0.0" },
        "paths": yaml(paths),
        "components": yaml(components),
    })
}

/// A document whose one operation takes a body of that schema.
pub(crate) fn request(schema: &str) -> Value {
    let mut document = document(
        "/a: { post: { operationId: a, requestBody: { required: true, content: {
            application/json: {} } }, responses: { '204': { description: d } } } }",
    );
    document["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"] =
        yaml(schema);
    document
}

/// A document whose one operation gives a body of that schema.
pub(crate) fn response(schema: &str) -> Value {
    let mut document = document(
        "/a: { get: { operationId: a, responses: { '200': { description: d, content: {
            application/json: {} } } } } }",
    );
    document["paths"]["/a"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] =
        yaml(schema);
    document
}

/// A document whose one operation has a query parameter.
pub(crate) fn parameter(parameter: &str) -> Value {
    document(&format!(
        "/a: {{ get: {{ operationId: a, parameters: [{{ name: p, in: query, {parameter} }}],
            responses: {{ '204': {{ description: d }} }} }} }}"
    ))
}

#[track_caller]
pub(crate) fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The one change of that severity.
#[track_caller]
pub(crate) fn only(report: &Report, severity: Severity) -> &Change {
    let found: Vec<_> = report.of(severity).collect();
    assert_eq!(found.len(), 1, "{}", report.to_text());
    found[0]
}
