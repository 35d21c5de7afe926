//! What is wrong with a document, and where.

mod code;
mod report;

pub use code::{Class, Code};
pub use report::Look;

use crate::source::{Pointer, Source};
use std::ops::Range;

/// How grave a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Generation went on without the thing named.
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
    /// The bytes of [`Source::body`] that are shown, where `at` alone does not say it: in text that
    /// could not be read, and where a member stands twice.
    pub span: Option<Range<usize>>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// How to mend it, where that is known.
    pub help: Option<String>,
    /// Other places that have to do with it.
    pub related: Vec<Related>,
}

/// A place that has to do with a problem elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place in the document.
    pub at: Pointer,
    /// The bytes that are shown, as in [`Diagnostic::span`].
    pub span: Option<Range<usize>>,
    /// What it has to do with it, in a few words.
    pub label: String,
}

/// Collects problems; a stage goes on after one, so that all are shown at once.
#[derive(Debug, Default, Clone)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Adds an error.
    pub fn error(&mut self, code: Code, at: &Pointer, message: impl Into<String>) {
        self.push(code, Severity::Error, at, message.into(), None);
    }

    /// Adds an error with a way to mend it.
    pub fn error_with_help(
        &mut self,
        code: Code,
        at: &Pointer,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(code, Severity::Error, at, message.into(), Some(help.into()));
    }

    /// Adds an error that another place has to do with.
    pub(crate) fn error_with_related(
        &mut self,
        code: Code,
        at: &Pointer,
        message: impl Into<String>,
        (other, label): (&Pointer, &str),
    ) {
        let found = Diagnostic::new(code, Severity::Error, at, message);
        self.add(found.related(other, label));
    }

    /// Adds something that generation can do without, with a way to mend it.
    pub(crate) fn warning_with_help(
        &mut self,
        code: Code,
        at: &Pointer,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let found = Diagnostic::new(code, Severity::Warning, at, message);
        self.add(found.help(help));
    }

    /// Adds something that generation can do without.
    pub fn warning(&mut self, code: Code, at: &Pointer, message: impl Into<String>) {
        self.push(code, Severity::Warning, at, message.into(), None);
    }

    fn push(
        &mut self,
        code: Code,
        severity: Severity,
        at: &Pointer,
        message: String,
        help: Option<String>,
    ) {
        let mut found = Diagnostic::new(code, severity, at, message);
        found.help = help;
        self.add(found);
    }

    /// Adds a problem, unless it has been found already.
    pub(crate) fn add(&mut self, found: Diagnostic) {
        if !self.0.contains(&found) {
            self.0.push(found);
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The problems in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }

    /// Errors and warnings apart.
    pub(crate) fn split(self) -> (Diagnostics, Diagnostics) {
        let (errors, warnings) = self
            .0
            .into_iter()
            .partition(|found| found.severity == Severity::Error);
        (Diagnostics(errors), Diagnostics(warnings))
    }

    /// All problems as text, in the order of the document: the lines, underlined, and the help.
    pub fn render(&self, source: &Source) -> String {
        report::render(&self.0, source, Look::Plain)
    }

    /// The same for a terminal.
    pub fn render_for(&self, source: &Source, look: Look) -> String {
        report::render(&self.0, source, look)
    }
}

impl Diagnostic {
    /// A problem of which no more is known than what and where.
    pub(crate) fn new(
        code: Code,
        severity: Severity,
        at: &Pointer,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            at: at.clone(),
            span: None,
            message: message.into(),
            help: None,
            related: Vec::new(),
        }
    }

    /// With a way to mend it.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// With another place that has to do with it.
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
