//! A Newman process, which runs several sets of requests without a restart.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use features::keys::demo::ENTERPRISE;
use serde_json::json;

use super::CONFORMANCE;

const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/program/callers/collection/newman.mjs"
);

/// The process. It ends when it is dropped.
pub(super) struct Newman {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Newman {
    pub(super) fn start() -> Self {
        let mut child = Command::new("node")
            .arg(SCRIPT)
            .env("NODE_MODULES", installed::node_modules())
            .env("COLLECTION", CONFORMANCE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            stdin: child.stdin.take().unwrap(),
            stdout: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// Runs these requests, or all, once for each base address; returns the runs in which a check
    /// failed.
    pub(super) fn run(&mut self, bases: &[String], items: &[String]) -> Vec<usize> {
        let row = |base| json!({ "baseUrl": base, "serviceApiKey": ENTERPRISE });
        let rows: Vec<_> = bases.iter().map(row).collect();
        writeln!(self.stdin, "{}", json!({ "items": items, "rows": rows })).unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).expect("newman runs")
    }
}

impl Drop for Newman {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
