//! Profile-guided optimization: a program is compiled to record a profile of its runs, and compiled again by the
//! profile (<https://doc.rust-lang.org/rustc/profile-guided-optimization.html>).

use fs_err as fs;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The compiler's flag for a program that records its profile into a folder when it ends.
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

/// Compiles programs of the server's package and of its benches for release, with flags for the compiler; the folder
/// that they are in.
///
/// A profile fits only programs whose packages have the features that they had when it was recorded, so all
/// programs are compiled as a selection of the same packages. The flags reach neither build scripts nor macros, whose
/// runs would be recorded too.
///
/// # Errors
/// When cargo fails.
pub fn compile(
    build: &mut Command,
    programs: &[&str],
    target: &Path,
    flags: &[OsString],
) -> io::Result<PathBuf> {
    build.args(["build", "--quiet", "--release", "--locked"]);
    build.args(["--package", "server", "--package", "server-bench"]);
    build.args(programs.iter().flat_map(|program| ["--bin", program]));
    build.args(["--target", &rustc("host-tuple")?, "--target-dir"]);
    build.arg(target);
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join(OsStr::new("\u{1f}")));
    let status = build.status()?;
    match status.success() {
        true => folder(target),
        false => Err(io::Error::other(format!(
            "cargo build of {}: {status}",
            programs.join(", ")
        ))),
    }
}

/// The folder of the programs that [`compile`] has compiled in a target folder.
///
/// # Errors
/// When the compiler cannot be run.
pub fn folder(target: &Path) -> io::Result<PathBuf> {
    Ok(target.join(rustc("host-tuple")?).join("release"))
}

/// Merges the files that programs have recorded into a folder to one profile.
///
/// Functions that never ran stay in it (`--sparse` would leave them out): they are known to be cold, and stand apart
/// from the others. Half of what a profile saves is that.
///
/// # Errors
/// When the program that merges is missing or fails, or nothing was recorded.
pub fn merge(folder: &Path, profile: &Path) -> io::Result<()> {
    let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let files = files.collect::<io::Result<Vec<PathBuf>>>()?;
    let mut command = Command::new(merger()?);
    command.args(["merge", "--output"]).arg(profile);
    let status = command.args(files).status()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("llvm-profdata merge: {status}"))),
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

/// A fact that the compiler prints of itself.
fn rustc(print: &str) -> io::Result<String> {
    let mut command = Command::new("rustc");
    let command = command.args(["--print", print]).stderr(Stdio::inherit());
    let output = command.output()?;
    if !output.status.success() {
        let status = output.status;
        return Err(io::Error::other(format!("rustc --print {print}: {status}")));
    }
    let printed = String::from_utf8(output.stdout).map_err(io::Error::other)?;
    Ok(printed.trim().to_owned())
}
