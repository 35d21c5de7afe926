//! The limits as a client meets them, on a server that enforces them.

use std::process::Command;

use serde_json::{Deserializer, Value, json};

use crate::folder::Folder;
use crate::serving::{Serving, eventually, serve};

/// The format of curl's output: the status, and the headers that the contract promises.
const TELL: &str = "%{http_code} %header{x-ratelimit-limit} %header{x-ratelimit-remaining} \
                    %header{x-ratelimit-reset} %header{retry-after} %{content_type}\n";

/// The limit of an address without a key.
const LIMIT: usize = 20;

#[test]
fn the_request_above_the_limit_gets_retry_after() {
    if !installed::present(&["curl"], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let answers = ask(&serving, &["--output", "/dev/null", "--write-out", TELL]);
    let answers: Vec<Vec<_>> = answers.lines().map(|it| it.split(' ').collect()).collect();
    assert_eq!(answers.len(), LIMIT + 1, "{answers:?}");
    for (answer, left) in answers.iter().zip((0..LIMIT).rev()) {
        assert_eq!(answer[..3], ["200", "20", &left.to_string()], "{answer:?}");
    }
    let [status, limit, left, reset, wait, media] = answers[LIMIT][..] else {
        panic!("{answers:?}");
    };
    assert_eq!(
        [status, limit, left, media],
        ["429", "20", "0", "application/json"]
    );
    assert!((1..=60).contains(&wait.parse::<u64>().unwrap()), "{wait}");
    assert_eq!(
        reset, answers[0][3],
        "the oldest request leaves the window first"
    );
    let refused = ask(&serving, &[]);
    let mut bodies = Deserializer::from_str(&refused).into_iter::<Value>();
    let body = bodies.next().unwrap().unwrap();
    let error = "Too many requests in the last 60 seconds. Retry after the seconds in Retry-After.";
    assert_eq!(
        body,
        json!({ "error": error, "code": "RATE_LIMIT_EXCEEDED" })
    );
}

#[test]
fn a_server_without_limits_warns_and_counts_no_requests() {
    if !installed::present(&["curl"], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo", "--lift-limits"]);
    let answers = ask(&serving, &["--output", "/dev/null", "--write-out", TELL]);
    assert_eq!(answers.lines().count(), LIMIT + 1);
    assert!(
        answers.lines().all(|it| it.starts_with("200 20 19 ")),
        "{answers}"
    );
    eventually("it says so", || {
        serving
            .log()
            .contains("RATE LIMITS ARE DISABLED")
            .then_some(())
    });
}

/// Sends one request more than the limit of an address, without a key; returns curl's output, a line
/// for each response.
fn ask(serving: &Serving, arguments: &[&str]) -> String {
    let url = format!(
        "http://{}/api/v1/charities?limit=[1-{}]",
        serving.api,
        LIMIT + 1
    );
    let mut command = Command::new("curl");
    let output = command
        .arg("--silent")
        .args(arguments)
        .arg(url)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}
