//! A generated crate with a program that sends each instance to its service.

use super::contract::Batch;
use super::name;
use fs_err as fs;
use std::io;
use std::path::Path;
use std::process::Command;
use workspace::put;

/// Writes the crate, the program and the requests.
pub(crate) fn write(folder: &Path, batch: &Batch) -> io::Result<()> {
    for (path, text) in batch.output.files.iter() {
        put(&folder.join(path), text)?;
    }
    let manifest = batch.output.files.get("Cargo.toml").unwrap_or_default();
    put(
        &folder.join("Cargo.toml"),
        format!("{manifest}{DEPENDENCIES}"),
    )?;
    put(&folder.join("src/main.rs"), program(batch))?;
    let requests = serde_json::to_string(&batch.requests)?;
    put(&folder.join("requests.json"), requests)?;
    // The versions that this workspace builds with are there and known to work together.
    fs::copy(
        workspace::root().join("Cargo.lock"),
        folder.join("Cargo.lock"),
    )?;
    Ok(())
}

/// The crates that the program names; a table of its own may repeat those of the generated crate.
const DEPENDENCIES: &str = r#"
[target."cfg(all())".dependencies]
axum = { version = "0.8", default-features = false }
futures-util = { version = "0.3", default-features = false, features = ["std"] }
http = "1"
serde_json = "1"
tower-service = "0.3"
"#;

/// Compiles and runs the program; the status of each request.
pub(crate) fn run(folder: &Path, target: &Path) -> io::Result<Vec<u16>> {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_DEV_INCREMENTAL", "false")
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(io::Error::other(format!("{}: {said}", folder.display())));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn program(batch: &Batch) -> String {
    let methods = batch.groups.iter().map(|index| {
        let pascal = name(*index);
        let snake = pascal.to_lowercase();
        format!(
            "    async fn {snake}(&self, _: models::{pascal}) -> Result<{pascal}Response, HandlerError> {{\n        \
             Ok({pascal}Response::NoContent)\n    }}\n"
        )
    });
    let program = PROGRAM.replace("    // METHODS\n", &methods.collect::<String>());
    program.replace("CRATE", &batch.name)
}

const PROGRAM: &str = r#"use CRATE::api::cases::*;
use CRATE::service::{Faults, service};
use CRATE::{HandlerError, Host, models};
use futures_util::FutureExt as _;
use std::sync::Arc;
use tower_service::Service as _;

struct Suite;

impl Host for Suite {
    type Context = ();
    type Error = HandlerError;
}

impl Faults for Suite {}

impl CasesApi for Suite {
    // METHODS
}

fn status(path: usize, body: String) -> u16 {
    let request = http::Request::post(format!("/{path}"))
        .header("content-type", "application/json")
        .body(axum::body::Body::from(body))
        .expect("a request");
    let mut service = service(Arc::new(Suite), Default::default());
    match service.call(request).now_or_never() {
        Some(Ok(answer)) => answer.status().as_u16(),
        None => 0,
    }
}

fn main() {
    let requests = include_str!("../requests.json");
    let requests: Vec<(usize, String)> = serde_json::from_str(requests).expect("requests");
    let statuses: Vec<u16> = requests.into_iter().map(|(path, body)| status(path, body)).collect();
    println!("{}", serde_json::to_string(&statuses).expect("statuses"));
}
"#;
