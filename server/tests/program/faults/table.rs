//! Parses the table of faults.

use super::expectation::Expectation;

const GUIDE: &str = include_str!("../../../docs/faults.md");

/// The head of each part of the table.
const HEAD: [&str; 5] = ["fault", "request", "response", "connection", "within"];

/// One observation of one fault.
pub(super) struct Row {
    pub(super) fault: String,
    /// The request and its receiver.
    pub(super) asked: String,
    pub(super) expectation: Expectation,
}

/// All rows. One that names no fault is about the fault of the row before it.
pub(super) fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in GUIDE.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let &["", fault, asked, answer, connection, within, ""] = &cells[..] else {
            panic!("not a row of five cells: {line}");
        };
        if [fault, asked, answer, connection, within] == HEAD {
            continue;
        }
        let fault = match fault {
            "" => rows.last().expect("a first fault").fault.clone(),
            named => named.to_owned(),
        };
        rows.push(Row {
            fault,
            asked: asked.to_owned(),
            expectation: Expectation::read(answer, connection, within),
        });
    }
    rows
}

/// The fault that a test is named after.
pub(super) fn words(test: &str) -> String {
    test.replace('_', " ")
}
