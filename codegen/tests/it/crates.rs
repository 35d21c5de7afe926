//! Generated crates as one workspace below the target folder, so that cargo compiles them side by side.

use crate::compile::{cargo, options, read, repository, write};
use codegen::{Options, Reading, Source, Workspace};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A workspace of generated crates.
pub(crate) struct Crates {
    root: PathBuf,
    /// Whether a document may hold nothing that cannot be expressed.
    strict: bool,
    members: Vec<String>,
}

impl Crates {
    /// A workspace in a folder of this name.
    pub(crate) fn new(folder: &str, strict: bool) -> Crates {
        Crates {
            root: Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder),
            strict,
            members: Vec::new(),
        }
    }

    /// Adds the crate of a document.
    pub(crate) fn generate(&mut self, name: &str, document: &Value) {
        let (source, options) = self.input(name, document);
        match codegen::generate(&source, &options) {
            Ok(output) => {
                for (path, text) in output.files.iter() {
                    write(&self.root.join(name).join(path), text);
                }
            }
            Err(found) => panic!("{name}: {}", found.render(&source)),
        }
        self.members.push(name.to_owned());
    }

    /// Adds the program that calls every operation of a crate and takes every example through its type.
    pub(crate) fn selftest(&mut self, name: &str, document: &Value) -> codegen::SelfTest {
        let (source, options) = self.input(name, document);
        let selftest = codegen::selftest(&source, &Reading::default(), &options).unwrap();
        let member = format!("{name}/selftest");
        for (path, text) in selftest.files.iter() {
            let text = text.replace("\n[workspace]\n", "");
            write(&self.root.join(&member).join(path), &text);
        }
        self.members.push(member);
        selftest
    }

    /// Checks all crates; a warning is an error.
    pub(crate) fn check(&self) {
        self.cargo(&["check", "--workspace", "--keep-going"]);
    }

    /// Runs the program of a crate.
    pub(crate) fn run(&self, name: &str) {
        self.cargo(&["run", "--package", &format!("{name}-selftest")]);
    }

    fn cargo(&self, arguments: &[&str]) {
        let members: Vec<String> = self.members.iter().map(|m| format!("\"{m}\"")).collect();
        let members = members.join(", ");
        let manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[profile.dev]\ndebug = false\n"
        );
        write(&self.root.join("Cargo.toml"), &manifest);
        let lock = read(&repository().join("Cargo.lock"));
        write(&self.root.join("Cargo.lock"), &lock);
        let [command, arguments @ ..] = arguments else {
            return;
        };
        let output = cargo(command, &self.root).args(arguments).output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}\n{stdout}");
    }

    fn input(&self, name: &str, document: &Value) -> (Source, Options) {
        let source = Source {
            name: format!("{name}.json"),
            text: document.to_string(),
        };
        let options = Options {
            workspace: Workspace::Member,
            strict: self.strict,
            ..options(name)
        };
        (source, options)
    }
}
