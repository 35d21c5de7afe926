//! `cargo xtask supply`: checks the dependencies (licences, sources, versions, known vulnerabilities, unused ones),
//! and whether the crates of the generator can be published.

use openapi_crate::Failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// The toolchain of the oldest compiler that the workspace is built with: `rust-version` of the manifest.
const OLDEST: &str = concat!("+", env!("CARGO_PKG_RUST_VERSION"), ".0");

/// The folder in which packages are compiled.
const PACKED: &str = "target/publish";

/// Runs the checks; whether all of them passed.
///
/// # Errors
/// When cargo cannot be started.
pub(crate) fn run(root: &Path) -> Result<bool, Failure> {
    let mut has_passed = true;
    has_passed &= cargo(root, &["deny", "check", "licenses", "bans", "sources"])?;
    has_passed &= advisories(root)?;
    has_passed &= unused_dependencies(root)?;
    has_passed &= oldest_compiler(root)?;
    has_passed &= publishable(root)?;
    Ok(has_passed)
}

/// Whether every dependency is used.
///
/// # Errors
/// When cargo cannot be started.
pub(crate) fn unused_dependencies(root: &Path) -> Result<bool, Failure> {
    cargo(root, &["machete"])
}

/// Whether the registry would take the packages that a user needs: each is packed, and the packed files compile.
/// The packages of this repository that are not for users have `publish = false`.
fn publishable(root: &Path) -> Result<bool, Failure> {
    remove_former(&root.join(PACKED))?;
    let dry_run = [
        "publish",
        "--workspace",
        "--dry-run",
        "--locked",
        "--allow-dirty",
        "--target-dir",
        PACKED,
    ];
    let is_publishable = cargo(root, &dry_run)?;
    let word = if is_publishable { "can" } else { "cannot" };
    println!("openapi-crate and its dependencies in this workspace {word} be published");
    Ok(is_publishable)
}

/// Removes the packages of an earlier dry run, as they were compiled and as they were unpacked into cargo's home:
/// cargo would take them for those that are packed now, because they have the same versions. In cargo's home they
/// stand below the names of local registries, which have no host before the `-`.
fn remove_former(packed: &Path) -> Result<(), Failure> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let sources = home.unwrap_or_default().join("registry/src");
    let registries = folders(&sources, "-").into_iter();
    let mut former: Vec<_> = registries
        .flat_map(|registry| folders(&registry, "openapi-crate"))
        .collect();
    former.extend(packed.exists().then(|| packed.to_owned()));
    for folder in former {
        let removed = fs::remove_dir_all(&folder);
        removed.map_err(|error| Failure::Disk(error, folder.display().to_string()))?;
    }
    Ok(())
}

/// The entries of a folder whose names begin with some text; none if it cannot be read.
fn folders(folder: &Path, start: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter(|it| it.file_name().to_string_lossy().starts_with(start));
    named.map(|it| it.path()).collect()
}

/// Known vulnerabilities. Their database is fetched, which needs a network beyond the registries.
fn advisories(root: &Path) -> Result<bool, Failure> {
    if cargo(root, &["deny", "fetch", "db"])? {
        return cargo(root, &["deny", "check", "advisories"]);
    }
    Ok(skip("cannot fetch the advisory database"))
}

/// Whether the oldest compiler that the manifest promises builds the workspace.
fn oldest_compiler(root: &Path) -> Result<bool, Failure> {
    let mut version = Command::new("cargo");
    let version = version.args([OLDEST, "--version"]).stdout(Stdio::null());
    if version
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
    {
        return cargo(
            root,
            &[
                OLDEST,
                "build",
                "--workspace",
                "--locked",
                "--target-dir",
                "target/oldest",
            ],
        );
    }
    let compiler = OLDEST.trim_start_matches('+');
    Ok(skip(&format!("Rust {compiler} is not installed")))
}

/// Prints that a check is skipped; whether it passes nevertheless.
fn skip(reason: &str) -> bool {
    println!("SKIPPED: {reason}");
    installed::may_skip()
}

/// Runs the cargo of the path, which may be another than the one that runs this command.
fn cargo(root: &Path, arguments: &[&str]) -> Result<bool, Failure> {
    println!("cargo {}", arguments.join(" "));
    let mut command = Command::new("cargo");
    forget_cargo_run(&mut command);
    let status = command.args(arguments).current_dir(root).status();
    let status =
        status.map_err(|error| Failure::Disk(error, format!("cargo {}", arguments.join(" "))));
    status.map(|status| status.success())
}

/// Removes the variable of `cargo run` by which `cargo machete` believes that it is `cargo-machete`, which takes
/// other arguments.
pub(crate) fn forget_cargo_run(command: &mut Command) {
    command.env_remove("CARGO_PKG_NAME");
}
