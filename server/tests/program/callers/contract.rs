//! The contract, read by other people's tools: as committed, and as it is published.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The contract's source.
const WRITTEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml");

/// The contract as it is published.
const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated/openapi.json");

/// The statuses that every metered operation documents.
const COMMON: [&str; 5] = ["400", "403", "429", "500", "503"];

#[test]
fn the_contract_fits_the_official_schema() {
    if installed::present(&[], &["python:openapi-spec-validator"]) {
        for contract in [WRITTEN, PUBLISHED] {
            let mut command = installed::python("openapi-spec-validator");
            agrees(command.args(["--schema", "3.1", contract]));
        }
    }
}

#[test]
fn redocly_finds_no_problems() {
    if installed::present(&[], &["node:redocly"]) {
        let folder = tempfile::tempdir().unwrap();
        let mut command = installed::node("redocly");
        command.args(["lint", "--extends=recommended-strict", WRITTEN, PUBLISHED]);
        agrees(quiet(&mut command, folder.path()));
    }
}

#[test]
fn spectral_finds_no_problems() {
    if installed::present(&[], &["node:spectral"]) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("rules.yaml"),
            "extends: ['spectral:oas']\n",
        )
        .unwrap();
        let mut command = installed::node("spectral");
        command.args(["lint", "--ruleset", "rules.yaml", "--fail-severity", "hint"]);
        command.args([WRITTEN, PUBLISHED]);
        agrees(quiet(&mut command, folder.path()));
    }
}

/// A parser that knows nothing of our extensions finds the common errors of each operation.
#[test]
fn openapi_typescript_reads_the_errors_of_each_operation() {
    if !installed::present(&[], &["node:openapi-typescript"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let types = folder.path().join("api.d.ts");
    let mut command = installed::node("openapi-typescript");
    agrees(command.arg(WRITTEN).arg("--output").arg(&types));
    let types = fs::read_to_string(types).unwrap();
    let operations = types.split("export interface operations {").nth(1).unwrap();
    let mut statuses: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut operation = "";
    for line in operations.lines() {
        let indent = line.len() - line.trim_start().len();
        let Some((name, _)) = line.trim().split_once(':') else {
            continue;
        };
        match indent {
            4 => operation = name.trim_matches('"'),
            12 => statuses.entry(operation).or_default().push(name),
            _ => {}
        }
    }
    statuses.retain(|operation, _| operation.contains('.'));
    let (meta, metered): (Vec<_>, Vec<_>) = statuses
        .into_iter()
        .partition(|(operation, _)| operation.starts_with("meta."));
    assert_eq!((meta.len(), metered.len()), (2, 35));
    for (operation, statuses) in metered {
        for status in COMMON {
            assert!(
                statuses.contains(&status),
                "{operation} lacks {status}: {statuses:?}"
            );
        }
    }
}

/// Swagger UI shows a lock on each operation that takes a key, and the errors of one that is opened.
#[test]
fn swagger_ui_shows_keys_and_errors() {
    let packages = ["node:playwright-core", "node:swagger-ui-dist"];
    if !installed::present(&["node", "chromium"], &packages) {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/callers/swagger_ui.mjs");
    let mut command = Command::new("node");
    command.arg(script).env("CONTRACT", WRITTEN);
    command.env("NODE_MODULES", installed::node_modules());
    let read: Value = serde_json::from_str(&agrees(&mut command)).unwrap();
    let shown = read["shown"].as_array().unwrap();
    assert_eq!(shown.len(), 37);
    for operation in shown {
        let is_meta = ["/openapi", "/postman"].contains(&operation["path"].as_str().unwrap());
        assert_eq!(operation["locked"], !is_meta, "{operation}");
    }
    let statuses = read["statuses"].as_array().unwrap();
    for status in COMMON.iter().chain(&["200", "404"]) {
        assert!(
            statuses.iter().any(|it| it == status),
            "{status} is not in {statuses:?}"
        );
    }
}

/// Configures a tool to run in a folder of its own, without telemetry or update checks.
fn quiet<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    command.current_dir(folder);
    command.env("REDOCLY_TELEMETRY", "off");
    command.env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")
}

/// Runs a tool, which must succeed; its output.
#[track_caller]
fn agrees(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaint}");
    said.into_owned()
}
