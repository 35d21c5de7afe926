//! Runs schemathesis against a demo, with all its checks.
//!
//! Its configuration is in `schemathesis/schemathesis.toml`; facts about the API that it cannot derive
//! are in `schemathesis/hooks.py`.

mod reasons;
mod report;
mod tally;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use features::keys::demo::{ENTERPRISE, PRO};
use generated::operations::OPERATIONS;
use serde_json::json;
use tempfile::TempDir;

use self::report::Report;
use self::tally::Tally;
use crate::folder::Folder;
use crate::serving::serve;

const CONTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated/openapi.json");
const TOLD: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/program/callers/schemathesis"
);

/// What a run must do at least.
struct Least {
    /// Cases with checked responses in each phase: schemathesis may end a phase early without a message.
    cases: [(&'static str, usize); 4],
    /// The percentage of an operation's positive cases that are answered 2xx.
    accepted: usize,
}

/// With the configured number of examples.
const ALL_CASES: Least = Least {
    cases: [
        ("examples", 90),
        ("coverage", 900),
        ("fuzzing", 7_500),
        ("stateful", 100),
    ],
    accepted: 30,
};

/// With [`FEW_EXAMPLES`].
const FEW_CASES: Least = Least {
    cases: [
        ("examples", 90),
        ("coverage", 900),
        ("fuzzing", 300),
        ("stateful", 10),
    ],
    accepted: 10,
};

const FEW_EXAMPLES: &str = "--max-examples=10";

/// Every check of schemathesis but `ignored_auth`, and two of ours.
const CHECKS: [&str; 16] = [
    "RefusedForAStatedReason",
    "allow_header_conformance",
    "content_type_conformance",
    "ensure_resource_availability",
    "keys_are_demanded",
    "max_response_time",
    "missing_required_header",
    "negative_data_rejection",
    "not_a_server_error",
    "object_level_authorization",
    "positive_data_acceptance",
    "response_headers_conformance",
    "response_schema_conformance",
    "status_code_conformance",
    "unsupported_method",
    "use_after_free",
];

#[test]
fn schemathesis_finds_no_failures() {
    let _ = finds_no_failures(&[FEW_EXAMPLES], FEW_CASES);
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn schemathesis_finds_no_failures_in_ten_thousand_cases() {
    if let Some(cases) = finds_no_failures(&[], ALL_CASES) {
        assert!(cases >= 10_000, "only {cases} cases");
    }
}

/// Runs schemathesis, and returns the number of cases.
fn finds_no_failures(arguments: &[&str], least: Least) -> Option<usize> {
    if !installed::present(&[], &["python:schemathesis"]) {
        return None;
    }
    let (folder, said) = run("hooks.py", [ENTERPRISE, PRO], arguments);
    let report = Report::read(&folder.path().join("report.json"));
    let tally = Tally::read(&folder.path().join("report.ndjson"));
    let reasons = reasons::told(&Path::new(TOLD).join("schemathesis.toml"));
    // Not `eprintln!`, whose output the runner hides when a test passes.
    let mut shown = io::stderr();
    writeln!(shown, "{tally}\n{reasons}").unwrap();
    report.is_clean(&said);
    assert!(tally.made.iter().eq(CHECKS), "{:?}", tally.made);
    assert_eq!(report.checked_cases(), tally.cases, "the reports differ");
    for (phase, cases) in least.cases {
        assert!(tally.of_phase(phase) >= cases, "{phase}");
    }
    assert_eq!(tally.operations.len(), OPERATIONS.len());
    for (operation, counts) in &tally.operations {
        let enough = counts.accepted * 100 >= counts.positive * least.accepted;
        assert!(enough && counts.accepted > 0, "{operation}");
    }
    Some(tally.cases)
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn schemathesis_notices_a_mutation_of_each_kind() {
    if !installed::present(&[], &["python:schemathesis"]) {
        return;
    }
    let other = [ENTERPRISE, PRO];
    // Both callers have the same key: each sees the objects of the other.
    let same = [ENTERPRISE; 2];
    // Objects that outlive their deletion, or belong to no caller, show in chains of requests.
    let chains = [
        "--phases=stateful",
        "--max-examples=100",
        "--include-tag=Configs",
    ];
    let alone = ["--phases=coverage,fuzzing", "--max-examples=2"];
    let mut noticed = BTreeSet::new();
    for (hooks, keys, arguments) in [
        ("mutations.py", other, alone.as_slice()),
        ("mutations.py", other, &chains),
        ("hooks.py", same, &chains),
    ] {
        let (folder, _) = run(hooks, keys, arguments);
        noticed.extend(Tally::read(&folder.path().join("report.ndjson")).failed);
    }
    assert!(noticed.iter().eq(CHECKS), "{noticed:?}");
}

/// Runs schemathesis against a demo of its own, with hooks, the keys of two callers and further
/// arguments. Returns the folder of the reports, and the output.
fn run(hooks: &str, keys: [&str; 2], arguments: &[&str]) -> (TempDir, String) {
    let home = Folder::new();
    let serving = serve(&home, &["--demo", "--lift-limits"]);
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(TOLD).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let user = |(name, key): (&str, &str)| json!({ "name": name, "fixedHeaders": [{ "name": "service-api-key", "value": key }] });
    let users: Vec<_> = ["enterprise", "pro"]
        .into_iter()
        .zip(keys)
        .map(user)
        .collect();
    let users = json!({ "auth": users }).to_string();
    fs::write(folder.path().join("keys.json"), users).unwrap();
    let api = format!("http://{}/api/v1", serving.api);
    let mut command = installed::python("schemathesis");
    command.args(["--no-color", "run", CONTRACT, "--url", &api]);
    command.args(arguments).current_dir(folder.path());
    command.env("API", &api).env("KEY", keys[0]);
    command.env("HOOKS", format!("./{hooks}"));
    // Otherwise the order of sets, and so the values that are made of them, would change from run to run.
    command.env("PYTHONHASHSEED", "0");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    (folder, format!("{said}\n{complaint}"))
}
