//! The program, and the texts that it makes about itself: man pages and completions.

use crate::release::{NAME, Release};
use crate::tool;
use fs_err as fs;
use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};
use std::{env, io, process::Command};

/// The shells that get completions, and the names of their files.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "donation-catalog"),
    ("fish", "donation-catalog.fish"),
    ("zsh", "_donation-catalog"),
];

/// Puts the program into the release: `compiled` without its symbols or, without it, one that is compiled
/// with no path of this machine in it.
///
/// # Errors
/// When it does not compile, or a file cannot be written.
pub(crate) fn build(release: &Release, compiled: Option<&Path>) -> io::Result<()> {
    match compiled {
        Some(compiled) => strip(release, compiled)?,
        None => compile(release)?,
    }
    fs::copy(release.program(), release.file(&format!("-{OS}-{ARCH}")))?;
    describe(release)
}

fn strip(release: &Release, compiled: &Path) -> io::Result<()> {
    let program = release.program();
    fs::create_dir_all(program.with_file_name(""))?;
    let mut strip = release.command("strip");
    tool::run(strip.arg("-o").arg(&program).arg(compiled))
}

fn compile(release: &Release) -> io::Result<()> {
    let replaced = [(release.root.clone(), "/source"), (cargo_home()?, "/cargo")];
    let flags = |option: &str, separator: &str| {
        let flags = replaced
            .iter()
            .map(|(path, name)| format!("{option}={}={name}", path.display()));
        flags.collect::<Vec<String>>().join(separator)
    };
    let mut cargo = release.command("cargo");
    cargo.args(["build", "--release", "--locked", "--package", "server"]);
    cargo
        .args(["--bin", NAME])
        .arg("--target-dir")
        .arg(&release.build);
    cargo.env(
        "CARGO_ENCODED_RUSTFLAGS",
        flags("--remap-path-prefix", "\u{1f}"),
    );
    // SQLite and the allocator are C.
    cargo.env("CFLAGS", flags("-ffile-prefix-map", " "));
    tool::run(&mut cargo)
}

/// Writes the man pages and the completions beside the program.
fn describe(release: &Release) -> io::Result<()> {
    let program = release.program();
    let folder = |name: &str| -> io::Result<PathBuf> {
        let folder = program.with_file_name(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let man = folder("man")?;
    tool::run(Command::new(&program).arg("man").arg(&man))?;
    let pages = fs::read_dir(man)?.map(|page| Ok(page?.path()));
    let pages = pages.collect::<io::Result<Vec<PathBuf>>>()?;
    tool::run(
        Command::new("gzip")
            .args(["--best", "--no-name"])
            .args(pages),
    )?;
    let completions = folder("completions")?;
    for (shell, file) in SHELLS {
        let script = tool::output(Command::new(&program).args(["completions", shell]))?;
        fs::write(completions.join(file), script)?;
    }
    Ok(())
}

/// Cargo's home, which holds the sources of dependencies.
fn cargo_home() -> io::Result<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".cargo")));
    home.ok_or_else(|| io::Error::other("neither CARGO_HOME nor HOME is set"))
}
