//! Programs around a generated crate, compiled in a folder of their own: the crate does not exist
//! before it is generated, so they cannot be members of this workspace.

use crate::{root, target};
use codegen::{FileTree, Options, Source, Workspace};
use fs_err as fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of this workspace with a contract and the programs that use its crate.
pub struct Program {
    /// The name of their package.
    pub name: &'static str,
    /// Folders, from the root of the workspace. Below their `src/` are sources that know the generated
    /// crate as `api`; each file below `src/bin/` is a program.
    pub folders: &'static [&'static str],
    /// The contract, from the root of the workspace.
    pub contract: &'static str,
    /// Lines of the manifest with further dependencies; `{root}` is the root of the workspace.
    pub dependencies: &'static str,
}

/// The profile with which a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Quickly.
    Dev,
    /// As it is deployed.
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
{dependencies}"#;

/// A source that programs of servers share: it listens, and prints its port.
const SERVE: &str = include_str!("serve.rs");

impl Program {
    /// Generates the crate and compiles the programs; the folder that they are in then.
    ///
    /// # Errors
    /// When the contract is wrong, cargo fails, or a file cannot be read or written.
    pub fn build(&self, profile: Profile) -> io::Result<PathBuf> {
        let package = self.write()?;
        let built = target().join("programs/target");
        let mut command = Command::new("cargo");
        command.args(["build", "--quiet", "--bins", "--target-dir"]);
        command.arg(&built).current_dir(&package);
        if profile == Profile::Release {
            command.arg("--release");
        }
        if !command.status()?.success() {
            let package = package.display();
            return Err(io::Error::other(format!("{package} does not compile")));
        }
        Ok(built.join(match profile {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }))
    }

    /// Writes the package: the manifest, the sources and the generated crate; its folder.
    ///
    /// # Errors
    /// When the contract is wrong, or a file cannot be read or written.
    pub fn write(&self) -> io::Result<PathBuf> {
        let programs = target().join("programs");
        let package = programs.join(self.name);
        let manifest = MANIFEST
            .replace("{name}", self.name)
            .replace("{dependencies}", self.dependencies)
            .replace("{root}", &root().display().to_string());
        put(&package.join("Cargo.toml"), manifest)?;
        put(&package.join("src/serve.rs"), SERVE)?;
        for (path, text) in self.generate()?.iter() {
            put(&package.join("api").join(path), text)?;
        }
        for folder in self.folders {
            copy(&root().join(folder).join("src"), &package.join("src"))?;
        }
        // The versions that this workspace builds with are there and known to work together.
        fs::copy(root().join("Cargo.lock"), package.join("Cargo.lock"))?;
        Ok(package)
    }

    /// The text of its contract.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn contract(&self) -> io::Result<String> {
        fs::read_to_string(root().join(self.contract))
    }

    fn generate(&self) -> io::Result<FileTree> {
        let source = Source {
            name: self.contract.to_owned(),
            text: self.contract()?,
        };
        let options = Options {
            crate_name: format!("{}-api", self.name),
            workspace: Workspace::Own,
            runtime: crate::runtime(),
            strict: true,
            samples: Vec::new(),
            ..Options::default()
        };
        let output = codegen::generate(&source, &options);
        let output = output.map_err(|found| io::Error::other(found.render(&source)))?;
        Ok(output.files)
    }
}

/// Copies the files of a folder, and of the folders in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&path, &to)?;
        } else {
            put(&to, fs::read(path)?)?;
        }
    }
    Ok(())
}

/// Writes a file unless it holds the text already, so that it is not compiled again.
///
/// # Errors
/// When the file or its folder cannot be written.
pub fn put(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    let text = text.as_ref();
    if fs::read(path).is_ok_and(|present| present == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}
