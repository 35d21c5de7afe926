//! The examples: their crates are what their documents give.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_crates_of_the_examples_are_those_of_their_documents() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut count = 0;
    for entry in fs::read_dir(examples).unwrap() {
        let folder = entry.unwrap().path();
        for arguments in [&["gen", "--check"][..], &["lint"]] {
            let mut program = Command::new(env!("CARGO_BIN_EXE_openapi-crate"));
            let output = program
                .args(arguments)
                .current_dir(&folder)
                .output()
                .unwrap();
            assert!(
                output.status.success(),
                "{folder:?} {arguments:?}: {output:?}"
            );
        }
        count += 1;
    }
    assert_eq!(count, 2);
}
