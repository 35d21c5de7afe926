//! The Postman collections against a demo: the partners' one, and the one for conformance with the mutations that it
//! notices.

mod items;
mod lane;
mod mutation_testing;
mod newman;
mod relay;

use std::fs;
use std::process::Command;

use features::keys::demo::{ENTERPRISE, FREE};
use generated::operations::OPERATIONS;
use serde_json::Value;

use crate::folder::Folder;
use crate::serving::{Serving, serve};

const CONFORMANCE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../generated/postman/conformance.json"
);

const ENVIRONMENT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../generated/postman/environment.json"
);

/// Limits are lifted, because a run makes more requests than any tier allows in a minute; the contract
/// test covers limits.
const DEMO: [&str; 2] = ["--demo", "--lift-limits"];

#[test]
fn the_served_collection_passes_within_the_limits_of_a_free_project() {
    if !installed::present(&["node"], &["node:newman"]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let owned = |key| ["/configs", "/webhooks"].map(|path| serving.get(path, Some(key)).json());
    let before = owned(FREE);
    let report = run_served(&folder, &serving, FREE);
    let all = OPERATIONS.len() as u64;
    // The project has no partner contract whose tokens could be ranked.
    assert_eq!(counted(&report, "requests"), all - 1);
    assert_eq!(owned(FREE), before, "a run deletes what it creates");
    let report = run_served(&folder, &serving, ENTERPRISE);
    assert_eq!(counted(&report, "requests"), all);
}

/// Runs the collection that the server has for partners, with no variable set but the key.
fn run_served(folder: &Folder, serving: &Serving, key: &str) -> Value {
    let collection = folder.path().join("collection.json");
    fs::write(&collection, serving.get("/postman", None).body).unwrap();
    let newman = installed::newman(&collection, &[("serviceApiKey", key)]);
    let report = passed(folder, newman);
    assert!(counted(&report, "assertions") >= 2 * counted(&report, "requests"));
    report
}

#[test]
fn the_conformance_collection_passes_repeatedly_without_manual_steps() {
    if !installed::present(&["node"], &["node:newman"]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &DEMO);
    let base = format!("http://{}/api/v1", serving.api);
    let variables = [("serviceApiKey", ENTERPRISE), ("baseUrl", &base)];
    // The second run finds the data that the first has left.
    for environment in [&[] as &[_], &["--environment", ENVIRONMENT]] {
        let mut newman = installed::newman(CONFORMANCE.as_ref(), &variables);
        newman.args(environment);
        let report = passed(&folder, newman);
        assert!(counted(&report, "requests") >= 2 * OPERATIONS.len() as u64);
        assert!(counted(&report, "assertions") >= 20 * OPERATIONS.len() as u64);
        assert_eq!(
            report["run"]["stats"]["assertions"]["pending"], 0,
            "something is not asserted"
        );
    }
}

/// The report of a run in which no request, script or assertion failed.
fn passed(folder: &Folder, mut newman: Command) -> Value {
    let file = folder.path().join("report.json");
    newman.args(["--reporters", "json", "--reporter-json-export"]);
    let output = newman.arg(&file).output().unwrap();
    let report = fs::read_to_string(file).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let failures = &report["run"]["failures"];
    assert!(output.status.success(), "{failures:#}");
    assert_eq!(*failures, Value::Array(Vec::new()));
    report
}

fn counted(report: &Value, what: &str) -> u64 {
    report["run"]["stats"][what]["total"].as_u64().unwrap()
}
