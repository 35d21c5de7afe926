//! The contract, read by other people's validators.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The contract's source, with profiles.
const WRITTEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml");

/// The contract as it is published, with its profiles expanded.
const CONTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated/openapi.json");

#[test]
fn the_contract_fits_the_official_schema() {
    if installed::present(&[], &["python:openapi-spec-validator"]) {
        for contract in [WRITTEN, CONTRACT] {
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
        command.args(["lint", "--extends=recommended-strict", CONTRACT]);
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
        command.args([
            "lint",
            "--ruleset",
            "rules.yaml",
            "--fail-severity",
            "hint",
            CONTRACT,
        ]);
        agrees(quiet(&mut command, folder.path()));
    }
}

/// Configures a tool to run in a folder of its own, without telemetry or update checks.
fn quiet<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    command.current_dir(folder);
    command.env("REDOCLY_TELEMETRY", "off");
    command.env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")
}

#[track_caller]
fn agrees(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaint}");
}
