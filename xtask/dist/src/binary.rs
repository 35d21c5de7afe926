//! The program, and the texts that it makes about itself: man pages and completions.

use crate::checksums;
use crate::release::{NAME, Release};
use crate::tool;
use fs_err as fs;
use std::env::consts::{ARCH, OS};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, io, process::Command};
use workspace::pgo;

/// The shells that get completions, and the names of their files.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "donation-catalog"),
    ("fish", "donation-catalog.fish"),
    ("zsh", "_donation-catalog"),
];

/// What the program is made from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    /// The sources, and a profile that is recorded first.
    Sources,
    /// The sources, and a profile.
    Profile(&'a Path),
    /// A compiled program.
    Compiled(&'a Path),
}

/// Puts the program into the release: a compiled one without its symbols, or one that is compiled by a profile,
/// with no path of this machine in it.
///
/// # Errors
/// When no profile can be recorded, the program does not compile, or a file cannot be written.
pub(crate) fn build(release: &Release, origin: Origin<'_>) -> io::Result<()> {
    match origin {
        Origin::Compiled(program) => {
            remove_profile(release)?;
            strip(release, program)?;
        }
        Origin::Profile(profile) => {
            // The file may be the release's own.
            fs::write(release.profile(), fs::read(profile)?)?;
            compile(release)?;
        }
        Origin::Sources => {
            let mut bench = release.command("cargo");
            bench.args([
                "run",
                "--quiet",
                "--package",
                "bench",
                "--",
                "profile",
                "--out",
            ]);
            tool::run(bench.arg(release.profile()))?;
            compile(release)?;
        }
    }
    fs::copy(release.program(), release.file(&format!("-{OS}-{ARCH}")))?;
    describe(release)
}

/// Removes the profile of an earlier release, by which this program is not compiled.
fn remove_profile(release: &Release) -> io::Result<()> {
    let profile = release.profile();
    match profile.exists() {
        true => fs::remove_file(profile),
        false => Ok(()),
    }
}

fn strip(release: &Release, compiled: &Path) -> io::Result<()> {
    let program = release.program();
    fs::create_dir_all(program.with_file_name(""))?;
    let mut strip = release.command("strip");
    tool::run(strip.arg("-o").arg(&program).arg(compiled))
}

fn compile(release: &Release) -> io::Result<()> {
    let replaced = [(release.root.clone(), "/source"), (cargo_home()?, "/cargo")];
    let flags = |option: &str| {
        let flag = |(path, name): &(PathBuf, &str)| format!("{option}={}={name}", path.display());
        replaced.iter().map(flag).collect::<Vec<String>>()
    };
    let mut build = release.command("cargo");
    // SQLite and the allocator are C.
    build.env("CFLAGS", flags("-ffile-prefix-map").join(" "));
    let guided = pgo::guided(&named_by_content(release)?);
    let flags = flags("--remap-path-prefix").into_iter().map(OsString::from);
    let flags: Vec<OsString> = flags.chain([guided]).collect();
    let folder = pgo::compile(&mut build, &[NAME], &release.build, &flags)?;
    let program = release.program();
    fs::create_dir_all(program.with_file_name(""))?;
    fs::copy(folder.join(NAME), program)?;
    Ok(())
}

/// Copies the profile to a file that is named by its content: cargo notices a changed flag, but not a changed file
/// that a flag names.
fn named_by_content(release: &Release) -> io::Result<PathBuf> {
    let profile = release.profile();
    let folder = release.build.join("profile");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let copy = folder.join(checksums::of(&profile)?);
    fs::copy(profile, &copy)?;
    Ok(copy)
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
