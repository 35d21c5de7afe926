//! Clients by other generators, which run the steps of a first use.

use std::fs;
use std::path::Path;
use std::process::Command;

use features::keys::demo::PRO;
use tempfile::TempDir;

use crate::folder::Folder;
use crate::serving::serve;

const CONTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated/openapi.json");
const FLOWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/callers/clients");

/// The strictest options of the compiler.
const STRICT: [&str; 10] = [
    "--strict",
    "--noUncheckedIndexedAccess",
    "--exactOptionalPropertyTypes",
    "--noPropertyAccessFromIndexSignature",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--outDir",
    "out",
];

#[test]
fn a_typescript_client_does_the_demo_flow() {
    let packages = ["node:openapi-typescript", "node:tsc"];
    if !installed::present(&["node"], &packages) {
        return;
    }
    let folder = project("flow.ts");
    fs::write(
        folder.path().join("package.json"),
        r#"{ "type": "module" }"#,
    )
    .unwrap();
    std::os::unix::fs::symlink(
        installed::node_modules(),
        folder.path().join("node_modules"),
    )
    .unwrap();
    let mut types = installed::node("openapi-typescript");
    done(
        folder.path(),
        types.args([CONTRACT, "--output", "api.d.ts"]),
    );
    done(
        folder.path(),
        installed::node("tsc").args(STRICT).arg("flow.ts"),
    );
    flow(folder.path(), Command::new("node").arg("out/flow.js"));
}

#[test]
fn a_python_client_does_the_demo_flow() {
    if !installed::present(&[], &["python:openapi-python-client"]) {
        return;
    }
    let folder = project("flow.py");
    let mut client = installed::python("openapi-python-client");
    client.args(["generate", "--path", CONTRACT, "--output-path", "catalog"]);
    done(folder.path(), client.args(["--meta", "none"]));
    flow(folder.path(), installed::python("python").arg("flow.py"));
}

fn project(program: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(Path::new(FLOWS).join(program), folder.path().join(program)).unwrap();
    folder
}

/// Runs a client's program against a demo.
#[track_caller]
fn flow(folder: &Path, command: &mut Command) {
    let home = Folder::new();
    let serving = serve(&home, &["--demo"]);
    command
        .env("API", format!("http://{}/api/v1", serving.api))
        .env("KEY", PRO);
    assert_eq!(done(folder, command), "the flow is done\n");
}

/// The output of a command, which must succeed.
#[track_caller]
fn done(folder: &Path, command: &mut Command) -> String {
    let output = command.current_dir(folder).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}\n{complaint}");
    said
}
