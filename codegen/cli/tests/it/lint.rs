//! Tests of `lint`: its findings, suppressions, and exit status.

use crate::sandbox::{CONTRACT, SETTINGS, Sandbox};
use serde_json::Value;

/// A contract in which no rule finds anything.
fn clean() -> String {
    CONTRACT
        .replace(
            "version: 1.0.0 }",
            "version: 1.0.0, contact: { email: a@b.example } }",
        )
        .replace(
            "paths:",
            "tags: [{ name: books, description: What is read. }]\npaths:",
        )
        .replace("tags: [books]", "tags: [books]\n      summary: Get a book")
        .replace("in: path,", "in: path, description: The number.,")
        .replace(
            "      responses:\n",
            "      responses:\n        4XX: { description: Refused. }\n",
        )
        .replace("Book: { type", "Book: { description: A book., type")
}

#[test]
fn passes_a_document_without_problems() {
    let sandbox = Sandbox::new(&clean());
    let outcome = sandbox.run(&["lint"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let clean = "Clean spec/openapi.yaml: 0 errors, 0 warnings (";
    assert!(outcome.stdout.contains(clean), "{}", outcome.stdout);
}

#[test]
fn fails_for_errors_and_for_warnings() {
    let sandbox = Sandbox::new(CONTRACT);
    for (contract, expected) in [
        (
            clean().replace("isbn, in: path", "isbn, in: path, example: 1"),
            "error[invalid-value]",
        ),
        (
            clean().replace(", maxLength: 17", ""),
            "warning[unbounded-request]",
        ),
        (
            clean().replace("schemas/Book\"", "schemas/Bok\""),
            "error[dangling-reference]",
        ),
    ] {
        sandbox.write("api.yaml", &contract);
        let outcome = sandbox.run(&["lint", "api.yaml"]);
        assert_eq!(outcome.code, 1, "{expected}");
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
        assert!(
            outcome.stderr.contains("--> api.yaml:"),
            "{}",
            outcome.stderr
        );
    }
    assert_eq!(sandbox.run(&["lint", "nowhere.yaml"]).code, 2);
}

#[test]
fn allows_suppressions_with_a_reason() {
    let sandbox = Sandbox::new(CONTRACT);
    let unbounded = clean().replace(", maxLength: 17", "");
    let check = |suppression: &str, expected: Option<&str>| {
        let suppressed =
            unbounded.replace("    get:\n", &format!("    get:\n      {suppression}\n"));
        sandbox.write("api.yaml", &suppressed);
        let outcome = sandbox.run(&["lint", "api.yaml"]);
        assert_eq!(
            outcome.code,
            i32::from(expected.is_some()),
            "{}",
            outcome.stderr
        );
        assert!(
            outcome.stderr.contains(expected.unwrap_or_default()),
            "{}",
            outcome.stderr
        );
    };
    check(
        "x-lint-allow: { unbounded-request: The shelf is short. }",
        None,
    );
    check(
        "x-lint-allow: { unbounded-request: \" \" }",
        Some("A reason is missing"),
    );
    check(
        "x-lint-allow: { path-case: Why not. }",
        Some("there is nothing to allow here"),
    );
    check(
        "x-lint-allow: { no-rule: Why not. }",
        Some("there is no rule `no-rule`"),
    );
    check(
        "x-lint-allow: [unbounded-request]",
        Some("expected an object from rules to reasons"),
    );
}

#[test]
fn settings_allow_rules_and_change_their_severity() {
    let sandbox = Sandbox::new(&clean().replace(", maxLength: 17", ""));
    for (level, code, said) in [
        ("warn", 1, "warning[unbounded-request]"),
        ("deny", 1, "error[unbounded-request]"),
        ("allow", 0, ""),
    ] {
        let lints = format!("{SETTINGS}lints = {{ unbounded-request = \"{level}\" }}\n");
        sandbox.write("openapi-crate.toml", &lints);
        let outcome = sandbox.run(&["lint"]);
        assert_eq!(outcome.code, code, "{level}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(said), "{level}: {}", outcome.stderr);
    }
}

#[test]
fn findings_for_programs_have_the_file_and_line_of_each() {
    let contract = clean().replace(
        "{ type: string, maxLength: 17 }",
        "{ $ref: \"../isbn.yaml\" }",
    );
    let sandbox = Sandbox::new(&contract.replace("contact: { email: a@b.example }", "x-a: 1"));
    sandbox.write("isbn.yaml", "\ntype: string\n");
    let printed = |format: &str| {
        let outcome = sandbox.run(&["lint", "--format", format]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (1, ""));
        outcome.stdout
    };
    let json: Value = serde_json::from_str(&printed("json")).unwrap();
    let places = json.as_array().unwrap().iter();
    let places: Vec<_> = places
        .map(|one| {
            (
                one["code"].as_str(),
                one["file"].as_str(),
                one["line"].as_u64(),
            )
        })
        .collect();
    let expected = [
        (Some("missing-contact"), Some("spec/openapi.yaml"), Some(2)),
        (
            Some("unbounded-request"),
            Some("spec/../isbn.yaml"),
            Some(2),
        ),
    ];
    assert_eq!(places, expected);
    let sarif: Value = serde_json::from_str(&printed("sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "missing-contact");
    let github = printed("github");
    let line = "::warning file=spec/openapi.yaml,line=2,col=1,title=missing-contact::";
    assert!(github.starts_with(line), "{github}");
}

#[test]
fn colours_are_for_terminals() {
    let sandbox = Sandbox::new(CONTRACT);
    let outcome = sandbox.run(&["lint"]);
    assert!(!outcome.stderr.contains('\u{1b}'), "{}", outcome.stderr);
}
