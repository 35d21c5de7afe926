//! Literal beginnings and ends of the texts that match a pattern.

use json_schema::pattern::Pattern;

/// Whether a text may match both patterns, judged by their literal beginnings and ends.
pub(super) fn may_match_both(one: &Pattern, other: &Pattern) -> bool {
    let (one_source, other_source) = (one.source(), other.source());
    if let Some(text) = only(one_source) {
        return other.is_match(text);
    }
    if let Some(text) = only(other_source) {
        return one.is_match(text);
    }
    let (begins, begins_other) = (beginning(one_source), beginning(other_source));
    let (ends, ends_other) = (ending(one_source), ending(other_source));
    (begins.starts_with(begins_other) || begins_other.starts_with(begins))
        && (ends.ends_with(ends_other) || ends_other.ends_with(ends))
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '@')
}

/// The only text that matches a pattern, if there is one.
fn only(source: &str) -> Option<&str> {
    let text = source.strip_prefix('^')?.strip_suffix('$')?;
    text.chars().all(is_plain).then_some(text)
}

/// The literal text with which every match begins.
fn beginning(source: &str) -> &str {
    let Some(rest) = source.strip_prefix('^').filter(|rest| !rest.contains('|')) else {
        return "";
    };
    let end = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
    let (plain, rest) = rest.split_at(end);
    // A quantifier belongs to the character before it.
    match plain.char_indices().next_back() {
        Some((last, _)) if rest.starts_with(['?', '*', '{']) => {
            plain.get(..last).unwrap_or_default()
        }
        _ => plain,
    }
}

/// The literal text with which every match ends.
fn ending(source: &str) -> &str {
    let Some(rest) = source.strip_suffix('$').filter(|rest| !rest.contains('|')) else {
        return "";
    };
    let plain = rest.trim_end_matches(is_plain);
    // A character after a backslash has another meaning.
    match plain.ends_with('\\') {
        true => "",
        false => rest.get(plain.len()..).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{beginning, ending, may_match_both};
    use json_schema::pattern::Pattern;

    #[test]
    fn the_beginning_is_what_all_matches_begin_with() {
        for (source, wanted) in [
            ("^file_", "file_"),
            ("^file", "file"),
            ("^files?$", "file"),
            ("^n_[0-9]+$", "n_"),
            ("^ab{2}", "a"),
            ("^ab+", "ab"),
            ("^a|b", ""),
            ("file", ""),
            ("^(a)", ""),
            (r"^\d", ""),
        ] {
            assert_eq!(beginning(source), wanted, "{source}");
        }
    }

    #[test]
    fn the_ending_is_what_all_matches_end_with() {
        for (source, wanted) in [
            ("_id$", "_id"),
            ("^[a-z]+_id$", "_id"),
            ("a?b$", "b"),
            ("ab?$", ""),
            ("a|b$", ""),
            ("_id", ""),
            (r"\d_id$", ""),
            (r"\u0041b$", ""),
            (r"a\$", ""),
            ("(a)$", ""),
        ] {
            assert_eq!(ending(source), wanted, "{source}");
        }
    }

    #[test]
    fn patterns_that_begin_or_end_differently_have_no_text_in_common() {
        for (one, other, wanted) in [
            ("_id$", "_name$", false),
            ("^a_", "^b_", false),
            ("^a_", "_id$", true),
            ("_id$", "id$", true),
            ("^abc$", "^abcd", false),
            ("^abc$", "c$", true),
            ("^abc$", "^[0-9]+$", false),
            ("^n_.*_id$", "^n_.*_name$", false),
        ] {
            let both = [(one, other), (other, one)];
            for (one, other) in both.map(|(one, other)| (own(one), own(other))) {
                assert_eq!(may_match_both(&one, &other), wanted, "{one:?} {other:?}");
            }
        }
    }

    fn own(source: &str) -> Pattern {
        Pattern::owned(source.to_owned())
    }
}
