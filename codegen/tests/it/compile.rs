//! Contracts with hard cases: their crates compile without a warning and pass tests of their
//! behaviour; their examples are read and written again, and their operations are called.
//!
//! One cargo invocation runs all of it, in a workspace of its own below the target folder, so that
//! the dependencies are compiled once for all contracts.

use crate::expected::{entries, folder, name};
use codegen::{Code, Feature, Options, Reading, Runtime, Source, Workspace};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The dependencies of the behaviour tests beside the generated crates.
const MANIFEST: &str = r#"[package]
name = "behaviour"
edition = "2024"
publish = false

[workspace]
exclude = ["crates"]

[profile.dev]
debug = false

[dependencies]
axum = { version = "0.8", default-features = false }
bytes = "1"
futures-util = { version = "0.3", default-features = false, features = ["std"] }
http = "1"
http-body-util = "0.1"
hyper = { version = "1", features = ["http1", "server"] }
hyper-util = { version = "0.1", features = ["client-legacy", "http1", "tokio"] }
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["raw_value"] }
tokio = { version = "1", features = ["macros", "net", "rt", "sync", "time"] }
tower-layer = "0.3"
tower-service = "0.3"
"#;

/// The contracts that also have styles, expressions and statuses that the standard does not allow, as real
/// documents do.
const INVALID: [&str; 5] = ["calls", "forms", "links", "media", "parameters"];

/// The contract of a server that others run: its crate is a client alone, with which nothing can call itself.
const FOREIGN: &str = "foreign";

#[test]
fn hard_contracts_compile_without_a_warning_and_behave() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("behaviour");
    let (mut manifest, mut selftests) = (String::from(MANIFEST), String::new());
    for path in entries(&folder("behaviour")) {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("yaml") => {
                generate(
                    &path,
                    &format!("{stem}-api"),
                    &root.join("crates").join(&stem),
                );
                manifest.push_str(&format!("{stem}-api = {{ path = \"crates/{stem}\" }}\n"));
                if stem != FOREIGN {
                    selftests.push_str(&selftest(&path, &stem, &root));
                }
            }
            _ if stem == "lib" => write(&root.join("src/lib.rs"), &read(&path)),
            _ => copy(&path, &root.join("tests").join(name(&path))),
        }
    }
    write(&root.join("Cargo.toml"), &(manifest + &selftests));
    write(
        &root.join("Cargo.lock"),
        &read(&repository().join("Cargo.lock")),
    );
    test(&root);
}

/// The features of a generated crate that a team may choose alone, with crates that none of them brings.
const ALONE: [(&str, &[&str]); 4] = [
    (
        "",
        &[
            "axum",
            "axum-core",
            "http",
            "hyper",
            "tokio",
            "tower-service",
        ],
    ),
    ("client", &["axum", "tower", "rustls", "ring"]),
    ("tls", &["axum", "tower", "aws-lc-rs", "openssl"]),
    ("server", &["axum", "hyper", "hyper-util", "tower"]),
];

#[test]
fn types_and_a_client_alone_compile_without_a_warning() {
    compiles_alone(&["streams"], &ALONE[..2]);
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn each_feature_alone_compiles_without_a_warning() {
    compiles_alone(&["outgoing", "streams"], &ALONE);
}

fn compiles_alone(stems: &[&str], alone: &[(&str, &[&str])]) {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("features");
    for stem in stems {
        let contract = folder("behaviour").join(format!("{stem}.yaml"));
        let out = root.join(stem);
        generate(&contract, &format!("{stem}-alone"), &out);
        write(
            &out.join("Cargo.lock"),
            &read(&repository().join("Cargo.lock")),
        );
        for (features, absent) in alone {
            let output = cargo("check", &out)
                .args(["--no-default-features", "--features", features])
                .output()
                .unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{stem} {features:?}: {stderr}");
            let brought = dependencies(&out, features);
            let wrong = absent.iter().find(|name| brought.contains(**name));
            assert_eq!(wrong, None, "{stem} {features:?}: {brought:?}");
        }
    }
}

/// The crates that a generated crate with some features brings along.
fn dependencies(out: &Path, features: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--edges=normal",
            "--prefix=none",
            "--format={p}",
        ])
        .args(["--no-default-features", "--features", features])
        .current_dir(out)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let names = lines.lines().filter_map(|line| line.split(' ').next());
    let names: BTreeSet<String> = names.map(str::to_owned).collect();
    assert!(names.contains("openapi-crate-runtime"), "{names:?}");
    names
}

/// Writes the crate of a contract; it must cover the whole contract.
fn generate(contract: &Path, crate_name: &str, out: &Path) {
    let (source, options) = input(contract, crate_name);
    generate_source(&source, &options, out);
}

/// Writes the crate of a contract that is given as text.
pub(crate) fn generate_text(contract: &str, crate_name: &str, out: &Path) {
    let source = Source {
        name: "openapi.yaml".to_owned(),
        text: contract.to_owned(),
    };
    generate_source(&source, &options(crate_name), out);
}

fn generate_source(source: &Source, options: &Options, out: &Path) {
    match codegen::generate(source, options) {
        Ok(output) => {
            // Some contracts document odd answers of their handlers, by ranges, or values of any type.
            let odd = [Code::UnmarkedAnswer, Code::JsonValue];
            let recovered = [Code::InvalidParameter, Code::InvalidStatus, Code::Invalid];
            let is_allowed =
                |code| odd.contains(&code) || (!options.strict && recovered.contains(&code));
            let warnings = output.warnings;
            let warnings = warnings.adjusted(|one| !is_allowed(one.code));
            assert!(warnings.is_empty(), "{}", warnings.render(source));
            for (path, text) in output.files.iter() {
                write(&out.join(path), text);
            }
        }
        Err(found) => panic!("{}", found.render(source)),
    }
}

fn input(contract: &Path, crate_name: &str) -> (Source, Options) {
    let source = Source {
        name: name(contract),
        text: read(contract),
    };
    let is_invalid = INVALID
        .iter()
        .any(|stem| source.name == format!("{stem}.yaml"));
    let mut options = Options {
        strict: !is_invalid,
        ..options(crate_name)
    };
    if source.name == format!("{FOREIGN}.yaml") {
        options.features = vec![Feature::Client];
    }
    (source, options)
}

/// A crate that stands alone, over the runtime of this repository.
pub(crate) fn options(crate_name: &str) -> Options {
    Options {
        crate_name: crate_name.to_owned(),
        workspace: Workspace::Own,
        runtime: Runtime::Path(format!("{}/runtime", env!("CARGO_MANIFEST_DIR"))),
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    }
}

/// Writes the selftest of a contract as a test, and gives its entry in the manifest.
fn selftest(contract: &Path, stem: &str, root: &Path) -> String {
    let (source, options) = input(contract, &format!("{stem}-api"));
    let selftest = codegen::selftest(&source, &Reading::default(), &options).unwrap();
    assert_eq!((&selftest.unsampled, &selftest.invalid), (&vec![], &vec![]));
    assert!(selftest.operations > 0, "{stem}");
    let sources = selftest
        .files
        .iter()
        .filter(|(path, _)| *path != "Cargo.toml");
    for (path, text) in sources {
        let text = text.replace("subject", &format!("{stem}_api"));
        write(&root.join("selftests").join(stem).join(path), &text);
    }
    format!(
        "\n[[test]]\nname = \"selftest-{stem}\"\npath = \"selftests/{stem}/src/main.rs\"\nharness = false\n"
    )
}

/// Runs the tests below `root`, with the lock file of this repository and no network.
fn test(root: &Path) {
    let output = cargo("test", root)
        .arg("--no-fail-fast")
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}\n{stdout}");
    // A contract without a test would compile and prove little.
    for path in entries(&folder("behaviour")) {
        if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let test = format!("tests/{}.rs", path.file_stem().unwrap().to_string_lossy());
            assert!(stderr.contains(&test), "no {test} in:\n{stderr}");
        }
    }
}

/// A command of cargo in a folder, with the target folder that all tests share, where warnings are errors.
pub(crate) fn cargo(command: &str, folder: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args([command, "--offline", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("contracts"))
        .current_dir(folder)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", "-D warnings");
    cargo
}

pub(crate) fn repository() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// Copies a test or the modules of one.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        let parts = entries(from).into_iter();
        parts.for_each(|part| copy(&part, &to.join(name(&part))));
    } else {
        write(to, &read(from));
    }
}

/// Writes a file unless it has this text already, so that it is not compiled again.
pub(crate) fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|known| known == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
