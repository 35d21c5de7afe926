//! The keys of an operation that are this generator's own.

use super::operation::IGNORED;
use super::{Reader, node::Node};
use crate::diagnostic::Code;
use serde_json::Value;

/// The keys that an operation may have, all of them flags: whether its requests count against
/// limits, whether its handler gets the request's extensions, whether it gets all its headers, and
/// whether it gets the request as it is.
const FLAGS: &[&str] = &["x-metered", "x-extensions", "x-raw-headers", "x-raw"];

/// The keys that belong elsewhere; an operation that has one means another place.
const ELSEWHERE: &[(&str, &str)] = &[
    ("x-framework-made", "a response or a header"),
    ("x-framework-responses", "the root of the document"),
];

impl<'a> Reader<'a> {
    /// Reports own keys of an operation that are misspelt, misplaced or no flags. Keys of other
    /// tools are theirs.
    pub(super) fn check_own_keys(&mut self, operation: &Node<'a>) {
        let members = operation.value.as_object().into_iter().flatten();
        for (name, value) in members.filter(|(name, _)| name.starts_with("x-")) {
            let at = operation.at.child(name);
            if FLAGS.contains(&name.as_str()) {
                if !value.is_boolean() {
                    let message = format!("`{name}` is true or false");
                    self.found.mended(Code::Invalid, &at, message, IGNORED);
                }
            } else if let Some((_, place)) = ELSEWHERE.iter().find(|(own, _)| own == name) {
                let message = format!("`{name}` means nothing here; it belongs to {place}");
                self.found.warning(Code::UnknownKeyword, &at, message);
            } else if let Some(meant) = FLAGS.iter().find(|own| is_near(name, own)) {
                let message = format!("`{name}` is not a key of this generator");
                let help = format!("`{meant}` is");
                self.found
                    .warning_with_help(Code::UnknownKeyword, &at, message, help);
            }
        }
    }
}

/// The value of a flag.
pub(super) fn flag(operation: &Node<'_>, name: &str, usual: bool) -> bool {
    match operation.value.get(name) {
        Some(Value::Bool(value)) => *value,
        _ => usual,
    }
}

/// Whether a name is another one but for its case, its separators, or up to two letters, but no
/// more than a third of them, that are wrong, missing or too many. A digit is no slip: others number
/// their keys.
fn is_near(name: &str, own: &str) -> bool {
    if name.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let plain = |text: &str| -> Vec<char> {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    let (name, own) = (plain(name), plain(own));
    let slips = (own.len() / 3).min(2);
    // Names much longer or shorter are not measured.
    name.len().abs_diff(own.len()) <= slips && distance(&name, &own) <= slips
}

/// How many letters lie between two texts (Levenshtein).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for ((y, diagonal), above) in b.iter().zip(&row).zip(row.iter().skip(1)) {
            let left = next.last().copied().unwrap_or_default();
            let changed = diagonal + usize::from(x != y);
            next.push(changed.min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn near_is_two_letters_away() {
        for name in [
            "x-raw-header",
            "x-rawHeaders",
            "X-Raw_Headers",
            "x-row-headers",
            "x-rawheader",
        ] {
            assert!(is_near(name, "x-raw-headers"), "{name}");
        }
        for name in ["x-headers", "x-raw", "x-extensible", "x-meta-data"] {
            assert!(!is_near(name, "x-raw-headers"), "{name}");
            assert!(!is_near(name, "x-metered"), "{name}");
        }
        for name in ["x-tag", "x-sdk", "x-id"] {
            assert!(!is_near(name, "x-raw"), "{name}");
        }
        assert!(!is_near("x-extension-1", "x-extensions"));
    }
}
