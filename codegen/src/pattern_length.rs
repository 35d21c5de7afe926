//! How long the texts are that a regular expression matches as a whole.

use crate::pattern_syntax::{self, Dialect};
use regex_syntax::hir::Look;

/// The most bytes of a text that matches; `None` where there may be any number: the pattern is not
/// anchored, repeats something without end, or is no plain one.
pub(crate) fn longest(pattern: &str) -> Option<usize> {
    let translated = pattern_syntax::translate(pattern, Dialect::linear()).ok()?;
    let parsed = regex_syntax::parse(&translated).ok()?;
    let of = parsed.properties();
    let anchored =
        of.look_set_prefix().contains(Look::Start) && of.look_set_suffix().contains(Look::End);
    of.maximum_len().filter(|_| anchored)
}

#[cfg(test)]
mod tests {
    use super::longest;

    #[test]
    fn knows_which_patterns_bound_a_length() {
        for (bounded, length) in [
            ("^[A-Z]{2}$", 2),
            ("^(?:a|bc?)$", 2),
            ("^\\d{1,9}$", 9),
            ("^[0-9a-f]{64}$", 64),
        ] {
            assert_eq!(longest(bounded), Some(length), "{bounded}");
        }
        for open in ["[A-Z]{2}", "^a+$", "^a", "a$", "^a*$|^b$", "(?=a)"] {
            assert_eq!(longest(open), None, "{open}");
        }
    }
}
