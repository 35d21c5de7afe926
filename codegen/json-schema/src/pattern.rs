//! Regular expressions as JSON Schema writes them: ECMA-262 with the `u`
//! flag, not anchored (2020-12 Core, §6.4).
//!
//! A pattern is rewritten for the `regex` crate, whose matching takes time
//! linear in the text whatever the pattern. Of what that excludes, look-around
//! at the ends is held against the text by itself, and with look-around
//! elsewhere the text goes through the states of the pattern. For
//! back-references a contract that has them brings an engine that backtracks,
//! within bounds.

mod backtrack;
pub mod ends;
mod groups;
mod look;
mod places;
mod quick;
mod references;
mod repeated;
mod runs;
mod states;
pub mod syntax;
mod table;

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use regex::Regex;

use crate::pattern::backtrack::Engine;
use crate::pattern::look::Around;
use crate::pattern::quick::Quick;
use crate::pattern::repeated::Repeated;
use crate::pattern::syntax::Dialect;

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
pub struct Compiled(Way);

#[derive(Debug)]
enum Way {
    Linear(Linear),
    Repeated(Repeated),
    Around(Around),
    Backtracking(Engine),
}

/// A pattern that is matched in linear time.
#[derive(Debug)]
struct Linear {
    core: Regex,
    /// A faster way to say the same, where there is one.
    quick: Option<Quick>,
    /// What else is wanted of a text: whether it matches.
    also: Vec<(Regex, bool)>,
}

impl Compiled {
    /// The one expression that says it all, in the syntax of the `regex` crate;
    /// `None` where look-around makes it several, or none.
    #[must_use]
    pub fn single(&self) -> Option<&Regex> {
        match &self.0 {
            Way::Linear(linear) if linear.also.is_empty() => Some(&linear.core),
            _ => None,
        }
    }

    /// Whether it takes the engine that backtracks.
    #[must_use]
    pub const fn backtracks(&self) -> bool {
        matches!(self.0, Way::Backtracking(_))
    }

    /// Whether the pattern occurs in `text`. Where it takes the engine that
    /// backtracks, it occurs in no text that takes that too long to tell.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match &self.0 {
            Way::Linear(linear) => linear.is_match(text),
            Way::Repeated(repeated) => repeated.is_match(text),
            Way::Around(around) => around.is_match(text),
            Way::Backtracking(engine) => engine.is_match(text),
        }
    }
}

impl Linear {
    fn is_match(&self, text: &str) -> bool {
        if let Some(quick) = &self.quick {
            return quick.is_match(text);
        }
        let wanted = |(regex, wanted): &(Regex, bool)| regex.is_match(text) == *wanted;
        self.core.is_match(text) && self.also.iter().all(wanted)
    }
}

/// Compiles an ECMA-262 pattern.
///
/// # Errors
/// What is wrong with the pattern, or which construct cannot be expressed.
pub fn compile(source: &str) -> Result<Compiled, String> {
    let refusal = match linear(source) {
        Ok(linear) => return Ok(Compiled(Way::Linear(linear))),
        Err(refusal) => refusal,
    };
    if let Some(repeated) = Repeated::of(source) {
        return Ok(Compiled(Way::Repeated(repeated)));
    }
    if let Ok(around) = look::compile(source) {
        return Ok(Compiled(Way::Around(around)));
    }
    let engine = backtrack::compile(source);
    let engine = engine.unwrap_or(Err(refusal))?;
    Ok(Compiled(Way::Backtracking(engine)))
}

fn linear(source: &str) -> Result<Linear, String> {
    let ends = ends::take_off(source);
    let also = ends.also.iter();
    let also = also.map(|(pattern, wanted)| Ok((regex(pattern)?, *wanted)));
    let also = also.collect::<Result<Vec<_>, String>>()?;
    let core = regex(&ends.core)?;
    let quick = also.is_empty().then(|| Quick::of(core.as_str()));
    Ok(Linear {
        quick: quick.flatten(),
        core,
        also,
    })
}

fn regex(source: &str) -> Result<Regex, String> {
    let translated = syntax::translate(source, Dialect::linear())?;
    Regex::new(&translated).map_err(|error| error.to_string())
}
