//! One document of the corpus: what became of it.

use super::check::Check;
use super::folder::Entry;
use super::trial::Tried;
use crate::documents;
use codegen::diagnostic::Look;
use codegen::{Options, Output, Trial, Workspace};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use std::{env, fs, io, panic};
use wait4::Wait4 as _;

/// A document and what is known of it so far.
pub(crate) struct Document {
    /// The name of its crate, and of its row.
    pub(crate) name: String,
    /// How generation ended.
    pub(crate) outcome: Outcome,
    /// The processor time that it took.
    pub(crate) time: Duration,
    /// The most memory that it took, in bytes, by a process that does nothing else; 0 until it was
    /// measured.
    pub(crate) memory: u64,
    /// Lines of Rust that were generated, the runtime included.
    pub(crate) lines: usize,
    /// How the crate compiles, once it was tried.
    pub(crate) check: Option<Check>,
    /// How the crate works, once it was tried.
    pub(crate) tried: Option<Tried>,
}

/// How generation ended.
pub(crate) enum Outcome {
    /// With a crate, and what tries it out.
    Generated(Box<Output>, Trial),
    /// With diagnostics; this is the first.
    Refused(String),
    /// With a panic.
    Panicked,
}

impl Document {
    /// Generates a crate from a document.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn generate(entry: &Entry) -> io::Result<Document> {
        let document = documents::Document::read(&entry.path, &entry.name)?;
        let (source, reading) = (&document.source, &document.reading);
        let name = crate_name(&entry.name);
        let options = Options {
            crate_name: name.clone(),
            workspace: Workspace::Own,
            strict: false,
            command: "cargo xtask corpus".into(),
        };
        let start = cpu_time();
        let generated = panic::catch_unwind(|| codegen::generate_with(source, reading, &options));
        let time = cpu_time().saturating_sub(start);
        let tried = panic::catch_unwind(|| codegen::trial(source, reading, &options));
        let outcome = match (generated, tried) {
            (Ok(Ok(output)), Ok(Ok(trial))) => Outcome::Generated(Box::new(output), trial),
            (Ok(Err(found)), _) | (_, Ok(Err(found))) => {
                let text = found.render_files(source, &reading.files, Look::Plain);
                Outcome::Refused(text.lines().next().unwrap_or_default().to_owned())
            }
            (Err(_), _) | (_, Err(_)) => Outcome::Panicked,
        };
        Ok(Document {
            name,
            time,
            memory: 0,
            lines: lines(&outcome),
            outcome,
            check: None,
            tried: None,
        })
    }
}

impl Document {
    /// Whether there is a crate of it.
    pub(crate) fn is_there(&self) -> bool {
        matches!(self.outcome, Outcome::Generated(..))
    }
}

/// The processor time that this thread has used, of which other work on the machine is no part;
/// where the system does not tell it, the time that has passed.
fn cpu_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let spent = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The most memory that generation takes, by the command for it in a process of its own; what it
/// says has been said.
pub(crate) fn memory(path: &Path) -> io::Result<u64> {
    let out = tempfile::tempdir()?;
    let mut child = Command::new(env::current_exe()?)
        .args(["gen", "--spec"])
        .arg(path)
        .arg("--out")
        .arg(out.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(child.wait4()?.rusage.maxrss)
}

/// A file's name as that of a crate.
fn crate_name(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let name: String = stem.chars().map(plain).collect();
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
    }
}
