//! The generated client of a service and the program that calls it.

use crate::service::Service;
use fs_err as fs;
use openapi_crate::{Context, SETTINGS_FILE, generate};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use workspace::{put, root, target};

/// The manifest of the workspace, from which the generated client inherits its dependencies.
const WORKSPACE: &str = r#"[workspace]
resolver = "3"
members = ["{name}/api", "{name}/calls"]

[workspace.package]
version = "0.0.0"
edition = "2024"
rust-version = "1.90"
license = "MIT"
publish = false

[workspace.dependencies]
runtime = { package = "openapi-crate-runtime", path = "{root}/codegen/runtime", default-features = false }
chrono = { version = "0.4", default-features = false, features = ["alloc"] }
fluent-uri = "0.4"
http = "1"
jiff = { version = "0.2", default-features = false, features = ["std"] }
rust_decimal = { version = "1", default-features = false }
serde_json = { version = "1.0.154", features = ["float_roundtrip", "preserve_order", "raw_value"] }
service-calls = { path = "{root}/xtask/services/calls" }
tokio = { version = "1", features = ["macros", "rt", "time"] }
uuid = "1"

[profile.dev]
debug = false
incremental = false
"#;

/// The manifest of the program.
const PROGRAM: &str = r#"[package]
name = "{name}-calls"
version.workspace = true
edition.workspace = true

[[bin]]
name = "{name}-calls"
path = "{folder}/calls.rs"

[dependencies]
http.workspace = true
client = { package = "{name}-api", path = "../api" }
serde_json.workspace = true
service-calls.workspace = true
tokio.workspace = true
"#;

/// The folder of a service's document, client and logs.
pub(crate) fn folder(name: &str) -> PathBuf {
    target().join("services").join(name)
}

/// Generates the client from the document, and builds the program that calls it.
pub(crate) fn build(service: &Service, document: &[u8]) -> io::Result<PathBuf> {
    let name = &service.name;
    let folder = folder(name);
    let workspace = target().join("services");
    let filled = |text: &str| {
        text.replace("{name}", name)
            .replace("{root}", &root().display().to_string())
            .replace("{folder}", &service.folder.display().to_string())
    };
    put(&folder.join("openapi.json"), document)?;
    let settings = folder.join(SETTINGS_FILE);
    put(&settings, fs::read(service.folder.join(SETTINGS_FILE))?)?;
    let log = folder.join("gen.log");
    let mut generate = Command::new(std::env::current_exe()?);
    let messages = fs::File::create(&log)?.into_file();
    let generate = generate.arg("--generate-only").arg(settings);
    let generated = generate
        .stdout(messages.try_clone()?)
        .stderr(messages)
        .status()?;
    if !generated.success() {
        let failed = format!(
            "the client of {name} cannot be generated, see {}",
            log.display()
        );
        return Err(io::Error::other(failed));
    }
    put(&folder.join("calls/Cargo.toml"), filled(PROGRAM))?;
    put(&workspace.join("Cargo.toml"), filled(WORKSPACE))?;
    // Builds with the versions that this repository is tested with.
    fs::copy(root().join("Cargo.lock"), workspace.join("Cargo.lock"))?;
    let program = format!("{name}-calls");
    eprintln!("{:>12} {program}", "Building");
    let mut build = Command::new("cargo");
    build.args(["build", "--quiet", "--package", &program, "--target-dir"]);
    let build = build.arg(workspace.join("target")).current_dir(&folder);
    if !build.status()?.success() {
        let failed = format!(
            "{program} does not compile with the client in {}",
            folder.display()
        );
        return Err(io::Error::other(failed));
    }
    Ok(workspace.join("target/debug").join(program))
}

/// Generates the crate of a settings file.
pub(crate) fn generate(settings: &Path) -> io::Result<bool> {
    let context = Context {
        settings: Some(settings.to_owned()),
        ..Context::default()
    };
    let generated = generate::run(&generate::Arguments::default(), &context);
    generated.map_err(|failure| io::Error::other(failure.to_string()))
}
