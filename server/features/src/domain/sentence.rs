//! Sentences that people write to each other: reasons and answers.

use super::printable::{is_unprintable, is_visible};

/// The most characters.
const MAX_CHARS: usize = 500;

/// The text is empty, too long, or not on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write a sentence of at most {MAX_CHARS} characters, on one line")]
pub struct SentenceError;

/// The text without spaces around it.
///
/// # Errors
/// When it is empty or too long, or has control characters, such as line feeds.
pub fn checked(text: &str) -> Result<String, SentenceError> {
    let text = text.trim();
    let is_sentence =
        text.chars().count() <= MAX_CHARS && is_visible(text) && !text.chars().any(is_unprintable);
    is_sentence.then(|| text.to_owned()).ok_or(SentenceError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_one_line_of_some_length() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(checked(text).ok().as_deref(), expected, "{text}");
        };
        check(" We grow. ", Some("We grow."));
        check(" ", None);
        check("a\r\nBcc: b@example.org", None);
        check("a\u{202e}b", None);
        check(&"ä".repeat(500), Some(&"ä".repeat(500)));
        check(&"ä".repeat(501), None);
    }
}
