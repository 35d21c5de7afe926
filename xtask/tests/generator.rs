//! The commands of the generator are about the contract of this workspace, whichever folder they run in.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails where it stands"
)]

use std::fs;
use std::process::Command;

const CONTRACT: &str = "openapi: 3.1.1
info: { title: Shelf, version: 1.0.0 }
components: { schemas: { Book: { type: object } } }
";

#[test]
fn the_settings_beside_the_contract_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("spec")).unwrap();
    fs::create_dir_all(root.join("xtask")).unwrap();
    fs::write(root.join("spec/openapi.yaml"), CONTRACT).unwrap();
    let settings = "out = \"../generated\"\nruntime = \"workspace\"\n";
    fs::write(root.join("spec/openapi-crate.toml"), settings).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.env("CARGO_MANIFEST_DIR", root.join("xtask"));
        let output = command.args(arguments).current_dir(root.join("xtask"));
        let output = output.output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), stdout)
    };
    let (code, stdout) = run(&["gen", "--check"]);
    assert_eq!(code, Some(1), "{stdout}");
    assert!(stdout.contains("Fix with cargo xtask gen\n"), "{stdout}");
    assert_eq!(run(&["gen"]).0, Some(0));
    assert_eq!(run(&["gen", "--check"]).0, Some(0));
    assert!(root.join("generated/src/models.rs").is_file());
    let (code, stdout) = run(&["lint"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("openapi.yaml: "), "{stdout}");
}
