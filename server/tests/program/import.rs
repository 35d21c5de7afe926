//! `import` from files and from standard input, into a folder and under a running server.

use serde_json::{Value, json};

use crate::folder::{Folder, Outcome};
use crate::serving::{followed, serve};
use crate::world::{CHARITY, PROJECT, SUM, catalogue, demonstration, donations, furnished, text};

/// The summary of an import: the last line on standard error, after the source's name.
#[track_caller]
fn summary(outcome: &Outcome) -> &str {
    assert_eq!(outcome.stdout, "");
    assert!(
        !outcome.stderr.contains(['\u{1b}', '\r']),
        "a bar was drawn: {}",
        outcome.stderr
    );
    outcome
        .stderr
        .lines()
        .last()
        .unwrap()
        .split_once(": ")
        .unwrap()
        .1
}

#[test]
fn repeating_an_import_changes_nothing() {
    let folder = Folder::new();
    let lines = demonstration();
    let count = lines.lines().count();
    let file = folder.write("all.ndjson", &lines);
    let first = folder.run(&["import", file]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert_eq!(
        first.stderr,
        format!("all.ndjson: {count} new, 0 changed, 0 unchanged, 0 rejected\n")
    );
    let second = folder.run_with_input(&["import", "-"], &lines);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    assert_eq!(
        second.stderr,
        format!("standard input: 0 new, 0 changed, {count} unchanged, 0 rejected\n")
    );
}

/// Ten donations: the fourth is truncated, the sixth names no config and the eighth no kind.
fn mixed() -> String {
    let mut lines = donations(10);
    lines[5]["config"] = json!(format!("0x{}", "ab".repeat(32)));
    lines[7]["kind"] = json!("planet");
    let mut lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    lines[3].truncate(40);
    lines.join("\n")
}

/// Files that are no NDJSON in UTF-8 are named as what they are.
#[test]
fn compressed_and_utf_16_files_are_named() {
    let folder = furnished();
    let line = donations(1)[0].to_string();
    let little: Vec<u8> = line.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xff, 0xfe], &little[..]].concat();
    let gzip = edge::http::gzip(line.repeat(9).as_bytes()).unwrap();
    for (bytes, said) in [
        (
            &gzip[..],
            "line 1: is compressed by gzip: import the output of `gzip -dc FILE`",
        ),
        (&little, "line 1: is UTF-16: import the output of `iconv"),
        (&marked, "line 1: is UTF-16: import the output of `iconv"),
    ] {
        std::fs::write(folder.path().join("other"), bytes).unwrap();
        let outcome = folder.run(&["import", "other"]);
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    }
}

#[test]
fn bad_lines_are_reported_by_number_and_the_rest_is_imported() {
    let folder = furnished();
    let file = folder.write("mixed.ndjson", &mixed());
    let outcome = folder.run(&["import", file, "--on-error", "continue"]);
    assert_eq!(outcome.code, Some(1));
    assert_eq!(
        summary(&outcome),
        "7 new, 0 changed, 0 unchanged, 3 rejected"
    );
    for number in [4, 6, 8] {
        let told = format!("mixed.ndjson: line {number}: ");
        assert!(outcome.stderr.contains(&told), "{}", outcome.stderr);
    }
    assert!(
        outcome.stderr.contains("line 6: /config "),
        "{}",
        outcome.stderr
    );
}

#[test]
fn an_import_stops_at_the_first_bad_line_and_reads_no_further_source() {
    let folder = furnished();
    let file = folder.write("mixed.ndjson", &mixed());
    let more = folder.write("more.ndjson", &text(&donations(20)));
    let outcome = folder.run(&["import", file, more]);
    assert_eq!(outcome.code, Some(1));
    let expected = "3 new, 0 changed, 0 unchanged, 1 rejected; stopped at the first rejected line";
    assert_eq!(summary(&outcome), expected);
    assert!(
        !outcome.stderr.contains("more.ndjson"),
        "{}",
        outcome.stderr
    );
    let outcome = folder.run(&["import", more]);
    assert_eq!(
        summary(&outcome),
        "17 new, 0 changed, 3 unchanged, 0 rejected"
    );
}

#[test]
fn a_source_that_cannot_be_read_is_named() {
    let folder = Folder::new();
    for source in ["nothing.ndjson", "."] {
        let outcome = folder.run(&["import", source]);
        assert_eq!(outcome.code, Some(1));
        let told = format!("error: cannot import {source}\n  because the input cannot be read\n");
        assert!(outcome.stderr.starts_with(&told), "{}", outcome.stderr);
    }
    let outcome = folder.run_with_input(&["import", "-"], "");
    assert_eq!(
        summary(&outcome),
        "0 new, 0 changed, 0 unchanged, 0 rejected"
    );
}

#[test]
fn a_running_server_follows() {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(&folder, &["--trusted-proxies", "127.0.0.1"]);
    let mut charity = catalogue()
        .into_iter()
        .find(|line| line["id"] == CHARITY)
        .unwrap();
    charity["id"] = json!("0191e5a0-1111-7000-8000-0000000000ff");
    charity["slug"] = json!("fictional-newcomer");
    let lines = [&[charity][..], &donations(7)].concat();
    let outcome = folder.run_with_input(&["import", "-"], &text(&lines));
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    followed("the charity is there", || {
        let answer = serving.get("/charities/fictional-newcomer", Some(&key));
        (answer.status == 200).then_some(())
    });
    followed("the campaigns have risen", || {
        let page = serving.get("/campaigns", Some(&key)).json();
        let raised = (7 * SUM).to_string();
        page["response"].to_string().contains(&raised).then_some(())
    });
}
