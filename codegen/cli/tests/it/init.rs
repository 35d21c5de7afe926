//! `init`: the workspace that it makes works as it is.

use crate::sandbox::{CONTRACT, Sandbox};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A workspace whose runtime is this repository's, with its lock file, so that no network is needed.
fn workspace() -> Sandbox {
    let sandbox = Sandbox::new(CONTRACT);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let runtime = format!("path={}", here.join("../runtime").display());
    let outcome = sandbox.run(&["init", "hello", "--runtime", &runtime]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let next = "Next cd hello && cargo test && cargo run\n";
    assert!(outcome.stdout.ends_with(next), "{}", outcome.stdout);
    fs::copy(
        here.join("../../Cargo.lock"),
        sandbox.path("hello/Cargo.lock"),
    )
    .unwrap();
    sandbox
}

/// Cargo in the workspace, with the target folder that tests share.
fn cargo(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).args(["--offline", "--target-dir"]);
    cargo.arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("contracts"));
    cargo.current_dir(sandbox.path("hello"));
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.env("RUSTFLAGS", "-D warnings");
    cargo
}

/// A server that stops with the test.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn its_tests_pass_and_its_server_answers() {
    let sandbox = workspace();
    let tested = cargo(&sandbox, &["test"]).output().unwrap();
    let stdout = String::from_utf8_lossy(&tested.stdout);
    let stderr = String::from_utf8_lossy(&tested.stderr);
    assert!(tested.status.success(), "{stdout}{stderr}");
    assert!(stdout.contains("2 passed"), "{stdout}");

    let mut command = cargo(&sandbox, &["run", "--quiet"]);
    command.env("ADDRESS", "127.0.0.1:0").stdout(Stdio::piped());
    let mut serving = Serving(command.spawn().unwrap());
    let mut line = String::new();
    let stdout = serving.0.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut line).unwrap();
    let (address, path) = line.trim_start_matches("http://").split_once('/').unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET /{} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        path.trim()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with(r#"{"text":"Hello, Ada!"}"#), "{answer}");
}

#[test]
fn the_steps_of_its_ci_pass() {
    let sandbox = workspace();
    let run = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        let outcome = command.current_dir(sandbox.path("hello")).output().unwrap();
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        (outcome.status.code(), stderr)
    };
    for arguments in [["gen", "--check"].as_slice(), &["lint"]] {
        assert_eq!(run(arguments), (Some(0), String::new()), "{arguments:?}");
    }
    let workflow = sandbox.read("hello/.github/workflows/contract.yml");
    let version = format!(
        "openapi-crate --version {} --locked",
        env!("CARGO_PKG_VERSION")
    );
    for step in [
        &version,
        "gen --check",
        "lint --format github",
        "${{ github.token }}",
    ] {
        assert!(workflow.contains(step), "{workflow}");
    }
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let sandbox = Sandbox::new(CONTRACT);
    let before = sandbox.snapshot();
    let outcome = sandbox.run(&["init", "."]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("is not empty"),
        "{}",
        outcome.stderr
    );
    assert_eq!(sandbox.snapshot(), before);
    let wrong = sandbox.run(&["init", "new", "--runtime", "latest"]);
    assert_eq!(wrong.code, 2);
    assert!(!sandbox.path("new").exists());
}
