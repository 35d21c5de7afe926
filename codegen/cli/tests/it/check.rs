//! Tests of `gen --check`: its report, its exit status, and that it writes nothing.

use crate::sandbox::{CONTRACT, Sandbox};
use std::fs;

#[test]
fn is_content_with_a_fresh_output() {
    let sandbox = Sandbox::generated(CONTRACT);
    let outcome = sandbox.run(&["gen", "--check"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("Fresh"), "{}", outcome.stdout);
}

#[test]
fn names_every_differing_file_and_the_command_that_updates_it() {
    let sandbox = Sandbox::generated(CONTRACT);
    fs::remove_file(sandbox.path("generated/src/api/books.rs")).unwrap();
    sandbox.write("generated/src/api/legacy.rs", "// old\n");
    let models = sandbox.read("generated/src/models.rs");
    let edited = models.replace("pub title: String", "pub title: i64");
    sandbox.write("generated/src/models.rs", &edited);

    let outcome = sandbox.run(&["gen", "--check"]);
    assert_eq!(outcome.code, 1);
    for wanted in [
        "     Missing generated/src/api/books.rs\n",
        "       Stale generated/src/models.rs\n",
        "    Orphaned generated/src/api/legacy.rs\n",
        "\n-    pub title: i64,\n+    pub title: String,\n",
        "\n-// old\n",
        "1 stale, 1 missing, 1 orphaned",
        "    Fix with openapi-crate gen\n",
    ] {
        assert!(
            outcome.stdout.contains(wanted),
            "no {wanted:?} in:\n{}",
            outcome.stdout
        );
    }
}

#[test]
fn writes_nothing() {
    let sandbox = Sandbox::generated(CONTRACT);
    fs::remove_file(sandbox.path("generated/src/lib.rs")).unwrap();
    sandbox.write("generated/src/api/legacy.rs", "");
    let before = sandbox.snapshot();
    assert_eq!(sandbox.run(&["gen", "--check"]).code, 1);
    let out = [
        "gen",
        "--check",
        "--spec",
        "spec/openapi.yaml",
        "--out",
        "new",
    ];
    assert_eq!(sandbox.run(&out).code, 1);
    assert_eq!(sandbox.snapshot(), before);
    assert!(!sandbox.path("new").exists());
}

#[test]
fn sees_every_byte_of_the_contract() {
    let sandbox = Sandbox::generated(CONTRACT);
    sandbox.write(
        "spec/openapi.yaml",
        &CONTRACT.replace("The book.", "A book."),
    );
    let outcome = sandbox.run(&["gen", "--check"]);
    assert_eq!(outcome.code, 1);
    let diff = "\n-    /// 200: The book.\n+    /// 200: A book.\n";
    assert!(outcome.stdout.contains(diff), "{}", outcome.stdout);
}

#[test]
fn takes_windows_line_ends_for_fresh() {
    let sandbox = Sandbox::generated(CONTRACT);
    for path in [
        "spec/openapi.yaml",
        "generated/src/models.rs",
        "generated/openapi.json",
    ] {
        let text = sandbox.read(path);
        sandbox.write(path, &text.replace('\n', "\r\n"));
    }
    let outcome = sandbox.run(&["gen", "--check"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
}

#[test]
fn is_content_with_another_crate_as_it_was_generated() {
    let sandbox = Sandbox::new(CONTRACT);
    let arguments = ["gen", "--spec", "spec/openapi.yaml", "--out", "out"];
    assert_eq!(sandbox.run(&arguments).code, 0);
    let outcome = sandbox.run(&[&arguments[..], &["--check"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
}

#[test]
fn prints_a_command_for_another_crate_that_a_shell_takes() {
    let sandbox = Sandbox::new(CONTRACT);
    sandbox.write("my api.yaml", CONTRACT);
    let arguments = [
        "gen",
        "--check",
        "--spec",
        "my api.yaml",
        "--out",
        "out",
        "--name",
        "shelf",
    ];
    let outcome = sandbox.run(&arguments);
    assert_eq!(outcome.code, 1);
    let fix = "Fix with openapi-crate gen --spec 'my api.yaml' --out out --name shelf\n";
    assert!(outcome.stdout.contains(fix), "{}", outcome.stdout);
}

#[test]
fn says_where_an_invalid_contract_is_wrong() {
    let sandbox = Sandbox::generated(CONTRACT);
    sandbox.write(
        "spec/openapi.yaml",
        &CONTRACT.replace("schemas/Book", "schemas/Boot"),
    );
    let before = sandbox.snapshot();
    for arguments in [["gen"].as_slice(), &["gen", "--check"]] {
        let outcome = sandbox.run(arguments);
        assert_eq!(outcome.code, 2);
        let place = "--> spec/openapi.yaml:13:";
        assert!(outcome.stderr.contains(place), "{}", outcome.stderr);
        assert!(
            outcome.stderr.contains("nothing was generated"),
            "{}",
            outcome.stderr
        );
    }
    assert_eq!(sandbox.snapshot(), before);
}
