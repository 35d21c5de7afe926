//! Programs around a generated crate: a contract and sources that this crate carries, compiled in a
//! folder of their own.

use codegen::{Options, Source, Workspace};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// A contract and the programs that use its crate, which they know as `api`.
pub(crate) struct Program {
    /// The folder's name.
    pub(crate) name: &'static str,
    /// The OpenAPI document.
    pub(crate) contract: &'static str,
    /// The sources by their place below `src/`; each file below `src/bin/` is a program.
    pub(crate) sources: &'static [(&'static str, &'static str)],
}

/// How a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quickly.
    Dev,
    /// As what is deployed.
    Release,
}

/// All programs share a target folder, so that what they depend on is compiled once. Cargo tells
/// packages within it apart by their names and their places in their own workspaces: the generated
/// crate is named after its program.
const MANIFEST: &str = r#"[package]
name = "{name}"
edition = "2024"
publish = false

[workspace]
exclude = ["api"]

[lints.rust]
warnings = "deny"

[profile.dev]
debug = false
incremental = false

[profile.release]
lto = "thin"
codegen-units = 1

[dependencies]
api = { path = "api", package = "{name}-api" }
axum = { version = "0.8", default-features = false, features = ["http1", "tokio"] }
bytes = "1"
http = "1"
percent-encoding = "2"
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["float_roundtrip", "preserve_order", "raw_value"] }
tokio = { version = "1", features = ["net", "rt"] }
tower-service = "0.3"
"#;

impl Program {
    /// Generates the crate and compiles the programs below `work`; the folder that they are in then.
    ///
    /// # Errors
    /// When the contract is wrong, cargo fails, or a file cannot be written.
    pub(crate) fn build(&self, root: &Path, work: &Path, profile: Profile) -> io::Result<PathBuf> {
        let folder = work.join(self.name);
        for (path, text) in self.files()? {
            put(&folder.join(path), &text)?;
        }
        // The versions that this workspace builds with are there and known to work together.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let target = work.join("programs");
        let mut command = Command::new("cargo");
        command.args(["build", "--quiet", "--bins", "--target-dir"]);
        command.arg(&target).current_dir(&folder);
        if profile == Profile::Release {
            command.arg("--release");
        }
        if !command.status()?.success() {
            let name = folder.display();
            return Err(io::Error::other(format!(
                "the programs in {name} do not compile"
            )));
        }
        Ok(target.join(match profile {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }))
    }

    fn files(&self) -> io::Result<Vec<(PathBuf, String)>> {
        let source = Source {
            name: format!("{}.yaml", self.name),
            text: self.contract.to_owned(),
        };
        let options = Options {
            crate_name: format!("{}-api", self.name),
            workspace: Workspace::Own,
            strict: true,
            command: "cargo xtask".into(),
        };
        let output = codegen::generate(&source, &options)
            .map_err(|found| io::Error::other(found.render(&source)))?;
        let manifest = MANIFEST.replace("{name}", self.name);
        let mut files = vec![(PathBuf::from("Cargo.toml"), manifest)];
        for (path, text) in output.files.iter() {
            files.push((Path::new("api").join(path), text.to_owned()));
        }
        for (path, text) in self.sources {
            files.push((Path::new("src").join(path), (*text).to_owned()));
        }
        Ok(files)
    }
}

/// Writes a file unless it holds the text already, so that nothing is compiled again for nothing.
fn put(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|present| present == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}
