//! The corpus as a table, and whether it meets the bar.

use super::document::{Document, Outcome};
use std::fmt::Write as _;

/// The share of operations, in percent, that must be generated.
const BAR: f64 = 98.0;

/// A line for a document as soon as it is generated.
pub(crate) fn progress(document: &Document) -> String {
    let millis = document.time.as_millis();
    format!(
        "{:>12} {} in {millis} ms: {}",
        "Generated",
        document.name,
        generation(document)
    )
}

/// A row per document, and a summary.
pub(crate) fn table(documents: &[Document]) -> String {
    let mut text = format!(
        "{:<42} {:>5} {:>5} {:>5} {:>7} {:>7}  {:<22} check\n",
        "document", "ops", "left", "notes", "gen ms", "lines", "generation"
    );
    for document in documents {
        let (operations, left_out, notes) = counts(document);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:<42} {operations:>5} {left_out:>5} {notes:>5} {:>7} {:>7}  {:<22} {}",
            document.name,
            document.time.as_millis(),
            document.lines,
            generation(document),
            compilation(document),
        );
    }
    text.push_str(&summary(documents));
    text
}

/// Whether every document generates, compiles without a warning, and hardly an operation is missing.
pub(crate) fn bar(documents: &[Document], checked: bool) -> bool {
    let generated = |document: &Document| matches!(document.outcome, Outcome::Generated(_));
    let clean = |document: &Document| {
        document
            .check
            .as_ref()
            .is_some_and(|check| check.is_clean())
    };
    documents
        .iter()
        .all(|document| generated(document) && (!checked || clean(document)))
        && share(documents) >= BAR
}

fn summary(documents: &[Document]) -> String {
    let count = |wanted: &dyn Fn(&Document) -> bool| documents.iter().filter(|d| wanted(d)).count();
    let checks = || {
        documents
            .iter()
            .filter_map(|document| document.check.as_ref())
    };
    let generated = count(&|d| matches!(d.outcome, Outcome::Generated(_)));
    let panics = count(&|d| matches!(d.outcome, Outcome::Panicked));
    let compiled = checks().filter(|check| check.compiles()).count();
    let errors: usize = checks().map(|check| check.errors).sum();
    let warnings: usize = checks().map(|check| check.warnings).sum();
    let seconds: f64 = documents
        .iter()
        .map(|document| document.time.as_secs_f64())
        .sum();
    let (operations, left_out) = operations(documents);
    format!(
        "{} documents: {generated} generated, {panics} panics; {operations} operations, {left_out} \
         left out ({:.2} % there); {seconds:.1} s; {compiled} compile, {errors} errors, {warnings} \
         warnings\n",
        documents.len(),
        share(documents),
    )
}

fn operations(documents: &[Document]) -> (usize, usize) {
    let counted = documents.iter().map(counts);
    counted.fold((0, 0), |sum, (operations, left_out, _)| {
        (sum.0 + operations, sum.1 + left_out)
    })
}

/// How many of a hundred operations are there.
fn share(documents: &[Document]) -> f64 {
    match operations(documents) {
        (0, _) => 100.0,
        (all, left_out) => 100.0 * (all - left_out) as f64 / all as f64,
    }
}

/// Operations of the document, those left out, and diagnostics.
fn counts(document: &Document) -> (usize, usize, usize) {
    match &document.outcome {
        Outcome::Generated(output) => (
            output.coverage.documented,
            output.coverage.documented - output.coverage.generated,
            output.warnings.iter().count(),
        ),
        _ => (0, 0, 0),
    }
}

fn generation(document: &Document) -> String {
    match &document.outcome {
        Outcome::Generated(_) => "ok".into(),
        Outcome::Refused(first) => first.chars().take(60).collect(),
        Outcome::Panicked => "PANIC".into(),
    }
}

fn compilation(document: &Document) -> String {
    let Some(check) = &document.check else {
        return "-".into();
    };
    if check.is_clean() {
        return "ok".into();
    }
    let first: String = check
        .first
        .iter()
        .flat_map(|first| first.chars())
        .take(60)
        .collect();
    format!(
        "{} errors, {} warnings: {first}",
        check.errors, check.warnings
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A document with one operation of each of these bodies.
    fn document(bodies: &[&str]) -> Document {
        let mut text = "openapi: 3.1.1\ninfo: { title: T, version: '1' }\npaths:\n".to_owned();
        for (index, body) in bodies.iter().enumerate() {
            text.push_str(&format!(
                "  /{index}: {{ post: {{ {body}responses: {{ '204': {{ description: D }} }} }} }}\n"
            ));
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.yaml");
        fs::write(&path, text).unwrap();
        Document::generate(&path).unwrap()
    }

    #[test]
    fn hardly_an_operation_may_be_missing() {
        assert!(bar(&[document(&[""])], false));
        let mut bodies = vec![""; 49];
        bodies.push("requestBody: { content: { multipart/mixed: {} } }, ");
        assert!(bar(&[document(&bodies)], false));
        bodies.pop();
        bodies.pop();
        bodies.push("requestBody: { content: { multipart/mixed: {} } }, ");
        assert!(!bar(&[document(&bodies)], false));
        // What was not compiled does not meet a bar that asks for it.
        assert!(!bar(&[document(&[""])], true));
    }

    #[test]
    fn says_what_was_left_out() {
        let text = table(&[document(&[
            "requestBody: { content: { multipart/mixed: {} } }, ",
        ])]);
        assert!(
            text.contains("1 operations, 1 left out (0.00 % there)"),
            "{text}"
        );
    }
}
