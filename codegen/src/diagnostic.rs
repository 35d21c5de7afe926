//! Diagnostics: the problems of a document, and their places.

mod code;
mod quoted;
mod report;
pub(crate) mod spelling;

pub use code::{Class, Code};
pub(crate) use quoted::in_yaml;
pub use report::{Located, Look};

use crate::source::files::OriginalReferences;
use crate::source::{Pointer, Source};
use std::ops::Range;

/// The severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Generation went on without the part in question.
    Warning,
}

/// One problem at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem.
    pub code: Code,
    /// How grave it is.
    pub severity: Severity,
    /// The place in the document.
    pub at: Pointer,
    /// The bytes of [`Source::body`] that are shown, where `at` is not enough: in text that cannot
    /// be read, and where a member stands twice.
    pub span: Option<Range<usize>>,
    /// The problem, in one sentence.
    pub message: String,
    /// How to fix it, if that is known.
    pub help: Option<String>,
    /// Related places.
    pub related: Vec<Related>,
    /// The fallback with which generation went on.
    pub fallback: Option<String>,
}

/// A place related to a problem elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place in the document.
    pub at: Pointer,
    /// The bytes that are shown, as in [`Diagnostic::span`].
    pub span: Option<Range<usize>>,
    /// The relation, in a few words.
    pub label: String,
}

/// Collects problems; a stage goes on after one, so that all are shown at once.
///
/// In a strict run, each problem is an error. A lenient run recovers: it leaves out a part, or
/// takes a fallback, and the problem is a warning that says so.
#[derive(Debug, Default, Clone)]
pub struct Diagnostics {
    problems: Vec<Diagnostic>,
    lenient: bool,
    losses: usize,
    originals: OriginalReferences,
}

/// The state of [`Diagnostics`] at some time; see [`Diagnostics::degraded_since`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checkpoint {
    losses: usize,
    problems: usize,
}

impl Diagnostics {
    /// No problems yet, in a lenient run.
    pub(crate) fn lenient() -> Diagnostics {
        Diagnostics {
            lenient: true,
            ..Diagnostics::default()
        }
    }

    /// Adds the original texts of rewritten references.
    pub(crate) fn with_originals(self, originals: OriginalReferences) -> Diagnostics {
        Diagnostics { originals, ..self }
    }

    /// A reference as the author of the document wrote it.
    pub(crate) fn as_written<'r>(&'r self, reference: &'r str, at: &Pointer) -> &'r str {
        self.originals.original(reference, at)
    }

    /// Adds a problem that ends generation, even in a lenient run.
    pub(crate) fn fatal(&mut self, problem: Diagnostic) {
        self.add(problem);
    }

    /// Adds a problem that costs the part that it is about. A lenient run leaves the part out and
    /// warns.
    pub(crate) fn error(&mut self, mut problem: Diagnostic) {
        self.losses += 1;
        if self.lenient {
            problem.severity = Severity::Warning;
        }
        self.add(problem);
    }

    /// Adds a problem that a lenient run recovers from; `fallback` says how, in a few words.
    pub(crate) fn recover(&mut self, mut problem: Diagnostic, fallback: &str) {
        if self.lenient {
            problem.severity = Severity::Warning;
            problem.fallback = Some(fallback.to_owned());
        }
        self.add(problem);
    }

    /// Adds a problem that does not affect the output.
    pub(crate) fn warn(&mut self, problem: Diagnostic) {
        self.add(problem.severity(Severity::Warning));
    }

    /// The current state, for [`Diagnostics::degraded_since`].
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            losses: self.losses,
            problems: self.problems.len(),
        }
    }

    /// Whether a lenient run has left anything out since `checkpoint`; if so, the problems since then
    /// get this `fallback`, unless they have one of their own.
    ///
    /// A strict run never degrades: it goes on to find all problems.
    pub(crate) fn degraded_since(&mut self, checkpoint: Checkpoint, fallback: &str) -> bool {
        if !self.lenient || self.losses == checkpoint.losses {
            return false;
        }
        let since = self.problems.iter_mut().skip(checkpoint.problems);
        for problem in since.filter(|problem| problem.fallback.is_none()) {
            problem.fallback = Some(fallback.to_owned());
        }
        true
    }

    /// Adds a problem, unless it has been found already.
    pub fn add(&mut self, problem: Diagnostic) {
        // The fallback may become known later.
        let known = |known: &Diagnostic| {
            (&known.at, &known.span, known.code, &known.message)
                == (&problem.at, &problem.span, problem.code, &problem.message)
        };
        if !self.problems.iter().any(known) {
            self.problems.push(problem);
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The problems in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.problems.iter()
    }

    /// The numbers of errors and of warnings.
    pub(crate) fn split(self) -> (Diagnostics, Diagnostics) {
        let (errors, warnings) = self
            .problems
            .into_iter()
            .partition(|problem| problem.severity == Severity::Error);
        (Diagnostics::of(errors), Diagnostics::of(warnings))
    }

    /// The problems with their places, in the order of each file.
    pub fn located<'d>(&'d self, source: &'d Source, files: &'d [Source]) -> Vec<Located<'d>> {
        report::located(&self.problems, source, files)
    }

    /// The same problems, without those that `keep` says no to; it may change the severity of others.
    #[must_use]
    pub fn adjusted(mut self, keep: impl FnMut(&mut Diagnostic) -> bool) -> Diagnostics {
        self.problems.retain_mut(keep);
        self
    }

    /// All problems as text, in the order of the document: the lines, underlined, and the help.
    pub fn render(&self, source: &Source) -> String {
        self.render_for(source, Look::Plain)
    }

    /// All problems as text, for a terminal.
    pub fn render_for(&self, source: &Source, look: Look) -> String {
        self.render_files(source, &[], look)
    }

    /// All problems as text, for a document of several files.
    pub fn render_files(&self, source: &Source, files: &[Source], look: Look) -> String {
        let mut own = Vec::new();
        let mut of_files = vec![Vec::new(); files.len()];
        for problem in &self.problems {
            let (file, problem) = report::in_its_file(problem, source, files);
            let list = file.and_then(|index| of_files.get_mut(index));
            list.unwrap_or(&mut own).push(problem);
        }
        let others = files.iter().zip(of_files);
        let all = std::iter::once((source, own)).chain(others);
        let texts = all.map(|(source, problems)| report::render(&problems, source, look));
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts.join("\n")
    }

    /// The same problems, placed in another file than the first.
    pub(crate) fn of_file(mut self, path: &str) -> Diagnostics {
        for problem in &mut self.problems {
            problem.at = crate::source::files::place(path, &problem.at);
        }
        self
    }

    fn of(problems: Vec<Diagnostic>) -> Diagnostics {
        Diagnostics {
            problems,
            ..Diagnostics::default()
        }
    }
}

impl Diagnostic {
    /// An error at a place.
    pub(crate) fn new(code: Code, at: &Pointer, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            at: at.clone(),
            span: None,
            message: message.into(),
            help: None,
            related: Vec::new(),
            fallback: None,
        }
    }

    /// The problem with another severity.
    #[must_use]
    pub(crate) fn severity(mut self, severity: Severity) -> Diagnostic {
        self.severity = severity;
        self
    }

    /// The problem with advice on how to fix it.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The problem with the name that is likely meant, if there is one.
    #[must_use]
    pub(crate) fn did_you_mean(self, meant: Option<impl std::fmt::Display>) -> Diagnostic {
        match meant {
            Some(meant) => self.help(format!("did you mean `{meant}`?")),
            None => self,
        }
    }

    /// The problem with a related place.
    #[must_use]
    pub(crate) fn related(mut self, at: &Pointer, label: impl Into<String>) -> Diagnostic {
        self.related.push(Related {
            at: at.clone(),
            span: None,
            label: label.into(),
        });
        self
    }
}
