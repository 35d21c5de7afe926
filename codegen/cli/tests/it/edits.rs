//! Edits of a contract are caught twice: by `gen --check` until the code is generated again, and
//! from then on by the compiler, until the implementation has followed.

use crate::sandbox::Sandbox;
use std::fs;
use std::path::Path;
use std::process::Command;

const CONTRACT: &str = include_str!("../edits/contract.yaml");
const IMPLEMENTATION: &str = include_str!("../edits/implementation.rs");

/// A change of the contract, and the compiler's error in an implementation that ignores it.
struct Edit {
    name: &'static str,
    from: &'static str,
    to: &'static str,
    /// An error's code and a part of its text; `None` if the implementation still compiles.
    error: Option<(&'static str, &'static str)>,
}

const EDITS: &[Edit] = &[
    Edit {
        name: "description",
        from: "What stands on the shelf.",
        to: "What stands on the lowest shelf.",
        error: None,
    },
    Edit {
        name: "operation",
        from: "  /books/{isbn}:\n    get:",
        to: "  /books/{isbn}:
    delete:
      operationId: books.delete
      tags: [books]
      parameters:
        - { name: isbn, in: path, required: true, schema: { type: string } }
      responses: { \"204\": { description: It is gone. } }
    get:",
        error: Some(("E0046", "missing: `books_delete`")),
    },
    Edit {
        name: "operation_removed",
        from: "      operationId: books.get\n      tags: [books]",
        to: "      operationId: books.get\n      tags: [others]",
        error: Some((
            "E0407",
            "method `books_get` is not a member of trait `BooksApi`",
        )),
    },
    Edit {
        name: "field",
        from: "        pages: { type: integer, format: int64 }",
        to: "        leaves: { type: integer }",
        error: Some(("E0560", "has no field named `pages`")),
    },
    Edit {
        name: "field_type",
        from: "        pages: { type: integer, format: int64 }",
        to: "        pages: { type: string }",
        error: Some(("E0308", "mismatched types")),
    },
    Edit {
        name: "status",
        from: "        \"404\": { description: There is none. }\n",
        to: "",
        error: Some(("E0599", "named `NotFound` found for enum")),
    },
    Edit {
        name: "parameter",
        from: "      parameters:\n        - { name: limit",
        to: "      parameters:\n        - { name: author, in: query, schema: { type: string } }\n        - { name: limit",
        error: Some(("E0027", "does not mention field `author`")),
    },
    Edit {
        name: "header",
        from: "            X-Count: { schema",
        to: "            X-Total: { required: true, schema: { type: integer } }\n            X-Count: { schema",
        error: Some(("E0063", "missing field `x_total`")),
    },
    Edit {
        name: "security",
        from: "      operationId: books.get\n",
        to: "      operationId: books.get\n      security: [{ key: [] }]\n",
        error: Some((
            "E0050",
            "`books_get` has 2 parameters but the declaration in trait",
        )),
    },
];

#[test]
fn the_check_fails_on_each_edit_until_the_code_is_generated_again() {
    let sandbox = Sandbox::generated(CONTRACT);
    for edit in EDITS {
        sandbox.write("spec/openapi.yaml", &edit.contract());
        let outcome = sandbox.run(&["gen", "--check"]);
        assert_eq!(outcome.code, 1, "{}", edit.name);
        assert!(
            outcome.stdout.contains("Stale generated/"),
            "{}: {}",
            edit.name,
            outcome.stdout
        );
        assert_eq!(sandbox.run(&["gen"]).code, 0, "{}", edit.name);
        assert_eq!(sandbox.run(&["gen", "--check"]).code, 0, "{}", edit.name);
    }
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn the_compiler_refuses_an_implementation_that_ignores_an_edit() {
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edits");
    let mut members = Vec::new();
    for edit in EDITS {
        generate(&workspace, edit.name, &edit.contract());
        members.push(edit.name);
    }
    let messages = build(&workspace, &members);
    for edit in EDITS {
        let errors = errors(&messages, edit.name);
        match edit.error {
            None => assert!(errors.is_empty(), "{}: {errors:#?}", edit.name),
            Some((code, text)) => {
                let expected =
                    |(found, message): &(String, String)| found == code && message.contains(text);
                assert!(
                    errors.iter().any(expected),
                    "{}: no {code} {text} in {errors:#?}",
                    edit.name
                );
            }
        }
    }
}

impl Edit {
    fn contract(&self) -> String {
        assert_eq!(
            CONTRACT.matches(self.from).count(),
            1,
            "{} edits one place",
            self.name
        );
        CONTRACT.replace(self.from, self.to)
    }
}

/// Generates the crate of a contract, and the package that implements it.
fn generate(workspace: &Path, name: &str, contract: &str) {
    let spec = workspace.join("contracts").join(format!("{name}.yaml"));
    write(&spec, contract);
    let output = Command::new(env!("CARGO_BIN_EXE_openapi-crate"))
        .args([
            "gen",
            "--strict",
            "--name",
            &format!("{name}-contract"),
            "--spec",
        ])
        .arg(&spec)
        .arg("--out")
        .arg(workspace.join("contracts").join(name))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    write(&workspace.join(name).join("src/lib.rs"), IMPLEMENTATION);
    let manifest = format!(
        "[package]
name = \"{name}\"
edition = \"2024\"

[dependencies]
contract = {{ path = \"../contracts/{name}\", package = \"{name}-contract\" }}
http = \"1\"
# As the behaviour contracts have it, so that the dependencies are compiled once for both.
tokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}
"
    );
    write(&workspace.join(name).join("Cargo.toml"), &manifest);
}

/// Builds all packages, however many of them fail; cargo's messages, one JSON object per line.
fn build(workspace: &Path, members: &[&str]) -> Vec<serde_json::Value> {
    let manifest = format!(
        "[workspace]
resolver = \"3\"
members = {members:?}
exclude = [\"contracts\"]

[profile.dev]
debug = false
"
    );
    write(&workspace.join("Cargo.toml"), &manifest);
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    fs::copy(lock, workspace.join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args([
            "build",
            "--offline",
            "--keep-going",
            "--message-format=json",
            "--target-dir",
        ])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("contracts"))
        .current_dir(workspace)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", "-D warnings")
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let messages: Vec<_> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        !messages.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    messages
}

/// The errors of one package, each with its code.
fn errors(messages: &[serde_json::Value], package: &str) -> Vec<(String, String)> {
    let own = messages
        .iter()
        .filter(|message| message["target"]["name"] == package);
    let errors = own.filter(|message| message["message"]["level"] == "error");
    errors
        .map(|message| {
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            (
                text(&message["message"]["code"]["code"]),
                text(&message["message"]["message"]),
            )
        })
        .collect()
}

/// Writes a file unless it holds the text already, so that it is not compiled again.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|known| known == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
