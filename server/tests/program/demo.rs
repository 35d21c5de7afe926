//! `serve --demo`, as a first-time user meets it.

use std::process::Command;

use features::keys::demo::{ENTERPRISE, FREE, PRO};

use crate::folder::Folder;
use crate::serving::{Serving, eventually, serve};

const README: &str = include_str!("../../../README.md");

fn demo(folder: &Folder) -> Serving {
    serve(folder, &["--demo"])
}

fn curl_lines(serving: &Serving) -> Vec<&str> {
    serving
        .greeting
        .lines()
        .filter(|line| line.starts_with("curl "))
        .collect()
}

/// Runs the line in a shell or, without `curl`, sends its request directly. Returns the body of a 200.
fn paste(serving: &Serving, line: &str) -> String {
    let has_curl = Command::new("curl").arg("--version").output().is_ok();
    if has_curl {
        let line = format!("{line} --silent --show-error --fail");
        let output = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(
            output.status.success(),
            "{line}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        return String::from_utf8(output.stdout).unwrap();
    }
    let quoted: Vec<_> = line.split('\'').skip(1).step_by(2).collect();
    let key = quoted[0].strip_prefix("service-api-key: ");
    let (_, path) = quoted.last().unwrap().split_once("/api/v1").unwrap();
    let answer = serving.get(path, key);
    assert_eq!(answer.status, 200, "{line}");
    answer.body
}

#[test]
fn the_three_lines_work_when_pasted() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let lines = curl_lines(&serving);
    assert_eq!(lines.len(), 3, "{}", serving.greeting);
    for line in lines {
        let page: serde_json::Value = serde_json::from_str(&paste(&serving, line)).unwrap();
        assert!(!page["response"].as_array().unwrap().is_empty(), "{line}");
    }
}

#[test]
fn the_readme_says_the_same_lines_and_keys() {
    let folder = Folder::new();
    let serving = demo(&folder);
    for line in curl_lines(&serving) {
        let line = line.replace(&serving.api.to_string(), "127.0.0.1:8080");
        assert!(
            README.lines().any(|said| said == line),
            "the README lacks: {line}"
        );
    }
    for (key, limit) in [(FREE, "50"), (PRO, "200"), (ENTERPRISE, "1000")] {
        let answer = serving.get("/configs", Some(key));
        assert_eq!(answer.header("x-ratelimit-limit"), Some(limit));
        assert!(README.contains(key), "the README lacks {key}");
    }
}

#[test]
fn the_leaderboard_has_enough_to_page_through() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let (_, line) = curl_lines(&serving)[2].split_once("/api/v1").unwrap();
    let path = line.trim_end_matches('\'').trim_end_matches("?limit=3");
    let page = serving.get(path, Some(ENTERPRISE)).json();
    assert!(page["response"].as_array().unwrap().len() >= 12, "{page}");
    assert!(
        README.contains(path.split('/').nth(3).unwrap()),
        "the README lacks {path}"
    );
}

#[test]
fn only_this_machine_can_reach_it() {
    let folder = Folder::new();
    for address in ["--listen", "--admin-listen"] {
        let outcome = folder.run(&["serve", "--demo", address, "0.0.0.0:0"]);
        assert_eq!(outcome.code, Some(1));
        assert_eq!(
            outcome.stderr,
            "error: a demo listens on loopback addresses only, not on 0.0.0.0:0\n"
        );
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn it_leaves_no_files() {
    let folder = Folder::new();
    let mut serving = demo(&folder);
    let names = folder.names();
    assert!(
        matches!(&names[..], [name] if name.starts_with("donation-catalog-demo-")),
        "{names:?}"
    );
    serving.signal("TERM");
    assert_eq!(serving.ended().0, Some(0), "{}", serving.log());
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn stopped_while_it_is_being_filled_it_leaves_no_files() {
    let folder = Folder::new();
    let flags = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let mut child = folder
        .command(&[&["serve", "--demo"], &flags[..]].concat())
        .spawn()
        .unwrap();
    eventually("the folder is made", || folder.names().pop());
    let kill = format!("kill -INT {}", child.id());
    assert!(
        Command::new("sh")
            .args(["-c", &kill])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.names(), [""; 0]);
}
