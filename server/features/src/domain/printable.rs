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

/// Whether a character is not to be shown as it is: a control character, a separator of lines or paragraphs, an
/// override or isolate of the direction of text, or another that is invisible (Default_Ignorable_Code_Point). Joiners
/// and variation selectors are printable: words and emoji have them.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}')
        || is_ignorable(c) && !is_joiner_or_variation(c)
}

/// Whether a text has a character that can be seen.
pub fn is_visible(text: &str) -> bool {
    // U+2800 is a Braille pattern without dots.
    let is_blank = |c: char| c.is_whitespace() || is_ignorable(c) || c == '\u{2800}';
    text.chars().any(|c| !is_blank(c) && !is_unprintable(c))
}

/// The property Default_Ignorable_Code_Point of Unicode 16, and the marks of interlinear annotations.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn is_joiner_or_variation(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_unprintable() {
        for c in "\u{2028}\u{2029}\u{200b}\u{ad}\u{feff}\u{3164}\u{e0041}\u{200e}\u{2060}\u{fff9}"
            .chars()
        {
            assert!(is_unprintable(c), "{}", c.escape_unicode());
        }
        // As Persian words and emoji have them.
        for text in ["می\u{200c}خواهم", "❤\u{fe0f}", "👩\u{200d}🚀"] {
            assert!(
                !text.chars().any(is_unprintable) && is_visible(text),
                "{text}"
            );
        }
        for text in ["", " ", "\u{2800}", "\u{200d}", "\u{fe0f} \u{a0}"] {
            assert!(!is_visible(text), "{}", text.escape_unicode());
        }
    }

    #[test]
    fn what_acts_on_a_terminal_is_escaped() {
        let check = |text: &str, shown: &str| assert_eq!(printable(text), shown);
        check("Zürich — بنك 日本", "Zürich — بنك 日本");
        check("\u{1b}[2J\u{7}", "\\u{1b}[2J\\u{7}");
        check("a\r\nb\u{9b}1m", "a\\u{d}\\u{a}b\\u{9b}1m");
        check("\u{202e}gpj", "\\u{202e}gpj");
        check("a\u{2028}b\u{200b}", "a\\u{2028}b\\u{200b}");
        assert_eq!(printable_lines("a\nb\u{1b}"), "a\nb\\u{1b}");
    }
}
