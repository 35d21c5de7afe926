//! `init`: makes a workspace with a contract, the crate that is generated from it, a server, a test and CI.

use crate::settings::{SETTINGS_FILE, shown};
use crate::{Context, Failure, generate, quoted, report};
use codegen::{Runtime, VERSION};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files of a workspace, but for the generated crate; `{runtime}` and `{version}` stand for the source of
/// the runtime and the version of this program.
const FILES: [(&str, &str); 10] = [
    (
        ".github/workflows/contract.yml",
        include_str!("../templates/workspace/contract.yml"),
    ),
    (
        ".gitignore",
        include_str!("../templates/workspace/gitignore"),
    ),
    (
        "Cargo.toml",
        include_str!("../templates/workspace/workspace.toml"),
    ),
    (
        "README.md",
        include_str!("../templates/workspace/README.md"),
    ),
    (
        SETTINGS_FILE,
        include_str!("../templates/workspace/openapi-crate.toml"),
    ),
    (
        "openapi.yaml",
        include_str!("../templates/workspace/openapi.yaml"),
    ),
    (
        "server/Cargo.toml",
        include_str!("../templates/workspace/server.toml"),
    ),
    (
        "server/src/lib.rs",
        include_str!("../templates/workspace/lib.rs"),
    ),
    (
        "server/src/main.rs",
        include_str!("../templates/workspace/main.rs"),
    ),
    (
        "server/tests/greetings.rs",
        include_str!("../templates/workspace/greetings.rs"),
    ),
];

/// The arguments of `init`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder of the workspace; it is created, and must be empty but for `.git`.
    folder: PathBuf,
    /// Where the crate `runtime` comes from, as for `gen`.
    #[arg(long, value_name = "SOURCE", default_value = "copy", value_parser = source)]
    runtime: String,
}

/// Makes the workspace and generates its crate; always true.
///
/// # Errors
/// When the folder is not empty, or a file cannot be written.
pub fn run(arguments: &Arguments) -> Result<bool, Failure> {
    let folder = &arguments.folder;
    let disk = |error| Failure::Disk(error, shown(folder));
    if !is_empty(folder).map_err(disk)? {
        return Err(Failure::NotEmpty(shown(folder)));
    }
    for (path, text) in FILES {
        let path = folder.join(path);
        let text = text.replace("{runtime}", &arguments.runtime);
        write(&path, &text.replace("{version}", VERSION)).map_err(disk)?;
    }
    let context = Context {
        settings: Some(folder.join(SETTINGS_FILE)),
        fix: String::new(),
    };
    generate::run(&generate::Arguments::default(), &context)?;
    let mut text = String::new();
    let next = format!("cd {} && cargo test && cargo run", quoted(&shown(folder)));
    report::line(
        &mut text,
        "Made",
        "a contract, its crate, a server, a test and CI",
    );
    report::line(&mut text, "Next", &next);
    print!("{text}");
    Ok(true)
}

/// Whether a folder does not exist, or holds nothing but a repository.
fn is_empty(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        entries => {
            let names = entries?.map(|entry| entry.map(|entry| entry.file_name()));
            let names: Vec<_> = names.collect::<Result<_, _>>()?;
            Ok(names.iter().all(|name| name == ".git"))
        }
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

/// Checks the value of `--runtime`.
fn source(text: &str) -> Result<String, String> {
    text.parse::<Runtime>().map(|_| text.to_owned())
}
