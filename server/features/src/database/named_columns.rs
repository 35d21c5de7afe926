//! Statements name the columns that they read and write: neither `SELECT *` nor an `INSERT` by position.

use std::ffi::OsStr;
use std::path::Path;

/// The words of a text that begin such a statement.
fn unnamed(text: &str) -> Vec<String> {
    let words: Vec<_> = text
        .split(|it: char| it.is_whitespace() || it == '"')
        .filter(|word| !word.is_empty())
        .collect();
    let is = |word: &str, name: &str| word.trim_start_matches('(').eq_ignore_ascii_case(name);
    let all = words.windows(2).filter(|words| {
        (is(words[0], "select") || is(words[0], "returning")) && words[1].starts_with('*')
    });
    let by_position = words.windows(4).filter(|words| {
        let has_columns = words[2].contains('(') || words[3].starts_with('(');
        is(words[0], "insert") && is(words[1], "into") && !has_columns
    });
    all.chain(by_position)
        .map(|words| words.join(" "))
        .collect()
}

/// The statements of the files below a folder that do not, each with its file.
fn unnamed_below(folder: &Path, found: &mut Vec<String>) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            unnamed_below(&path, found);
        } else if ["rs", "sql"]
            .map(OsStr::new)
            .contains(&path.extension().unwrap_or_default())
        {
            let text = std::fs::read_to_string(&path).unwrap();
            found.extend(
                unnamed(&text)
                    .into_iter()
                    .map(|it| format!("{}: {it}", path.display())),
            );
        }
    }
}

#[test]
fn every_statement_names_its_columns() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in ["features", "console", "src", "db", "tests"] {
        unnamed_below(&server.join(folder), &mut found);
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn statements_by_position_are_found() {
    let star = '*';
    for text in [
        format!("(select {star} FROM tally WHERE"),
        format!("DELETE FROM tally RETURNING {star} INTO"),
        format!("\"INSERT{} tally VALUES (1)\"", " INTO"),
        format!("INSERT{} tally\n SELECT project", "\n INTO"),
    ] {
        assert_eq!(unnamed(&text).len(), 1, "{text}");
    }
    for text in [
        "SELECT count(*) FROM tally WHERE",
        "INSERT INTO tally (project) VALUES (1)",
        "INSERT INTO tally(project) VALUES (1)",
    ] {
        assert_eq!(unnamed(text).len(), 0, "{text}");
    }
}
