//! Paths that take requests from each other: which answers they get then is possible at most.

use crate::contract::{compare, document};
use crate::operations::{adds, refuses, suspects};
use serde_json::Value;

/// A document with these operations: method, path, and the schema of all path parameters.
fn all(operations: &[(&str, &str, &str)]) -> Value {
    let mut whole = document("{}");
    for (method, path, schema) in operations {
        let names = path.split('{').skip(1);
        let names = names.filter_map(|part| part.split('}').next());
        let parameters = names
            .map(|name| format!("{{ name: {name}, in: path, required: true, schema: {schema} }}"));
        let own = document(&format!(
            "{{ '{path}': {{ {method}: {{ responses: {{ '204': {{ description: d }} }},
                parameters: [{}] }} }} }}",
            parameters.collect::<Vec<_>>().join(", ")
        ));
        whole["paths"][path][method] = own["paths"][path][method].clone();
    }
    whole
}

const TEXT: &str = "{ type: string }";
const NUMBER: &str = "{ type: integer }";

#[test]
fn an_added_path_may_take_requests_from_one_with_parameters() {
    for (schema, takes) in [(TEXT, true), (NUMBER, false)] {
        let any = ("get", "/items/{id}", schema);
        for method in ["get", "post"] {
            let report = compare(&all(&[any]), &all(&[any, (method, "/items/mine", TEXT)]));
            match takes {
                true => suspects(&report, "operation-added"),
                false => adds(&report, "operation-added"),
            }
        }
    }
    let [any, other] = [("get", "/items/{id}", TEXT), ("get", "/shops/{id}", TEXT)];
    adds(
        &compare(&all(&[any]), &all(&[any, other])),
        "operation-added",
    );
    let post = ("post", "/items/{id}", TEXT);
    adds(
        &compare(&all(&[any]), &all(&[any, post])),
        "operation-added",
    );
}

#[test]
fn a_removed_path_may_leave_its_requests_to_another() {
    let (any, mine) = (("get", "/items/{id}", TEXT), ("get", "/items/mine", TEXT));
    let report = compare(&all(&[any, mine]), &all(&[any]));
    suspects(&report, "operation-removed");
    assert!(
        report.to_text().contains("`GET /items/{id}`"),
        "{}",
        report.to_text()
    );
    let post = ("post", "/items/mine", TEXT);
    let report = compare(&all(&[any, mine, post]), &all(&[any, post]));
    refuses(&report, "operation-removed", "GET /items/mine", "405");
}

#[test]
fn a_path_with_parameters_is_gone_if_no_other_takes_some_request() {
    let report = compare(
        &all(&[("get", "/i/{k}", TEXT)]),
        &all(&[("get", "/i/a", TEXT)]),
    );
    refuses(&report, "operation-removed", "GET /i/b", "404");
}

#[test]
fn eight_hundred_operations_that_change_a_path_parameter_are_each_proven() {
    let document = |schema: &str| {
        let paths: Vec<String> = (0..800).map(|at| format!("/a{at}/{{id}}")).collect();
        let operations: Vec<_> = paths
            .iter()
            .map(|path| ("get", path.as_str(), schema))
            .collect();
        all(&operations)
    };
    let report = compare(&document(TEXT), &document(NUMBER));
    let breaking = report.of(diff::Severity::Breaking);
    let told = breaking.map(|change| 1 + change.other_operations.len());
    assert_eq!(told.sum::<usize>(), 800);
    assert!(report.to_text().len() < 100_000);
}
