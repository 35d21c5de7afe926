//! Compiles the targets with the counters that guide libFuzzer.

use fs_err as fs;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::{env, io};
use workspace::Program;

/// The folder of the targets.
const TARGETS: &str = "xtask/fuzz/targets";

const PROGRAM: Program = Program {
    name: "fuzz-targets",
    folders: &["xtask/probe/server", TARGETS],
    // A contract with every style of parameter, forms and multipart.
    contract: "xtask/probe/server/contract.yaml",
    dependencies: r#"
codegen = { package = "openapi-crate-codegen", path = "{root}/codegen" }
crc32fast = "1.5"
db = { path = "{root}/server/db" }
diff = { package = "openapi-crate-diff", path = "{root}/codegen/diff" }
edge = { path = "{root}/server/edge" }
features = { path = "{root}/server/features" }
generated = { path = "{root}/generated" }
http-body-util = "0.1"
httparse = "1"
jiff = "0.2"
json-schema = { package = "openapi-crate-json-schema", path = "{root}/codegen/json-schema" }
jsonschema = { version = "0.60", default-features = false }
libfuzzer-sys = "0.4"
quick-xml = "0.42"
serde_yaml = "0.9"
server = { path = "{root}/server" }
syn = { version = "3", features = ["full"] }
tempfile = "3"
uuid = "1"
"#,
};

/// The sources by which the server's tests judge an answer.
const JUDGES: [&str; 4] = ["closed.rs", "document.rs", "table.rs", "validator.rs"];

/// The packages of the targets, whose code always guides libFuzzer.
const OF_TARGETS: [&str; 2] = ["fuzz-targets", "fuzz-targets-api"];

/// The packages that are tried, whose code guides it in long runs. In short ones, which do little more than try
/// the kept inputs again, they are compiled as for a test, which takes a third of the time.
const TRIED: [&str; 13] = [
    "db",
    "edge",
    "features",
    "generated",
    "import-lines",
    "openapi-crate-codegen",
    "openapi-crate-diff",
    "openapi-crate-json-schema",
    "openapi-crate-runtime",
    "openapi-crate-sample",
    "server",
    "server-console",
    "tls",
];

/// A number of units that no profile has: by it, cargo keeps apart the instrumented packages.
const UNITS: &str = "17";

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

/// The compiler, where cargo has started this program in its place: with the counters for the code of
/// instrumented packages, as it is for all other code.
pub(crate) fn compiler(mut arguments: impl Iterator<Item = OsString>) -> Option<Command> {
    let instrumented = env::var(WRAPPER).ok()?;
    let is_instrumented = |name: String| instrumented.split(',').any(|one| one == name);
    let mut compiler = Command::new(arguments.next()?);
    let arguments: Vec<OsString> = arguments.collect();
    let is_build_script = arguments.iter().any(|it| it == "build_script_build");
    compiler.args(arguments);
    if !is_build_script && env::var("CARGO_PKG_NAME").is_ok_and(is_instrumented) {
        compiler.args(COVERAGE);
    }
    Some(compiler)
}

/// The variable by which this program knows that cargo has started it in the place of the compiler: the names of
/// the instrumented packages.
const WRAPPER: &str = "FUZZ_COMPILER";

/// Whether there is a C++ compiler, which libFuzzer needs.
pub(crate) fn has_compiler() -> bool {
    let program = env::var_os("CXX").unwrap_or_else(|| "c++".into());
    Command::new(program).arg("--version").output().is_ok()
}

/// Compiles targets, with checks of overflow, and what is instrumented optimized a little; their folder. For a
/// long run, the packages that are tried guide libFuzzer too.
///
/// # Errors
/// When they do not compile.
pub(crate) fn build(targets: &[String], is_long: bool) -> io::Result<PathBuf> {
    let tried = TRIED.iter().filter(|_| is_long);
    let instrumented: Vec<&str> = OF_TARGETS.iter().chain(tried).copied().collect();
    let package = PROGRAM.write()?;
    for name in JUDGES {
        let source = workspace::root().join("server/tests/contract").join(name);
        workspace::put(&package.join("src").join(name), fs::read_to_string(source)?)?;
    }
    let contract = fs::read_to_string(workspace::root().join("spec/openapi.yaml"))?;
    workspace::put(&package.join("src/openapi.yaml"), contract)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--keep-going", "--target-dir"]);
    cargo.arg(workspace::target()).current_dir(&package);
    // The probe's own program is no target.
    cargo.args(targets.iter().flat_map(|name| ["--bin", name]));
    // It asserts that Redis answers rightly, in such builds only.
    cargo.args([
        "--config",
        "profile.dev.package.redis.debug-assertions=false",
    ]);
    // As in this workspace's own profile, or its databases are slow.
    for name in ["libsqlite3-sys", "rusqlite", "hashlink", "keccak"] {
        cargo.args([
            "--config",
            &format!("profile.dev.package.{name}.opt-level=2"),
        ]);
    }
    for name in &instrumented {
        let profile = format!("profile.dev.package.{name}");
        cargo.args(["--config", &format!("{profile}.opt-level=1")]);
        cargo.args(["--config", &format!("{profile}.codegen-units={UNITS}")]);
    }
    cargo
        .env("RUSTC_WRAPPER", env::current_exe()?)
        .env(WRAPPER, instrumented.join(","));
    match cargo.status()?.success() {
        true => Ok(workspace::target().join("debug")),
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
