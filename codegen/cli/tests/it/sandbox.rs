//! A workspace in a throw-away folder, and the binary run in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use tempfile::TempDir;

/// A contract with one operation.
pub(crate) const CONTRACT: &str = r##"openapi: 3.1.1
info: { title: Shelf, version: 1.0.0 }
paths:
  /books/{isbn}:
    get:
      operationId: books.get
      tags: [books]
      parameters:
        - { name: isbn, in: path, required: true, schema: { type: string, maxLength: 17 } }
      responses:
        "200":
          description: The book.
          content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } }
components:
  schemas:
    Book: { type: object, required: [title], properties: { title: { type: string } } }
"##;

/// The settings of a workspace: strictness, and a crate of which all visible files are the generator's.
pub(crate) const SETTINGS: &str = "spec = \"spec/openapi.yaml\"
runtime = \"workspace\"
strict = true
";

/// A folder with `spec/openapi.yaml`, and settings beside `spec`.
pub(crate) struct Sandbox(TempDir);

/// The result of a run of the binary.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Every file below a folder, with its bytes and the time of its last change.
pub(crate) type Snapshot = BTreeMap<PathBuf, (Vec<u8>, SystemTime)>;

impl Sandbox {
    /// A workspace whose output has not been generated yet.
    pub(crate) fn new(contract: &str) -> Sandbox {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        sandbox.write("spec/openapi.yaml", contract);
        sandbox.write("openapi-crate.toml", SETTINGS);
        sandbox
    }

    /// A workspace whose output is fresh.
    pub(crate) fn generated(contract: &str) -> Sandbox {
        let sandbox = Sandbox::new(contract);
        let outcome = sandbox.run(&["gen"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        sandbox
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// The binary, to be run in the folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-crate"));
        command.args(arguments).current_dir(self.0.path());
        command
    }

    /// Runs the binary in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        let output = self.command(arguments).output().unwrap();
        Outcome {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs git in the folder, with a user's name and address.
    pub(crate) fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=Somebody", "-c", "user.email=a@b.example"];
        let status = Command::new("git")
            .args(identity)
            .args(arguments)
            .current_dir(self.0.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    }

    /// All files of the folder.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut files = Snapshot::new();
        collect(self.0.path(), &mut files);
        files
    }
}

fn collect(folder: &Path, files: &mut Snapshot) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            let bytes = fs::read(&path).unwrap();
            files.insert(path, (bytes, modified));
        }
    }
}
