//! The stated reasons for which a request that fits all schemas may be refused.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use toml::Table;

/// Them with their operations, for people. Checks that each is one of some operation.
#[track_caller]
pub(super) fn told(path: &Path) -> String {
    let told: Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let contract: Value = serde_json::from_str(generated::OPENAPI).unwrap();
    let mut text = String::new();
    let reasons = &told["checks"]["RefusedForAStatedReason"]["reasons"];
    for reason in reasons.as_array().unwrap() {
        let of: Vec<_> = reason["of"].as_array().unwrap().iter().collect();
        let has_all = |operation: &Value| {
            let names: Vec<_> = names(&contract, operation).collect();
            of.iter().all(|it| names.contains(&it.as_str().unwrap()))
        };
        let paths = contract["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|item| item.as_object().unwrap().values());
        let ids: Vec<_> = operations
            .filter(|operation| has_all(operation))
            .map(|operation| operation["operationId"].as_str().unwrap())
            .collect();
        assert!(!ids.is_empty(), "{reason} is one of no operation");
        let part = |name: &str| reason[name].as_str().unwrap();
        writeln!(
            text,
            "400 for {}\n  {}, {}: {}",
            ids.join(", "),
            part("parameter"),
            part("keyword"),
            part("because")
        )
        .unwrap();
    }
    text
}

/// The names of an operation's parameters.
fn names<'c>(contract: &'c Value, operation: &'c Value) -> impl Iterator<Item = &'c str> {
    let parameters = operation["parameters"].as_array();
    parameters.into_iter().flatten().map(|parameter| {
        let parameter = match parameter["$ref"].as_str() {
            Some(reference) => contract.pointer(&reference[1..]).unwrap(),
            None => parameter,
        };
        parameter["name"].as_str().unwrap()
    })
}
