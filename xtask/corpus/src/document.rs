//! One document of the corpus and its outcome.

use super::check::Check;
use super::payloads::{Payloads, Received, client};
use super::selftest::Tested;
use codegen::diagnostic::Look;
use codegen::{Feature, Options, Output, PayloadReader, SampleLanguage, SelfTest, Workspace};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use std::{env, fs, io, iter, panic};
use wait4::Wait4 as _;
use workspace::Entry;

/// A document and its results so far.
pub(crate) struct Document {
    /// The name of its crate, and of its row.
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
    /// The processor time that it took.
    pub(crate) time: Duration,
    /// The peak memory of its generation in bytes, by a process of its own; 0 until it is measured.
    pub(crate) memory: u64,
    /// Lines of Rust that were generated.
    pub(crate) lines: usize,
    /// The result of compiling the crate, once it was compiled.
    pub(crate) check: Option<Check>,
    /// The result of the selftest, once it was run.
    pub(crate) tested: Option<Tested>,
    /// Its payloads, and a program that reads them and its invalid examples; `None` where it has neither.
    pub(crate) payloads: Option<(Payloads, Box<PayloadReader>)>,
    /// The payloads and invalid examples that a client has read, once it has.
    pub(crate) received: Option<Received>,
}

/// The outcome of generation.
pub(crate) enum Outcome {
    /// It was generated, with a crate and its selftest.
    Generated(Box<Output>, SelfTest),
    /// With diagnostics; this is the first.
    Refused(String),
    /// With a panic.
    Panicked,
}

impl Document {
    /// Generates a crate of that name from a document.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn generate(entry: &Entry, name: String) -> io::Result<Document> {
        let document = match openapi_crate::Document::read(&entry.path, &entry.name) {
            Ok(document) => document,
            // A file that is not UTF-8 text is no document; other errors end the run.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let outcome = Outcome::Refused(format!("error: {}: {error}", entry.name));
                return Ok(Document::ended(name, Duration::ZERO, outcome));
            }
            Err(error) => return Err(error),
        };
        let (source, reading) = (&document.source, &document.reading);
        let options = Options {
            crate_name: name.clone(),
            workspace: Workspace::Own,
            runtime: workspace::runtime(),
            strict: false,
            samples: SampleLanguage::ALL.to_vec(),
            ..Options::default()
        };
        let start = cpu_time();
        let generated = panic::catch_unwind(|| codegen::generate_with(source, reading, &options));
        let time = cpu_time().saturating_sub(start);
        let tested = panic::catch_unwind(|| codegen::selftest(source, reading, &options));
        let outcome = match (generated, tested) {
            (Ok(Ok(output)), Ok(Ok(selftest))) => Outcome::Generated(Box::new(output), selftest),
            (Ok(Err(found)), _) | (_, Ok(Err(found))) => {
                let text = found.render_files(source, &reading.files, Look::Plain);
                Outcome::Refused(text.lines().next().unwrap_or_default().to_owned())
            }
            (Err(_), _) | (_, Err(_)) => Outcome::Panicked,
        };
        Ok(Document::ended(name, time, outcome))
    }

    /// Generates a client and a program that reads payloads and the document's invalid examples by its types.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn generate_reader(&mut self, entry: &Entry, payloads: Payloads) -> io::Result<()> {
        if !self.is_there() {
            return Ok(());
        }
        let document = openapi_crate::Document::read(&entry.path, &entry.name)?;
        let options = Options {
            crate_name: client(&self.name),
            workspace: Workspace::Own,
            runtime: workspace::runtime(),
            features: vec![Feature::Client],
            samples: Vec::new(),
            ..Options::default()
        };
        let (source, reading) = (&document.source, &document.reading);
        let all = payloads.all.clone();
        // A document with diagnostics was refused before.
        if let Ok(reader) = codegen::payload_reader(source, reading, &options, all) {
            let has_values = !reader.payloads.is_empty() || !reader.examples.is_empty();
            let is_needed = has_values || !reader.unmatched.is_empty();
            self.payloads = is_needed.then(|| (payloads, Box::new(reader)));
        }
        Ok(())
    }

    fn ended(name: String, time: Duration, outcome: Outcome) -> Document {
        Document {
            name,
            time,
            memory: 0,
            lines: lines(&outcome),
            outcome,
            check: None,
            tested: None,
            payloads: None,
            received: None,
        }
    }

    /// Whether a crate was generated.
    pub(crate) fn is_there(&self) -> bool {
        matches!(self.outcome, Outcome::Generated(..))
    }
}

/// The processor time of this thread, which excludes other load on the machine; the elapsed time if the
/// system does not report it.
fn cpu_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let spent = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The peak memory of generation, measured in a process of its own.
pub(crate) fn memory(path: &Path) -> io::Result<u64> {
    let mut alone = Command::new(env::current_exe()?);
    alone.arg("--generate-only").arg(path);
    let child = alone.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    Ok(child?.wait4()?.rusage.maxrss)
}

/// The names of the crates of documents, each once.
pub(crate) fn crate_names(entries: &[Entry]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name = |entry: &Entry| {
        let own = crate_name(&entry.name);
        let numbered = (2..).map(|number| format!("{own}-{number}"));
        let mut names = iter::once(own.clone()).chain(numbered);
        let free = names.find(|name| taken.insert(name.clone()));
        free.unwrap_or(own)
    };
    entries.iter().map(name).collect()
}

/// A crate name from a file name: words joined by hyphens.
fn crate_name(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let words = stem.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let name = words.join("-").to_ascii_lowercase();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        format!("doc-{name}")
    }
}

fn lines(outcome: &Outcome) -> usize {
    let Outcome::Generated(output, _) = outcome else {
        return 0;
    };
    let rust = output
        .files
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"));
    rust.map(|(_, text)| text.lines().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_crates_after_files() {
        assert_eq!(crate_name("oai-petstore.yaml"), "oai-petstore");
        assert_eq!(crate_name("Api v2.1.json"), "api-v2-1");
        assert_eq!(crate_name("2fa.json"), "doc-2fa");
        assert_eq!(crate_name("a___b-.json"), "a-b");
        let entry = |name: &str| Entry {
            name: name.into(),
            path: name.into(),
        };
        let entries = ["pets.json", "Pets.yaml", "pets-2.json"].map(entry);
        assert_eq!(crate_names(&entries), ["pets", "pets-2", "pets-2-2"]);
    }

    #[test]
    fn a_file_that_is_no_text_is_a_refused_document() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.json");
        fs::write(&path, [0xff, 0xfe]).unwrap();
        let name = "t.json".to_owned();
        let document = Document::generate(&Entry { name, path }, "t".into()).unwrap();
        assert!(matches!(document.outcome, Outcome::Refused(told) if told.contains("UTF-8")));
    }
}
