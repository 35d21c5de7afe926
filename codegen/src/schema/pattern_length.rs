//! How long the texts are that a regular expression matches as a whole.

use json_schema::pattern::parse;
use regex_syntax::hir::{Hir, HirKind, Look};

/// The most bytes of a text that matches; `None` where there may be any number: the pattern is not
/// anchored, repeats something without end, or is no plain one.
pub(crate) fn longest(pattern: &str) -> Option<usize> {
    let parsed = parse(pattern)?;
    let of = parsed.properties();
    let anchored =
        of.look_set_prefix().contains(Look::Start) && of.look_set_suffix().contains(Look::End);
    of.maximum_len().filter(|_| anchored)
}

/// The fewest characters of a text that a pattern matches; `None` of what is no plain one.
pub(crate) fn shortest(pattern: &str) -> Option<usize> {
    parse(pattern).as_ref().map(least)
}

/// The parser bounds how deeply expressions are nested.
fn least(of: &Hir) -> usize {
    match of.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(text) => {
            std::str::from_utf8(&text.0).map_or(0, |text| text.chars().count())
        }
        HirKind::Class(_) => 1,
        HirKind::Repetition(repeated) => {
            let times = usize::try_from(repeated.min).unwrap_or(usize::MAX);
            least(&repeated.sub).saturating_mul(times)
        }
        HirKind::Capture(capture) => least(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(least).fold(0, usize::saturating_add),
        HirKind::Alternation(parts) => parts.iter().map(least).min().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{longest, shortest};

    #[test]
    fn knows_the_fewest_characters() {
        for (pattern, length) in [
            ("^[a-z0-9]+$", 1),
            ("^AC[0-9a-fA-F]{32}$", 34),
            ("ab|c", 1),
            ("^é{2,}", 2),
            ("^(ab)?c*$", 0),
            ("", 0),
        ] {
            assert_eq!(shortest(pattern), Some(length), "{pattern}");
        }
        assert_eq!(shortest("(?=a)"), None);
    }

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
