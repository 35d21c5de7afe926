//! Tests of `gen`: the files that it writes, those that it leaves alone, and its errors.

use crate::sandbox::{CONTRACT, Sandbox};
use std::fs;
use std::process::Command;

#[test]
fn restores_missing_and_overwritten_files() {
    let sandbox = Sandbox::generated(CONTRACT);
    let fresh = sandbox.read("generated/src/models.rs");
    let damages: [fn(&Sandbox); 4] = [
        |sandbox| fs::remove_dir_all(sandbox.path("generated/src")).unwrap(),
        |sandbox| {
            fs::remove_dir_all(sandbox.path("generated/src")).unwrap();
            sandbox.write("generated/src", "garbage");
        },
        |sandbox| fs::write(sandbox.path("generated/src/models.rs"), [0xff, 0, 0xfe]).unwrap(),
        |sandbox| sandbox.write("generated/src/api/deep/er/old.rs", "garbage"),
    ];
    for (number, damage) in damages.iter().enumerate() {
        damage(&sandbox);
        assert_eq!(sandbox.run(&["gen", "--check"]).code, 1, "damage {number}");
        let outcome = sandbox.run(&["gen"]);
        assert_eq!(outcome.code, 0, "damage {number}: {}", outcome.stderr);
        assert_eq!(sandbox.run(&["gen", "--check"]).code, 0, "damage {number}");
    }
    assert_eq!(sandbox.read("generated/src/models.rs"), fresh);
    assert!(!sandbox.path("generated/src/api/deep").exists());
}

#[test]
fn leaves_equal_files_and_files_of_others_untouched() {
    let sandbox = Sandbox::generated(CONTRACT);
    sandbox.write("generated/target/x", "a build");
    sandbox.write("generated/.notes.md", "a note");
    let before = sandbox.snapshot();
    assert_eq!(sandbox.run(&["gen"]).code, 0);
    assert_eq!(sandbox.snapshot(), before);
}

#[test]
fn gives_the_same_bytes_wherever_the_output_lies() {
    let sandbox = Sandbox::new(CONTRACT);
    sandbox.write("elsewhere/copy.yaml", CONTRACT);
    let into = |spec: &str, out: &str| {
        let outcome = sandbox.run(&["gen", "--spec", spec, "--out", out]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    };
    into("spec/openapi.yaml", "one");
    into("elsewhere/copy.yaml", "deep/er/two");
    let files = |root: &str| -> Vec<_> {
        let root = sandbox.path(root);
        let all = sandbox.snapshot().into_iter();
        all.filter_map(|(path, (bytes, _))| {
            Some((path.strip_prefix(&root).ok()?.to_owned(), bytes))
        })
        .collect()
    };
    assert!(files("one").len() > 10);
    assert!(files("one") == files("deep/er/two"));
}

#[test]
fn makes_a_crate_that_stands_alone() {
    let sandbox = Sandbox::new(CONTRACT);
    let arguments = [
        "gen",
        "--spec",
        "spec/openapi.yaml",
        "--out",
        "out",
        "--name",
        "shelf",
    ];
    assert_eq!(sandbox.run(&arguments).code, 0);
    let manifest = sandbox.read("out/Cargo.toml");
    assert!(manifest.contains("name = \"shelf\"\n"), "{manifest}");
    assert!(manifest.contains("\n[workspace]\n"), "{manifest}");
    assert!(!manifest.contains("workspace = true"), "{manifest}");
    assert_eq!(
        sandbox.run(&arguments).code,
        0,
        "its own output is not foreign"
    );
}

#[test]
fn a_member_is_of_the_workspace_around_it() {
    let sandbox = Sandbox::new(CONTRACT);
    let members = |arguments: &[&str], folder: &str| {
        let out = format!("{folder}/out");
        let command = ["gen", "--spec", "spec/openapi.yaml", "--out", &out];
        sandbox.write(
            &format!("{folder}/Cargo.toml"),
            "[workspace]\nresolver = \"3\"\nmembers = [\"out\"]\n",
        );
        assert_eq!(sandbox.run(&[&command, arguments].concat()).code, 0);
        let cargo = Command::new(env!("CARGO"))
            .args([
                "metadata",
                "--no-deps",
                "--offline",
                "--format-version",
                "1",
            ])
            .current_dir(sandbox.path(folder))
            .output();
        let found = cargo.expect("cargo runs");
        let text = String::from_utf8_lossy(&found.stdout).into_owned();
        (found.status.success(), text.contains("generated-runtime"))
    };
    assert_eq!(members(&["--member"], "with"), (true, true));
    assert_eq!(members(&[], "without"), (false, false));
    let again = [
        "gen",
        "--spec",
        "spec/openapi.yaml",
        "--out",
        "with/out",
        "--check",
    ];
    assert_eq!(sandbox.run(&[&again[..], &["--member"]].concat()).code, 0);
    assert_eq!(sandbox.run(&again).code, 1);
}

#[test]
fn does_not_overwrite_foreign_files() {
    let sandbox = Sandbox::new(CONTRACT);
    sandbox.write("mine/src/lib.rs", "// years of work\n");
    sandbox.write("mine/Cargo.toml", "[package]\n");
    let before = sandbox.snapshot();
    let outcome = sandbox.run(&["gen", "--spec", "spec/openapi.yaml", "--out", "mine"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("mine is not empty"),
        "{}",
        outcome.stderr
    );
    assert_eq!(sandbox.snapshot(), before);
}

#[test]
fn names_a_document_that_is_not_there() {
    let sandbox = Sandbox::new(CONTRACT);
    let outcome = sandbox.run(&["gen", "--spec", "nowhere.yaml", "--out", "out"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("error: nowhere.yaml: "),
        "{}",
        outcome.stderr
    );
    assert!(!sandbox.path("out").exists());
}

#[test]
fn makes_inexpressible_operations_raw_with_a_warning_unless_strict() {
    let sandbox = Sandbox::new("");
    let contract = CONTRACT.replace(
        "components:\n",
        "  /cover:
    put:
      operationId: books.cover
      tags: [books]
      parameters: [{ $ref: \"#/components/parameters/Lost\" }]
      responses: { \"204\": { description: Taken. } }
components:\n",
    );
    sandbox.write("api.yaml", &contract);
    let arguments = ["gen", "--spec", "api.yaml", "--out", "out"];
    let outcome = sandbox.run(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("warning[dangling-reference]"),
        "{}",
        outcome.stderr
    );
    let books = sandbox.read("out/src/api/books.rs");
    assert!(
        books.contains("fn books_get(") && books.contains("http::Request<runtime::ByteStream>"),
        "{books}"
    );

    let outcome = sandbox.run(&[arguments.as_slice(), &["--strict"]].concat());
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("error[dangling-reference]"),
        "{}",
        outcome.stderr
    );
}
