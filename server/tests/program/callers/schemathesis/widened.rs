//! The statuses that schemathesis accepts beyond those of every operation.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// Them and their reasons, for people. Holds that no operation has one without a reason.
#[track_caller]
pub(super) fn told(path: &Path) -> String {
    let told: Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let mut text = String::new();
    let mut widened: Vec<_> = told["operations"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(operations)
        .collect();
    let mut reasoned = Vec::new();
    for reason in told["checks"]["RefusedForAStatedReason"]["reasons"]
        .as_array()
        .unwrap()
    {
        let names = names(&reason["operations"]);
        let part = |name: &str| reason[name].as_str().unwrap();
        let (parameter, keyword, because) = (part("parameter"), part("keyword"), part("because"));
        let operations = names.join(", ");
        writeln!(
            text,
            "400 widened for {operations}\n  {parameter}, {keyword}: {because}"
        )
        .unwrap();
        reasoned.extend(names);
    }
    widened.sort();
    reasoned.sort();
    reasoned.dedup();
    assert_eq!(widened, reasoned);
    text
}

/// The operations that a table of the configuration is about. All that it does is to widen by 400.
fn operations(table: &Value) -> Vec<String> {
    let statuses = &table["checks"]["positive_data_acceptance"]["expected-statuses"];
    assert_eq!(names(statuses), ["2xx", "304", "404", "409", "400"]);
    assert_eq!(table.as_table().unwrap().len(), 2);
    assert_eq!(table["checks"].as_table().unwrap().len(), 1);
    names(&table["include-operation-id"])
}

fn names(list: &Value) -> Vec<String> {
    let names = list.as_array().unwrap().iter();
    names
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}
