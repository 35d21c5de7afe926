//! What is wrong with a document, and where.

use crate::source::{Pointer, Source};
use std::fmt::Write as _;

/// The kinds of problem; each has a stable name that a diagnostic prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The text is neither YAML nor JSON.
    Syntax,
    /// The document breaks the OpenAPI or JSON Schema standard.
    Invalid,
    /// A `$ref` points to nothing.
    DanglingReference,
    /// Two things that must differ have the same name.
    Duplicate,
    /// The document is right, but this generator cannot express it.
    Unsupported,
}

impl Code {
    /// The name printed between brackets.
    pub fn name(self) -> &'static str {
        match self {
            Code::Syntax => "syntax",
            Code::Invalid => "invalid",
            Code::DanglingReference => "dangling-reference",
            Code::Duplicate => "duplicate",
            Code::Unsupported => "unsupported",
        }
    }
}

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
    /// A line and column that are known already, for text that could not be read.
    pub line_column: Option<(usize, usize)>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// How to mend it, where that is known.
    pub help: Option<String>,
    /// What generation does instead, where it goes on.
    pub instead: Option<String>,
}

/// Collects problems; a stage goes on after one, so that all are shown at once.
///
/// A strict run takes a document as it is or not at all. Any other run makes the most of it: what a
/// problem takes away is left out, and the problem is a warning that says so.
#[derive(Debug, Default, Clone)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    strict: bool,
    losses: usize,
}

/// How many losses there were at some time; see [`Diagnostics::mark`].
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    losses: usize,
    found: usize,
}

impl Diagnostics {
    /// Nothing found yet.
    pub fn new(strict: bool) -> Diagnostics {
        Diagnostics {
            strict,
            ..Diagnostics::default()
        }
    }

    /// Adds a problem with which nothing can be generated.
    pub fn fatal(&mut self, code: Code, at: &Pointer, message: impl Into<String>) {
        self.push(code, Severity::Error, at, message.into(), None, None);
    }

    /// Adds a problem that takes away the thing it is about.
    pub fn error(&mut self, code: Code, at: &Pointer, message: impl Into<String>) {
        self.losses += 1;
        self.push(code, self.usual(), at, message.into(), None, None);
    }

    /// Adds a problem that can be made good; `instead` says how, in a few words.
    pub fn mended(&mut self, code: Code, at: &Pointer, message: impl Into<String>, instead: &str) {
        let instead = (!self.strict).then(|| instead.to_owned());
        self.push(code, self.usual(), at, message.into(), None, instead);
    }

    /// Errors in a strict run are warnings in any other.
    fn usual(&self) -> Severity {
        if self.strict {
            Severity::Error
        } else {
            Severity::Warning
        }
    }

    /// Remembers this moment, for [`Diagnostics::lost_since`].
    pub fn mark(&self) -> Mark {
        Mark {
            losses: self.losses,
            found: self.found.len(),
        }
    }

    /// Whether anything was taken away since `mark`; the problems since then then say `instead`.
    ///
    /// A strict run never leaves anything out: it goes on only to find all problems.
    pub fn lost_since(&mut self, mark: Mark, instead: &str) -> bool {
        if self.strict || self.losses == mark.losses {
            return false;
        }
        let since = self.found.iter_mut().skip(mark.found);
        for found in since.filter(|found| found.instead.is_none()) {
            found.instead = Some(instead.to_owned());
        }
        true
    }

    /// Adds an error with a way to mend it.
    pub fn error_with_help(
        &mut self,
        code: Code,
        at: &Pointer,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.losses += 1;
        self.push(
            code,
            self.usual(),
            at,
            message.into(),
            Some(help.into()),
            None,
        );
    }

    /// Adds something that generation can do without.
    pub fn warning(&mut self, code: Code, at: &Pointer, message: impl Into<String>) {
        self.push(code, Severity::Warning, at, message.into(), None, None);
    }

    /// Adds a problem with text that could not be read at all.
    pub(crate) fn syntax(line_column: Option<(usize, usize)>, message: String) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        diagnostics.found.push(Diagnostic {
            code: Code::Syntax,
            severity: Severity::Error,
            at: Pointer::default(),
            line_column,
            message,
            help: None,
            instead: None,
        });
        diagnostics
    }

    fn push(
        &mut self,
        code: Code,
        severity: Severity,
        at: &Pointer,
        message: String,
        help: Option<String>,
        instead: Option<String>,
    ) {
        let at = at.clone();
        let found = Diagnostic {
            code,
            severity,
            at,
            line_column: None,
            message,
            help,
            instead,
        };
        let known = |known: &Diagnostic| known.at == found.at && known.message == found.message;
        if !self.found.iter().any(known) {
            self.found.push(found);
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The problems in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// Errors and warnings apart.
    pub(crate) fn split(self) -> (Diagnostics, Diagnostics) {
        let (errors, warnings) = self
            .found
            .into_iter()
            .partition(|found| found.severity == Severity::Error);
        let only = |found| Diagnostics {
            found,
            ..Diagnostics::default()
        };
        (only(errors), only(warnings))
    }

    /// The same problems, in a file other than the first.
    pub(crate) fn of_file(mut self, path: &str) -> Diagnostics {
        for found in &mut self.found {
            found.at = crate::files::place(path);
        }
        self
    }

    /// All problems as text for a terminal: the line of the document, underlined, and the help.
    pub fn render(&self, source: &Source) -> String {
        self.render_with(source, &[])
    }

    /// The same for a document of several files.
    pub fn render_with(&self, source: &Source, files: &[Source]) -> String {
        let each = self
            .found
            .iter()
            .map(|found| match crate::files::file_of(&found.at, files) {
                Some((file, at)) => Diagnostic {
                    at,
                    ..found.clone()
                }
                .render(file),
                None => found.render(source),
            });
        each.collect::<Vec<_>>().join("\n")
    }
}

impl Diagnostic {
    fn render(&self, source: &Source) -> String {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut text = format!("{severity}[{}]: {}\n", self.code.name(), self.message);
        let position = match self.line_column {
            Some((line, column)) => Some(crate::source::Position {
                line,
                column,
                length: 1,
            }),
            None => source.locate(&self.at),
        };
        // Writing to a String cannot fail.
        if let Some(place) = position {
            let _ = writeln!(
                text,
                "  --> {}:{}:{}",
                source.name, place.line, place.column
            );
            if let Some(line) = source.line(place.line).filter(|line| line.len() <= 200) {
                let number = place.line.to_string();
                let margin = " ".repeat(number.len());
                let indent = " ".repeat(place.column.saturating_sub(1));
                let marks = "^".repeat(place.length);
                let _ = writeln!(
                    text,
                    "{margin} |\n{number} | {line}\n{margin} | {indent}{marks}"
                );
            }
        } else {
            let _ = writeln!(text, "  --> {}", source.name);
        }
        if !self.at.as_str().is_empty() {
            let _ = writeln!(text, "  = at: {}", self.at);
        }
        if let Some(help) = &self.help {
            let _ = writeln!(text, "  = help: {help}");
        }
        if let Some(instead) = &self.instead {
            let _ = writeln!(text, "  = note: {instead}");
        }
        text
    }
}
