//! Reads payloads by the types of generated clients, and compares them with the same values when written again.

mod compare;

use super::check::{self, Check};
use super::selftest::execute;
use codegen::{InvalidExample, Payload, PayloadReader};
use compare::Differences;
use fs_err as fs;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// The suffix that distinguishes the crate of a client from the crate of the same document that is checked.
pub(crate) const CLIENT: &str = "-client";

/// The suffix that distinguishes the package of a reader from its crate.
pub(crate) const SUFFIX: &str = "-payloads";

/// The file of a folder of payloads that lists those that are not read, each with the reason.
const UNDECODABLE: &str = "undecodable.json";

/// How many differences of a payload are listed.
const MAX_LISTED: usize = 8;

/// The payloads of a document.
#[derive(Debug, Default)]
pub(crate) struct Payloads {
    pub(crate) all: Vec<Payload>,
    /// The names of those that are expected not to be read, with the reasons.
    expected: BTreeMap<String, String>,
}

impl Payloads {
    /// The payloads in the folder beside a document: `museum.payloads` beside `museum.yaml`.
    ///
    /// # Errors
    /// When a file cannot be read, or is not JSON.
    pub(crate) fn beside(document: &Path) -> io::Result<Payloads> {
        let mut payloads = Payloads::default();
        let folder = document.with_extension("payloads");
        if !folder.is_dir() {
            return Ok(payloads);
        }
        let files: io::Result<Vec<_>> = fs::read_dir(&folder)?
            .map(|entry| Ok(entry?.path()))
            .collect();
        let mut files = files?;
        files.sort();
        for path in files {
            if path.ends_with(UNDECODABLE) {
                payloads.expected = serde_json::from_value(json_file(&path)?)?;
            } else {
                let name = path.file_stem().unwrap_or_default();
                payloads.all.push(Payload {
                    name: name.to_string_lossy().into_owned(),
                    value: json_file(&path)?,
                });
            }
        }
        Ok(payloads)
    }

    /// Adds the payloads of a file: an object of them by name, alone or as the property `resources`.
    ///
    /// # Errors
    /// When the file cannot be read, or is not an object.
    pub(crate) fn add_file(&mut self, path: &Path) -> io::Result<()> {
        let mut whole: Map<String, Value> = serde_json::from_value(json_file(path)?)?;
        let resources = match whole.get_mut("resources") {
            Some(Value::Object(resources)) => std::mem::take(resources),
            _ => whole,
        };
        let resources = resources.into_iter();
        self.all
            .extend(resources.map(|(name, value)| Payload { name, value }));
        Ok(())
    }
}

fn json_file(path: &Path) -> io::Result<Value> {
    let value = serde_json::from_slice(&fs::read(path)?);
    value.map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}

/// The payloads and invalid examples of a document when a client has read them.
#[derive(Debug, Default)]
pub(crate) struct Received {
    payloads: Vec<(String, Outcome)>,
    examples: Vec<(InvalidExample, Outcome)>,
    /// Payloads that have no type, each with the reason.
    unmatched: Vec<String>,
    expected: BTreeMap<String, String>,
}

/// What a client makes of a value.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// It is read, and written again with these differences; `null` may have become an absent property or an empty
    /// collection.
    Read(Differences),
    /// It is not read.
    Undecodable(String),
}

impl Outcome {
    fn is_read(&self) -> bool {
        matches!(self, Outcome::Read(_))
    }
}

/// A line that the reader prints.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Printed {
    Written(Value),
    Error(String),
}

/// How many payloads and examples have which outcome.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The same value was written, up to `null`.
    exact: usize,
    /// Another value was written.
    lossy: usize,
    undecodable: usize,
    unmatched: usize,
    examples: usize,
    examples_read: usize,
}

impl Tally {
    /// The payloads that are read, of all that have a type.
    pub(crate) fn payloads(self) -> String {
        let read = self.exact + self.lossy;
        format!("{read}/{}", read + self.undecodable)
    }

    /// The invalid examples that are read, of all.
    pub(crate) fn examples(self) -> String {
        format!("{}/{}", self.examples_read, self.examples)
    }

    pub(crate) fn add(self, other: Tally) -> Tally {
        Tally {
            exact: self.exact + other.exact,
            lossy: self.lossy + other.lossy,
            undecodable: self.undecodable + other.undecodable,
            unmatched: self.unmatched + other.unmatched,
            examples: self.examples + other.examples,
            examples_read: self.examples_read + other.examples_read,
        }
    }

    /// All numbers in words.
    pub(crate) fn summary(self) -> String {
        format!(
            "payloads: {} exact, {} lossy, {} undecodable, {} without a type; {} of {} invalid examples are read",
            self.exact,
            self.lossy,
            self.undecodable,
            self.unmatched,
            self.examples_read,
            self.examples,
        )
    }
}

impl Received {
    /// The numbers of outcomes.
    pub(crate) fn tally(&self) -> Tally {
        let outcomes = || self.payloads.iter().map(|(_, outcome)| outcome);
        let read = self.examples.iter().filter(|(_, it)| it.is_read());
        let is_exact = |it: &&Outcome| matches!(it, Outcome::Read(found) if !found.is_lossy());
        let undecodable = outcomes().filter(|it| !it.is_read()).count();
        let exact = outcomes().filter(is_exact).count();
        Tally {
            exact,
            lossy: self.payloads.len() - exact - undecodable,
            undecodable,
            unmatched: self.unmatched.len(),
            examples: self.examples.len(),
            examples_read: read.count(),
        }
    }

    /// What is wrong: payloads that are not read, those that are though they were expected not to be, and names
    /// that match nothing.
    pub(crate) fn failures(&self) -> Vec<String> {
        let failed = self.payloads.iter().filter_map(|(name, outcome)| {
            match (outcome, self.expected.contains_key(name)) {
                (Outcome::Undecodable(reason), false) => Some(format!("{name}: {reason}")),
                (Outcome::Read(_), true) => {
                    Some(format!("{name} is read, remove it from {UNDECODABLE}"))
                }
                _ => None,
            }
        });
        let is_lost = |name: &&String| self.payloads.iter().all(|(known, _)| known != *name);
        let lost = self.expected.keys().filter(is_lost);
        let lost = lost.map(|name| format!("{UNDECODABLE}: there is no payload {name}"));
        let unmatched = self.unmatched.iter().cloned();
        failed.chain(unmatched).chain(lost).collect()
    }

    /// A line for each payload that is not exact, and for each invalid example that is not read.
    pub(crate) fn details(&self) -> String {
        let mut text = String::new();
        let mut line = |kind: &str, what: &str| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {kind:<11} {what}");
        };
        for (name, outcome) in &self.payloads {
            match outcome {
                Outcome::Undecodable(reason) => line("undecodable", &format!("{name}: {reason}")),
                Outcome::Read(found) if found.is_lossy() => {
                    line("lossy", &format!("{name}: {}", found.summary(MAX_LISTED)));
                }
                Outcome::Read(_) => {}
            }
        }
        self.unmatched.iter().for_each(|it| line("no type", it));
        for (example, outcome) in &self.examples {
            if let Outcome::Undecodable(reason) = outcome {
                line("unread", &format!("{}: {reason}", example.location));
            }
        }
        text
    }
}

pub(crate) fn client(name: &str) -> String {
    format!("{name}{CLIENT}")
}

/// The name of the package of a client's reader.
fn package(name: &str) -> String {
    format!("{name}{CLIENT}{SUFFIX}")
}

/// Compiles the readers of these documents in one run, with types alone.
pub(crate) fn build(work: &Path, names: &[String]) -> io::Result<BTreeMap<String, Check>> {
    let packages: Vec<String> = names.iter().map(|name| package(name)).collect();
    let mut checks = check::cargo(work, &["build"], &packages)?;
    let named = names.iter().map(|name| {
        (
            name.clone(),
            checks.remove(&package(name)).unwrap_or_default(),
        )
    });
    Ok(named.collect())
}

/// Runs a reader that was compiled.
pub(crate) fn run(
    work: &Path,
    name: &str,
    reader: &PayloadReader,
    payloads: &Payloads,
    built: &Check,
) -> io::Result<Received> {
    let folder = work.join("crates").join(client(name)).join("payloads");
    let outcomes = if built.compiles() {
        let program = work.join("target/debug").join(package(name));
        let values = folder.join("payloads.json");
        let (text, status) = execute(&program, &[&values], &folder.join("written.json"))?;
        let lines = text.lines().map(serde_json::from_str);
        let printed: Result<Vec<Printed>, _> = lines.collect();
        printed.map_err(|_| format!("the reader ended with {status}"))
    } else {
        let first = built.first.clone();
        Err(first.unwrap_or_else(|| "the types do not compile".to_owned()))
    };
    let sent = reader.payloads.iter().map(|payload| &payload.value);
    let sent = sent.chain(reader.examples.iter().map(|example| &example.value));
    let outcomes: Vec<Outcome> = match outcomes {
        Ok(printed) => {
            // The program may have ended before the last value.
            let ended = || Printed::Error("the reader ended before it".to_owned());
            let printed = printed.into_iter().chain(std::iter::repeat_with(ended));
            sent.zip(printed)
                .map(|(sent, it)| outcome(sent, it))
                .collect()
        }
        Err(reason) => sent.map(|_| Outcome::Undecodable(reason.clone())).collect(),
    };
    let mut outcomes = outcomes.into_iter();
    let names = reader.payloads.iter().map(|payload| payload.name.clone());
    let received = Received {
        payloads: names.zip(&mut outcomes).collect(),
        examples: reader.examples.iter().cloned().zip(outcomes).collect(),
        unmatched: reader.unmatched.clone(),
        expected: payloads.expected.clone(),
    };
    fs::write(folder.join("payloads.log"), received.details())?;
    Ok(received)
}

fn outcome(sent: &Value, printed: Printed) -> Outcome {
    match printed {
        Printed::Written(written) => Outcome::Read(Differences::between(sent, &written)),
        Printed::Error(reason) => Outcome::Undecodable(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_a_folder_beside_the_document() {
        let folder = tempfile::tempdir().unwrap();
        let document = folder.path().join("pets.yaml");
        assert!(Payloads::beside(&document).unwrap().all.is_empty());
        let payloads = folder.path().join("pets.payloads");
        fs::create_dir(&payloads).unwrap();
        fs::write(payloads.join("Pet.2.json"), r#"{ "name": null }"#).unwrap();
        fs::write(
            payloads.join(UNDECODABLE),
            r#"{ "Pet.2": "it has no name" }"#,
        )
        .unwrap();
        let read = Payloads::beside(&document).unwrap();
        let [pet] = &read.all[..] else {
            panic!("{read:?}");
        };
        assert_eq!(
            (&*pet.name, &pet.value),
            ("Pet.2", &json!({ "name": null }))
        );
        assert_eq!(read.expected["Pet.2"], "it has no name");
        fs::write(payloads.join("Pet.json"), "{").unwrap();
        let error = Payloads::beside(&document).unwrap_err().to_string();
        assert!(error.contains("Pet.json"), "{error}");
    }

    #[test]
    fn reads_a_file_of_payloads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.json");
        let mut payloads = Payloads::default();
        for text in [
            r#"{ "pet": {} }"#,
            r#"{ "resources": { "dog": {} }, "version": 1 }"#,
        ] {
            fs::write(&path, text).unwrap();
            payloads.add_file(&path).unwrap();
        }
        let names: Vec<&str> = payloads.all.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["pet", "dog"]);
    }

    #[test]
    fn undecodable_payloads_fail_unless_they_are_expected() {
        let undecodable = || Outcome::Undecodable("no".to_owned());
        let read = || outcome(&json!(1), Printed::Written(json!(1.0)));
        let received = Received {
            payloads: vec![
                ("A".into(), undecodable()),
                ("B".into(), undecodable()),
                ("C".into(), read()),
                ("D".into(), read()),
            ],
            unmatched: vec!["E: no type".into()],
            expected: ["B", "C", "F"]
                .map(|name| (name.to_owned(), "reason".to_owned()))
                .into(),
            ..Received::default()
        };
        let expected = [
            "A: no",
            "C is read, remove it from undecodable.json",
            "E: no type",
            "undecodable.json: there is no payload F",
        ];
        assert_eq!(received.failures(), expected);
        assert_eq!(received.tally().payloads(), "2/4");
    }
}
