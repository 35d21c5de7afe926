//! The lengths of the texts that a pattern matches.

use crate::pattern::parse;
use regex_syntax::hir::Look;

/// The most bytes of a text that matches; `None` if there is no limit: the pattern is not anchored, repeats
/// something without end, or does not compile.
#[must_use]
pub fn longest(pattern: &str) -> Option<usize> {
    let parsed = parse(pattern)?;
    let of = parsed.properties();
    let anchored =
        of.look_set_prefix().contains(Look::Start) && of.look_set_suffix().contains(Look::End);
    of.maximum_len().filter(|_| anchored)
}

#[cfg(test)]
mod tests {
    use super::longest;

    #[test]
    fn an_anchored_pattern_without_endless_repetition_has_a_longest_text() {
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
