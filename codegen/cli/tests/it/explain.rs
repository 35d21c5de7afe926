//! `explain`: the meaning of codes.

use crate::sandbox::{CONTRACT, Sandbox};

#[test]
fn explains_one_code_or_lists_all() {
    let sandbox = Sandbox::new(CONTRACT);
    let explained = sandbox.run(&["explain", "dangling-reference"]);
    assert_eq!(explained.code, 0);
    assert!(
        explained
            .stdout
            .starts_with("A reference points to nothing.\n")
    );
    assert!(explained.stdout.contains("Wrong:\n```yaml\n"));
    let same = sandbox.run(&["gen", "--explain", "dangling-reference"]);
    assert_eq!((same.code, same.stdout), (0, explained.stdout));
    assert!(!sandbox.path("generated").exists());
    let all = sandbox.run(&["explain"]);
    assert_eq!(all.code, 0);
    assert!(all.stdout.contains("\npath-parameter "), "{}", all.stdout);
}

#[test]
fn names_codes_that_are_like_a_wrong_one() {
    let sandbox = Sandbox::new(CONTRACT);
    let outcome = sandbox.run(&["explain", "dangling-ref"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("there is no code `dangling-ref`"));
    assert!(
        outcome.stderr.contains("\ndangling-reference "),
        "{}",
        outcome.stderr
    );
}
