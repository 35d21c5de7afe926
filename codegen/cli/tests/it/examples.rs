//! The examples: their crates are generated from their documents. `UPDATE_GOLDEN=1` writes the crates.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_crates_of_the_examples_are_those_of_their_documents() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let command: &[&str] = match std::env::var_os("UPDATE_GOLDEN") {
        Some(_) => &["gen"],
        None => &["gen", "--check"],
    };
    let mut count = 0;
    for entry in fs::read_dir(examples).unwrap() {
        let folder = entry.unwrap().path();
        let run = |arguments: &[&str]| {
            let mut program = Command::new(env!("CARGO_BIN_EXE_openapi-crate"));
            let program = program.args(arguments).current_dir(&folder);
            program.output().unwrap()
        };
        let generated = run(command);
        assert!(generated.status.success(), "{folder:?}: {generated:?}");
        // What the generator leaves to readers of a document is a warning there.
        let linted = run(&["lint"]);
        let text = String::from_utf8_lossy(&linted.stdout);
        assert!(text.contains(": 0 errors, "), "{folder:?}: {linted:?}");
        count += 1;
    }
    assert_eq!(count, 3);
}
