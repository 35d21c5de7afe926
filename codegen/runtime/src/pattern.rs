//! Regular expressions as JSON Schema writes them: ECMA-262 with the `u`
//! flag, not anchored (2020-12 Core, §6.4).
//!
//! A pattern is rewritten for the `regex` crate, whose matching takes time
//! linear in the text whatever the pattern. Of what that excludes, look-around
//! at the ends is held against the text by itself; other look-around and
//! back-references do not compile, and the generator says so when it reads the
//! contract.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use regex::Regex;

use super::pattern_quick::Quick;
use super::{pattern_ends, pattern_syntax};

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
pub struct Compiled {
    core: Regex,
    /// A faster way to say the same, where there is one.
    quick: Option<Quick>,
    /// What else is wanted of a text: whether it matches.
    also: Vec<(Regex, bool)>,
}

impl Compiled {
    /// The one expression that says it all, in the syntax of the `regex` crate;
    /// `None` where look-around makes it several.
    #[must_use]
    pub fn single(&self) -> Option<&Regex> {
        self.also.is_empty().then_some(&self.core)
    }

    /// Whether the pattern occurs in `text`.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
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
    let ends = pattern_ends::take_off(source);
    let also = ends.also.iter();
    let also = also.map(|(pattern, wanted)| Ok((regex(pattern)?, *wanted)));
    let also = also.collect::<Result<Vec<_>, String>>()?;
    let core = regex(&ends.core)?;
    let quick = also.is_empty().then(|| Quick::of(core.as_str()));
    Ok(Compiled {
        quick: quick.flatten(),
        core,
        also,
    })
}

fn regex(source: &str) -> Result<Regex, String> {
    let translated = pattern_syntax::translate(source)?;
    Regex::new(&translated).map_err(|error| error.to_string())
}
