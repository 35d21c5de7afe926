//! Compiles the targets with the counters that guide libFuzzer.

use fs_err as fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use workspace::Program;

/// The folder of the targets.
const TARGETS: &str = "xtask/fuzz/targets";

const PROGRAM: Program = Program {
    name: "fuzz-targets",
    folders: &["xtask/probe/server", TARGETS],
    // A contract with every style of parameter, forms and multipart.
    contract: "xtask/probe/server/contract.yaml",
    dependencies: r#"
codegen = { path = "{root}/codegen" }
diff = { path = "{root}/codegen/diff" }
http-body-util = "0.1"
jiff = "0.2"
json-schema = { path = "{root}/codegen/json-schema" }
libfuzzer-sys = "=0.4.13"
server = { path = "{root}/server" }
tempfile = "3"
uuid = "1"
"#,
};

/// LLVM's pass and its options: a counter for each edge, and calls at comparisons, by which libFuzzer
/// learns the values that code compares with
/// (<https://clang.llvm.org/docs/SanitizerCoverage.html>).
const COVERAGE: [&str; 6] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// The platform; naming it keeps the flags away from build scripts and macros.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Compiles all targets, optimized a little, with checks of overflow; their folder.
///
/// # Errors
/// When they do not compile.
pub(crate) fn build() -> io::Result<PathBuf> {
    let package = PROGRAM.write()?;
    let built = workspace::target().join("fuzz");
    let mut cargo = Command::new("cargo");
    cargo.args([
        "build",
        "--quiet",
        "--bins",
        "--target",
        PLATFORM,
        "--target-dir",
    ]);
    cargo.arg(&built).current_dir(&package);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}"));
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    match cargo.status()?.success() {
        true => Ok(built.join(PLATFORM).join("debug")),
        false => Err(io::Error::other("the fuzz targets do not compile")),
    }
}

/// The names of the targets, in alphabetical order.
///
/// # Errors
/// When their folder cannot be read.
pub(crate) fn targets() -> io::Result<Vec<String>> {
    let folder = workspace::root().join(TARGETS).join("src/bin");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        names.extend(
            path.file_stem()
                .map(|name| name.to_string_lossy().into_owned()),
        );
    }
    names.sort();
    Ok(names)
}
