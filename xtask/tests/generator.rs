//! The commands of the generator are about the contract of this workspace, whichever folder they run in; `gen` also
//! about its import schemas.

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
    fs::create_dir_all(root.join("xtask")).unwrap();
    for (document, out) in [
        ("spec", "../generated"),
        ("server/import-schemas", "../import-lines"),
    ] {
        let document = root.join(document);
        fs::create_dir_all(&document).unwrap();
        fs::write(document.join("openapi.yaml"), CONTRACT).unwrap();
        let settings = format!("out = \"{out}\"\nruntime = \"workspace\"\n");
        fs::write(document.join("openapi-crate.toml"), settings).unwrap();
    }
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
    for models in
        ["generated", "server/import-lines"].map(|out| root.join(out).join("src/models.rs"))
    {
        fs::write(models, "").unwrap();
        assert_eq!(run(&["gen", "--check"]).0, Some(1));
        assert_eq!(run(&["gen"]).0, Some(0));
    }
    let (code, stdout) = run(&["lint"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("openapi.yaml: "), "{stdout}");
}
