//! Profile-guided optimization: a program is compiled to record a profile, and compiled again by it
//! (<https://doc.rust-lang.org/rustc/profile-guided-optimization.html>).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

/// The compiler's flag for a program that records a profile into a folder when it ends.
#[must_use]
pub fn recording(folder: &Path) -> OsString {
    flag("-Cprofile-generate=", folder)
}

/// The compiler's flag for a program that is compiled by a profile.
#[must_use]
pub fn guided(profile: &Path) -> OsString {
    flag("-Cprofile-use=", profile)
}

fn flag(option: &str, path: &Path) -> OsString {
    let mut flag = OsString::from(option);
    flag.push(path);
    flag
}

/// Compiles programs for release, with flags for the compiler; the folder that they are in. `build` is a `cargo build`
/// of them. The flags reach neither build scripts nor macros, whose runs would be recorded too.
///
/// # Errors
/// When cargo fails.
pub fn compile(build: &mut Command, target: &Path, flags: &[OsString]) -> io::Result<PathBuf> {
    build.args(["--quiet", "--release", "--locked", "--target"]);
    build
        .arg(rustc("host-tuple")?)
        .arg("--target-dir")
        .arg(target);
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join(OsStr::new("\u{1f}")));
    match build.status()?.success() {
        true => programs(target),
        false => Err(io::Error::other("the server does not compile")),
    }
}

/// The folder of the programs that [`compile`] has compiled in a target folder.
///
/// # Errors
/// When the compiler cannot be run.
pub fn programs(target: &Path) -> io::Result<PathBuf> {
    Ok(target.join(rustc("host-tuple")?).join("release"))
}

/// Merges what programs have recorded into a folder to one profile.
///
/// # Errors
/// When the program that merges is missing or fails, or nothing was recorded.
pub fn merge(folder: &Path, profile: &Path) -> io::Result<()> {
    let records = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let records = records.collect::<io::Result<Vec<PathBuf>>>()?;
    let mut command = Command::new(merger()?);
    command.args(["merge", "--sparse", "--output"]).arg(profile);
    match command.args(records).status()?.success() {
        true => Ok(()),
        false => Err(io::Error::other("llvm-profdata has failed")),
    }
}

/// The program that merges profiles, of the compiler's own version.
///
/// # Errors
/// When it is missing, which the error says the source of.
pub fn merger() -> io::Result<PathBuf> {
    let merger = Path::new(&rustc("target-libdir")?).with_file_name("bin/llvm-profdata");
    match merger.is_file() {
        true => Ok(merger),
        false => Err(io::Error::other(
            "llvm-profdata is missing: it comes with rustup component add llvm-tools",
        )),
    }
}

/// What the compiler says of itself.
fn rustc(print: &str) -> io::Result<String> {
    let mut command = Command::new("rustc");
    let command = command.args(["--print", print]).stderr(Stdio::inherit());
    let printed = String::from_utf8(command.output()?.stdout).map_err(io::Error::other)?;
    Ok(printed.trim().to_owned())
}
