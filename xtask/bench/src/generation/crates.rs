//! Runs each generator over a document and completes its output to a crate.

use super::operations::Operations;
use super::programs::{Program, Tool};
use crate::cost::Cost;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;
use std::{fs, io};

/// Runs a generator over a document, into a folder that does not exist yet. It fails if the output is
/// empty, whatever its exit status: for a document with operations, without a trait or an asynchronous
/// function; for others, without any public item.
///
/// # Errors
/// When the folder cannot be written, or the generator cannot be started.
pub(super) fn generate(program: &Program, document: &Path, folder: &Path) -> io::Result<Cost> {
    fs::create_dir_all(folder)?;
    let operations = Operations::of(&String::from_utf8_lossy(&fs::read(document)?));
    let mut command = Command::new(&program.path);
    match program.tool {
        Tool::Own => {
            command.args(["gen", "--name", "measured", "--spec"]);
            command.arg(document).arg("--out").arg(folder);
        }
        Tool::Oas3Gen => {
            command.args(["generate", "server-mod", "--workspace", "-i"]);
            command.arg(document).arg("-o").arg(folder);
        }
        Tool::OpenapiToRust => {
            let config = folder.join("openapi-to-rust.toml");
            fs::write(&config, configuration(document, &operations.selectors)?)?;
            command.arg("generate").arg("--config").arg(config);
            command.current_dir(folder);
        }
    }
    let cost = Cost::of(&command)?;
    let sources = folder.join("src");
    let expected = if operations.any { CALLED } else { DEFINED };
    let success = cost.success && sources.is_dir() && has_item(&sources, expected)?;
    Ok(Cost { success, ..cost })
}

/// Keywords of public items by which operations are served or called.
const CALLED: &[&str] = &["trait", "async"];

/// Keywords of public items that a document of schemas alone can have.
const DEFINED: &[&str] = &["struct", "enum", "type", "trait", "fn", "async"];

/// Whether a file of a folder, at any depth, has a public item that begins with one of these.
fn has_item(folder: &Path, words: &[&str]) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let found = match path.is_dir() {
            true => has_item(&path, words)?,
            false => fs::read_to_string(&path)?
                .lines()
                .any(|line| begins(line, words)),
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a line begins a public item with one of these keywords.
fn begins(line: &str, words: &[&str]) -> bool {
    let item = line.trim_start().strip_prefix("pub ");
    let word = item.and_then(|item| item.split(' ').next());
    word.is_some_and(|word| words.contains(&word))
}

/// The configuration of `openapi-to-rust`: a server of every operation, and no client.
fn configuration(document: &Path, selectors: &[String]) -> io::Result<String> {
    let document = document.canonicalize()?;
    let server = match selectors {
        [] => String::new(),
        _ => format!("\n[server]\nframework = \"axum\"\noperations = {selectors:?}\n"),
    };
    Ok(format!(
        "[generator]\nspec_path = {document:?}\noutput_dir = \"src/generated\"\nmodule_name = \
         \"generated\"\n\n[features]\nenable_async_client = false\n{server}"
    ))
}

/// Adds the files that the generator leaves to its user.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn complete(tool: Tool, folder: &Path) -> io::Result<()> {
    let manifest = folder.join("Cargo.toml");
    match tool {
        // The versions that this workspace builds with.
        Tool::Own => fs::copy(
            workspace::root().join("Cargo.lock"),
            folder.join("Cargo.lock"),
        )
        .map(drop),
        Tool::Oas3Gen => {
            let text = fs::read_to_string(&manifest)?;
            fs::write(manifest, format!("{text}\n[workspace]\n"))
        }
        Tool::OpenapiToRust => {
            let needed = folder.join("src/generated/REQUIRED_DEPS.toml");
            let needed = fs::read_to_string(needed).unwrap_or_default();
            let head = "[package]\nname = \"measured\"\nedition = \"2024\"\n\n[workspace]\n\n";
            fs::write(manifest, format!("{head}{needed}"))?;
            fs::write(folder.join("src/lib.rs"), "pub mod generated;\n")
        }
    }
}

/// Checks the library of a folder, as if it had just been written.
///
/// # Errors
/// When its root cannot be touched, or cargo cannot be started.
pub(super) fn check(folder: &Path, target: &Path) -> io::Result<Cost> {
    let root = fs::File::options()
        .append(true)
        .open(folder.join("src/lib.rs"))?;
    root.set_modified(SystemTime::now())?;
    let mut command = Command::new("cargo");
    command
        .args(["check", "--lib", "--quiet"])
        .current_dir(folder);
    command.env("CARGO_TARGET_DIR", target);
    // Incremental results of the last run would be reused.
    command.env("CARGO_INCREMENTAL", "0");
    Cost::of(&command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_imports_alone_count_as_empty() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let has = |words| has_item(root, words).unwrap();
        fs::create_dir(root.join("inner")).unwrap();
        fs::write(root.join("lib.rs"), "pub mod inner;\npub use inner::*;\n").unwrap();
        fs::write(root.join("inner/mod.rs"), "//! pub struct\n").unwrap();
        assert!(!has(DEFINED));
        fs::write(root.join("inner/types.rs"), "    pub struct Pet {\n").unwrap();
        assert!(has(DEFINED));
        assert!(!has(CALLED), "types serve no operation");
        fs::write(root.join("inner/client.rs"), "    pub async fn pets(\n").unwrap();
        assert!(has(CALLED));
    }
}
