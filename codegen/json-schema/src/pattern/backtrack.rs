//! Patterns with back-references, which no engine matches in linear time: one
//! that backtracks does, within bounds.

use fancy_regex::{Error, Regex, RegexBuilder};

use crate::pattern::references;
use crate::pattern::syntax::{self, Dialect};

/// How often a match may go back and try another way.
const BACKTRACKS: usize = 50_000;

/// The longest text that is looked at, in bytes: each way may look at all of
/// it.
const LONGEST: usize = 8 * 1024;

/// The largest that a part of a compiled pattern may be, in bytes.
const SIZE: usize = 10 << 20;

/// `\b` and `\B` between ASCII words (ECMA-262 §22.2.2.4.1).
const BOUNDARIES: [&str; 2] = [
    "(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))",
    "(?:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))",
];

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Engine(Regex);

impl Engine {
    /// Whether the pattern occurs in `text`. It does not in a text that takes
    /// too long to tell, or is longer than 8 KiB.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        text.len() <= LONGEST && self.0.is_match(text).unwrap_or(false)
    }
}

/// Compiles an ECMA-262 pattern; `None` where it has neither look-around nor
/// back-references.
pub(crate) fn compile(source: &str) -> Option<Result<Engine, String>> {
    let references = references::read(source).transpose()?;
    Some(references.and_then(|references| engine(source, references)))
}

fn engine(source: &str, references: Vec<String>) -> Result<Engine, String> {
    let dialect = Dialect {
        boundaries: BOUNDARIES,
        references: Some(references.into_iter()),
    };
    let translated = syntax::translate(source, dialect)?;
    let mut builder = RegexBuilder::new(&translated);
    builder
        .backtrack_limit(BACKTRACKS)
        .delegate_size_limit(SIZE);
    builder.build().map(Engine).map_err(|error| match error {
        Error::ParseError(..) => error.to_string(),
        error => format!("not supported: {error}"),
    })
}
