//! Counts the parts of the contract that were exercised, and lists the others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use super::document::{Document, Documented};

/// The label of requests that match no operation.
const UNMATCHED: &str = "(no operation)";

/// Counts by operation and item.
///
/// An item is a status (`200`), a status with one of several error codes (`400 INVALID_JSON`), `HEAD`,
/// or a parameter with its verdict (`limit valid`).
#[derive(Default)]
pub struct Coverage(Mutex<BTreeMap<(String, String), usize>>);

/// The counts of all items, and the items without any.
#[derive(Default)]
pub struct Exercised {
    pub table: String,
    pub missing: Vec<String>,
}

/// The items that one request exercised, besides its status.
pub struct Sent<'a> {
    pub method: &'a str,
    pub path: &'a str,
    /// The parameters that were sent, and `body`.
    pub parameters: Vec<String>,
    pub status: u16,
    /// The `code` of an error.
    pub code: Option<String>,
    /// The parameters that the answer reports as invalid.
    pub refused: Vec<String>,
}

impl Coverage {
    /// Notes a request and its answer.
    pub fn note(&self, document: &Document, sent: &Sent<'_>) {
        let mut counts = self.0.lock().unwrap();
        let mut count = |operation: &str, item: String| {
            *counts.entry((operation.to_owned(), item)).or_default() += 1;
        };
        let status = sent.status.to_string();
        match document.matching(sent.method, sent.path) {
            None => count(UNMATCHED, status),
            Some(operation) => {
                if sent.method == "HEAD" {
                    count(&operation.id, "HEAD".to_owned());
                }
                if let Some(code) = &sent.code {
                    count(&operation.id, format!("{status} {code}"));
                }
                count(&operation.id, status);
                for name in &sent.refused {
                    count(&operation.id, item(name, "invalid"));
                }
                if matches!(sent.status, 200..400) {
                    for name in &sent.parameters {
                        count(&operation.id, item(name, "valid"));
                    }
                }
            }
        }
    }

    /// The items of the document that were exercised so far.
    pub fn report(&self, document: &Document) -> Exercised {
        let counts = self.0.lock().unwrap();
        let mut report = Exercised::default();
        for (operation, items) in expected(document) {
            let _ = write!(report.table, "\n  {operation:28}");
            for wanted in items {
                let count = counts.get(&(operation.clone(), wanted.clone()));
                let _ = write!(report.table, " {wanted}×{}", count.unwrap_or(&0));
                if count.is_none() {
                    let missing = format!("{operation}: {wanted} is not exercised");
                    report.missing.push(missing);
                }
            }
        }
        report
    }
}

/// The items of each operation that have to be exercised.
fn expected(document: &Document) -> Vec<(String, Vec<String>)> {
    let statuses = |answers: &BTreeMap<u16, Documented>| {
        let with_codes = answers.iter().flat_map(|(status, documented)| {
            let codes = documented.codes.iter();
            let with_codes = codes.map(move |code| format!("{status} {code}"));
            [status.to_string()].into_iter().chain(with_codes)
        });
        with_codes.collect()
    };
    let mut expected: Vec<(String, Vec<String>)> = Vec::new();
    for operation in &document.operations {
        let mut items: Vec<String> = statuses(&operation.answers);
        items.extend(operation.is_get().then(|| "HEAD".to_owned()));
        let parameters = operation.parameters.iter().map(|it| it.name.as_str());
        let body = operation.body.as_ref().map(|_| "body");
        for name in parameters.chain(body) {
            items.extend([item(name, "valid"), item(name, "invalid")]);
        }
        expected.push((operation.id.clone(), items));
    }
    expected.push((UNMATCHED.to_owned(), statuses(&document.unmatched)));
    expected
}

fn item(name: &str, what: &str) -> String {
    format!("{name} {what}")
}
