//! The corpus as a table, and whether it meets the target.

use super::check::Check;
use super::document::{Document, Outcome};
use super::payloads::{Received, Tally};
use super::selftest::Tested;
use std::fmt::Write as _;

/// The share of operations, in percent, that must be there in full: neither left out nor raw.
const TARGET: f64 = 98.0;

/// A line for a document as soon as it is generated.
pub(crate) fn progress(document: &Document) -> String {
    let millis = document.time.as_millis();
    let generation = generation(document);
    told(
        "Generated",
        document,
        &format!("in {millis} ms: {generation}"),
    )
}

/// A line for a document as soon as it is checked.
pub(crate) fn checked(document: &Document) -> String {
    told("Checked", document, &compilation(document))
}

/// A line for a document as soon as its operations have been called.
pub(crate) fn called(document: &Document) -> String {
    told("Called", document, &selftest(document))
}

/// A line for a document as soon as a client has read its payloads.
pub(crate) fn received(document: &Document) -> String {
    told("Read", document, &tally([document]).summary())
}

fn told(what: &str, document: &Document, outcome: &str) -> String {
    format!("{what:>12} {}: {outcome}", document.name)
}

/// A row per document, and a summary.
pub(crate) fn table(documents: &[Document]) -> String {
    let mut text = format!(
        "{:<42} {:>5} {:>5} {:>5} {:>5} {:>7} {:>6} {:>7} {:>7} {:>11} {:>11} {:>9} {:>8}  outcome\n",
        "document",
        "ops",
        "left",
        "raw",
        "notes",
        "gen ms",
        "MB",
        "lines",
        "check s",
        "examples",
        "answered",
        "payloads",
        "invalid"
    );
    for document in documents {
        let counts = Counts::of(document);
        let checked = document.check.as_ref();
        let seconds = checked.map_or(0.0, |check| check.time.as_secs_f64());
        let tested = document.tested.as_ref();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:<42} {:>5} {:>5} {:>5} {:>5} {:>7} {:>6} {:>7} {seconds:>7.1} {:>11} {:>11} {:>9} {:>8}  {}",
            document.name,
            counts.operations,
            counts.left_out,
            counts.raw,
            counts.notes,
            document.time.as_millis(),
            document.memory >> 20,
            document.lines,
            tested.map_or("-".into(), |tested| share_of(
                tested.examples,
                tested.broken.len()
            )),
            tested.map_or("-".into(), |tested| share_of(
                tested.operations,
                tested.unanswered.len()
            )),
            document
                .received
                .as_ref()
                .map_or("-".into(), |received| received.tally().payloads()),
            document
                .received
                .as_ref()
                .map_or("-".into(), |received| received.tally().examples()),
            outcome(document),
        );
    }
    text.push_str(&summary(documents));
    for document in documents {
        let details = document.received.as_ref().map(Received::details);
        if let Some(details) = details.filter(|details| !details.is_empty()) {
            let summary = tally([document]).summary();
            let _ = write!(text, "\n{}: {summary}\n{details}", document.name);
        }
    }
    text
}

/// The right ones of all, as text.
fn share_of(all: usize, wrong: usize) -> String {
    format!("{}/{all}", all.saturating_sub(wrong))
}

/// Whether every document generates, compiles without a warning and works, with nearly all operations.
pub(crate) fn meets_target(documents: &[Document], checked: bool, called: bool) -> bool {
    let clean = |document: &Document| document.check.as_ref().is_some_and(Check::is_clean);
    let works = |document: &Document| document.tested.as_ref().is_some_and(Tested::is_clean);
    let reads = |document: &Document| match &document.received {
        Some(received) => received.failures().is_empty(),
        None => true,
    };
    let each = |document: &Document| {
        document.is_there()
            && (!checked || clean(document))
            && (!checked || !called || works(document))
            && reads(document)
    };
    documents.iter().all(each) && Counts::over(documents).share() >= TARGET
}

fn summary(documents: &[Document]) -> String {
    let count = |wanted: &dyn Fn(&Document) -> bool| documents.iter().filter(|d| wanted(d)).count();
    let checks = || documents.iter().filter_map(|d| d.check.as_ref());
    let generated = count(&|d| d.is_there());
    let panics = count(&|d| matches!(d.outcome, Outcome::Panicked));
    let compiled = checks().filter(|check| check.compiles()).count();
    let errors: usize = checks().map(|check| check.errors).sum();
    let warnings: usize = checks().map(|check| check.warnings).sum();
    let seconds: f64 = documents.iter().map(|d| d.time.as_secs_f64()).sum();
    let counts = Counts::over(documents);
    let tested = |of: &dyn Fn(&Tested) -> usize| {
        let tested = documents.iter().filter_map(|d| d.tested.as_ref());
        tested.map(of).sum::<usize>()
    };
    let examples = share_of(tested(&|t| t.examples), tested(&|t| t.broken.len()));
    let answered = share_of(tested(&|t| t.operations), tested(&|t| t.unanswered.len()));
    format!(
        "{} documents: {generated} generated, {panics} panics; {} operations, {} left out, \
         {} raw, {} for callers alone ({:.2} % in full); {seconds:.1} s; {compiled} compile, {errors} errors, {warnings} \
         warnings; {examples} examples kept ({} are invalid), {answered} operations answered ({} are \
         impossible); {}\n",
        documents.len(),
        counts.operations,
        counts.left_out,
        counts.raw,
        counts.unserved,
        counts.share(),
        tested(&|t| t.invalid),
        tested(&|t| t.impossible),
        tally(documents).summary(),
    )
}

/// What clients have made of the payloads of documents.
fn tally<'d>(documents: impl IntoIterator<Item = &'d Document>) -> Tally {
    let received = documents.into_iter().filter_map(|it| it.received.as_ref());
    received.fold(Tally::default(), |sum, next| sum.add(next.tally()))
}

/// Operations, webhooks and callbacks among them, and diagnostics.
#[derive(Default)]
struct Counts {
    operations: usize,
    /// Not generated at all.
    left_out: usize,
    /// Generated, but as bare requests and responses.
    raw: usize,
    /// Generated for callers, but not served: another operation gets their requests.
    unserved: usize,
    notes: usize,
}

impl Counts {
    fn of(document: &Document) -> Counts {
        let Outcome::Generated(output, _) = &document.outcome else {
            return Counts::default();
        };
        let coverage = &output.coverage;
        let outgoing = coverage.outgoing - coverage.outgoing_generated;
        Counts {
            operations: coverage.documented + coverage.outgoing,
            left_out: coverage.documented - coverage.generated + outgoing,
            raw: coverage.raw.len(),
            unserved: coverage.unserved.len(),
            notes: output.warnings.iter().count(),
        }
    }

    fn over(documents: &[Document]) -> Counts {
        let each = documents.iter().map(Counts::of);
        each.fold(Counts::default(), |sum, next| Counts {
            operations: sum.operations + next.operations,
            left_out: sum.left_out + next.left_out,
            raw: sum.raw + next.raw,
            unserved: sum.unserved + next.unserved,
            notes: sum.notes + next.notes,
        })
    }

    /// The percentage of operations that are fully supported.
    fn share(&self) -> f64 {
        let missed = self.left_out + self.raw + self.unserved;
        match self.operations {
            0 => 100.0,
            all => 100.0 * all.saturating_sub(missed) as f64 / all as f64,
        }
    }
}

fn generation(document: &Document) -> String {
    match &document.outcome {
        Outcome::Generated(..) => "ok".into(),
        Outcome::Refused(first) => first.chars().take(60).collect(),
        Outcome::Panicked => "PANIC".into(),
    }
}

/// The first stage that is not right.
fn outcome(document: &Document) -> String {
    let stages = [
        generation(document),
        compilation(document),
        selftest(document),
        payloads(document),
    ];
    let mut wrong = stages
        .into_iter()
        .filter(|stage| stage != "ok" && stage != "-");
    wrong.next().unwrap_or_else(|| "ok".into())
}

fn selftest(document: &Document) -> String {
    let Some(tested) = &document.tested else {
        return "-".into();
    };
    let mut wrong = tested.unanswered.iter().chain(&tested.broken);
    wrong
        .next()
        .map_or("ok".into(), |first| first.chars().take(90).collect())
}

fn payloads(document: &Document) -> String {
    let failures = document.received.as_ref().map(Received::failures);
    let first = failures.and_then(|failures| failures.into_iter().next());
    first.map_or("-".into(), |first| first.chars().take(90).collect())
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
    use workspace::Entry;

    /// A reference to a parameter that does not exist.
    const INEXPRESSIBLE: &str = "parameters: [{ $ref: '#/components/parameters/Lost' }], ";

    /// A document with one operation for each of these, in front of its responses.
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
        let name = "t.yaml".to_owned();
        Document::generate(&Entry { name, path }, "t".into()).unwrap()
    }

    #[test]
    fn hardly_an_operation_may_be_missing() {
        assert!(meets_target(&[document(&[""])], false, false));
        let mut bodies = vec![""; 49];
        bodies.push(INEXPRESSIBLE);
        assert!(meets_target(&[document(&bodies)], false, false));
        bodies.pop();
        bodies.pop();
        bodies.push(INEXPRESSIBLE);
        assert!(!meets_target(&[document(&bodies)], false, false));
        // Crates that were not compiled do not meet a target that requires it.
        assert!(!meets_target(&[document(&[""])], true, false));
    }

    #[test]
    fn lists_omitted_operations() {
        let text = table(&[document(&[INEXPRESSIBLE])]);
        assert!(
            text.contains("1 operations, 0 left out, 1 raw, 0 for callers alone (0.00 % in full)"),
            "{text}"
        );
    }
}
