//! Regular expressions as JSON Schema writes them: ECMA-262 with the `u`
//! flag, not anchored (2020-12 Core, section 6.4).
//!
//! A pattern is translated into the syntax of the `regex` crate, which matches
//! in time linear in the text; one of a whole text becomes a table of states where
//! that is small (`whole_text`). Patterns with look-around or back-references
//! are beyond that crate: look-around at the ends is split off into patterns
//! of its own (`lookaround`), and anything else goes to `fancy-regex`, which
//! backtracks within bounds (`backtracking`).

mod backtracking;
pub mod length;
mod lookaround;
mod repetition;
mod translate;
mod whole_text;

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use regex::Regex;
use regex_syntax::hir::Hir;

use self::backtracking::Backtracking;
use self::repetition::Repetition;
use self::translate::translate;
use self::whole_text::WholeText;

/// A pattern that is compiled when it is first used.
pub struct Pattern {
    source: Cow<'static, str>,
    compiled: OnceLock<Option<Compiled>>,
}

impl Pattern {
    /// A pattern of the contract, for a `static`.
    #[must_use]
    pub const fn new(source: &'static str) -> Self {
        Self {
            source: Cow::Borrowed(source),
            compiled: OnceLock::new(),
        }
    }

    /// A pattern that was read at run time.
    #[must_use]
    pub const fn owned(source: String) -> Self {
        Self {
            source: Cow::Owned(source),
            compiled: OnceLock::new(),
        }
    }

    /// The pattern as the contract writes it.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern occurs in `text`. A pattern that does not compile
    /// occurs nowhere.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| compile(&self.source).ok());
        compiled.as_ref().is_some_and(|all| all.is_match(text))
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

/// A pattern that has been compiled.
#[derive(Debug)]
pub struct Compiled(Vec<Condition>);

/// One thing that a text has to meet.
#[derive(Debug)]
struct Condition {
    matcher: Matcher,
    /// Whether the text has to match, or must not.
    wanted: bool,
}

#[derive(Debug)]
enum Matcher {
    WholeText(Box<WholeText>),
    Linear(Regex),
    Repetition(Repetition),
    Backtracking(Backtracking),
}

impl Compiled {
    /// Whether the pattern occurs in `text`. A pattern that needs backtracking
    /// occurs in no text that takes too many steps, or is longer than 8 KiB.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let holds = |condition: &Condition| condition.matcher.is_match(text) == condition.wanted;
        self.0.iter().all(holds)
    }
}

impl Matcher {
    fn is_match(&self, text: &str) -> bool {
        match self {
            Self::WholeText(table) => table.is_match(text),
            Self::Linear(regex) => regex.is_match(text),
            Self::Repetition(repetition) => repetition.is_match(text),
            Self::Backtracking(engine) => engine.is_match(text),
        }
    }
}

/// Compiles an ECMA-262 pattern.
///
/// # Errors
/// Returns the syntax error of the pattern, or names the construct that is not supported.
pub fn compile(source: &str) -> Result<Compiled, String> {
    let whole = translate(source)?;
    if !whole.backtracks {
        return Ok(Compiled(vec![Condition {
            matcher: linear(&whole.text)?,
            wanted: true,
        }]));
    }
    if let Some(split) = split(source) {
        return Ok(split);
    }
    let engine = backtracking::compile(&whole.text)?;
    Ok(Compiled(vec![Condition {
        matcher: Matcher::Backtracking(engine),
        wanted: true,
    }]))
}

/// A pattern whose look-around is all at its ends, as several without.
fn split(source: &str) -> Option<Compiled> {
    let parts = lookaround::split(source)?.into_iter();
    let conditions = parts.map(|(part, wanted)| {
        let part = translate(&part).ok().filter(|part| !part.backtracks)?;
        let matcher = linear(&part.text).ok()?;
        Some(Condition { matcher, wanted })
    });
    conditions.collect::<Option<_>>().map(Compiled)
}

/// The matcher of a pattern in the syntax of the `regex` crate.
fn linear(text: &str) -> Result<Matcher, String> {
    let parsed = regex_syntax::parse(text).map_err(|error| error.to_string())?;
    if let Some(table) = WholeText::of(&parsed) {
        return Ok(Matcher::WholeText(Box::new(table)));
    }
    Regex::new(text).map(Matcher::Linear).or_else(|error| {
        let repetition = Repetition::of(text).map(Matcher::Repetition);
        repetition.ok_or_else(|| error.to_string())
    })
}

/// The syntax tree of a pattern, for questions about the texts that it matches;
/// `None` for one that is invalid, or has look-around or back-references.
#[must_use]
pub fn parse(source: &str) -> Option<Hir> {
    let translated = translate(source).ok()?;
    let is_plain = !translated.backtracks;
    is_plain.then(|| regex_syntax::parse(&translated.text).ok())?
}
