//! Text of others in messages: characters that would act on a terminal or a log are escaped.

use std::borrow::Cow;

/// The text on one line, its control characters and those that change the direction of text escaped, as
/// in `\u{1b}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_unprintable) {
        let escaped = text.chars().flat_map(|c| {
            let (shown, escaped) = match is_unprintable(c) {
                true => (None, Some(c.escape_unicode())),
                false => (Some(c), None),
            };
            shown.into_iter().chain(escaped.into_iter().flatten())
        });
        Cow::Owned(escaped.collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The same, of each line of a text.
pub fn printable_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(printable).collect();
    lines.join("\n")
}

/// Whether a character is not to be shown as it is: a control character (C0, C1), or an override or isolate
/// of the direction of text.
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_escaped() {
        let check = |text: &str, shown: &str| assert_eq!(printable(text), shown);
        check("Zürich — بنك 日本", "Zürich — بنك 日本");
        check("\u{1b}[2J\u{7}", "\\u{1b}[2J\\u{7}");
        check("a\r\nb\u{9b}1m", "a\\u{d}\\u{a}b\\u{9b}1m");
        check("\u{202e}gpj", "\\u{202e}gpj");
        assert_eq!(printable_lines("a\nb\u{1b}"), "a\nb\\u{1b}");
    }
}
