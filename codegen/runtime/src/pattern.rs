//! Regular expressions as JSON Schema writes them: ECMA-262 with the `u`
//! flag, not anchored (2020-12 Core, §6.4).
//!
//! A pattern is rewritten for the `regex` crate, whose matching takes time
//! linear in the text whatever the pattern. What that excludes, look-around
//! and back-references, does not compile; the generator says so when it reads
//! the contract.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use regex::Regex;

use super::pattern_syntax;

/// A pattern that is compiled when it is first used.
pub struct Pattern {
    source: Cow<'static, str>,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern of the contract, for a `static`.
    #[must_use]
    pub const fn new(source: &'static str) -> Self {
        Self {
            source: Cow::Borrowed(source),
            regex: OnceLock::new(),
        }
    }

    /// A pattern that was read at run time.
    #[must_use]
    pub const fn owned(source: String) -> Self {
        Self {
            source: Cow::Owned(source),
            regex: OnceLock::new(),
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
        let regex = self.regex.get_or_init(|| compile(&self.source).ok());
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

/// Compiles an ECMA-262 pattern.
///
/// # Errors
/// What is wrong with the pattern, or which construct cannot be expressed.
pub fn compile(source: &str) -> Result<Regex, String> {
    let translated = pattern_syntax::translate(source)?;
    Regex::new(&translated).map_err(|error| error.to_string())
}
