//! Doc comments from the descriptions of the document.

mod code;
mod lists;
mod tables;

use lists::Lists;
use proc_macro2::TokenStream;
use quote::quote;
use std::borrow::Cow;

/// A doc comment; nothing for an empty text.
pub(super) fn doc(text: &str) -> TokenStream {
    let lines = lines(text);
    quote!(#(#[doc = #lines])*)
}

/// The lines of a doc comment, each with the space before it.
fn lines(text: &str) -> Vec<String> {
    let mut prose = String::with_capacity(text.len() + 16);
    let mut lists = Lists::default();
    let mut fence = code::Fence::default();
    let lines = tables::lines(text.trim());
    let lines = lines.map(|(line, is_row)| {
        let is_inside = fence.is_open();
        let is_whole = fence.holds(line) || is_row;
        let line = if is_inside {
            Cow::Borrowed(line)
        } else {
            code::with_plain_info(line)
        };
        (line, is_whole)
    });
    for line in lines.flat_map(|(line, is_whole)| wrap(&line, is_whole)) {
        prose.push_str(lists.align(line).trim_end_matches([' ', '\t']));
        prose.push('\n');
    }
    let prose = escape(prose.trim_end_matches('\n'));
    let lines = prose.lines().map(|line| match line {
        "" => String::new(),
        line => format!(" {line}"),
    });
    lines.collect()
}

/// Breaks text at spaces; a line of a table, a list or code is not broken.
fn wrap(line: &str, is_whole: bool) -> Vec<String> {
    const WIDTH: usize = 90;
    let line = line.trim_end();
    let whole = is_whole
        || line.starts_with([' ', '\t', '-', '*', '#', '>', '`'])
        || line.starts_with(|c: char| c.is_ascii_digit());
    if line.len() <= WIDTH || whole {
        return vec![line.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        // A line must not begin with what would make it a list item or a heading.
        let harmless = !code::begins_block(word);
        match lines.last_mut() {
            Some(last) if last.is_empty() => last.push_str(word),
            Some(last) if last.len() + word.len() < WIDTH || !harmless => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// One line of a doc comment, of any text.
pub(super) fn doc_line(text: &str) -> String {
    escape(&text.lines().collect::<Vec<_>>().join(" "))
}

/// Escapes text that rustdoc would read as HTML, as links to items, or as code.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut code = code::ranges(text).into_iter().peekable();
    // What is written as it stands begins here.
    let mut plain = 0;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        while code.next_if(|range| range.end <= at).is_some() {}
        let in_code = code.peek().is_some_and(|range| range.start <= at);
        let was_escaped = is_escaped;
        is_escaped = c == '\\' && !in_code && !was_escaped;
        let escaped = match c {
            '\n' => continue,
            '<' | '>' | '[' | ']' | '`' if !in_code && !was_escaped => {
                out.push_str(text.get(plain..at).unwrap_or_default());
                out.push('\\');
                plain = at;
                continue;
            }
            // rustc allows no bare carriage return in a comment, nor what turns text around in it;
            // nobody can see the others.
            c if c.is_control() || turns_text(c) => c.escape_default(),
            _ => continue,
        };
        out.push_str(text.get(plain..at).unwrap_or_default());
        out.extend(escaped);
        plain = at + c.len_utf8();
    }
    out.push_str(text.get(plain..).unwrap_or_default());
    out
}

/// Whether a character changes the direction of the text after it: a comment could show other code
/// than there is.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{doc_line, escape};

    fn doc(text: &str) -> String {
        super::lines(text).join("\n")
    }

    #[test]
    fn comments_hold_nothing_that_hides_code() {
        let text = "a\u{202e}b\u{2066}c\rd\ne `\u{2069}`";
        let line = r"a\u{202e}b\u{2066}c\rd e `\u{2069}`";
        assert_eq!(doc_line(text), line);
    }
    #[test]
    fn only_code_is_left_as_it_is() {
        let text = r"Don`t pass [foo] or <bar>";
        assert_eq!(escape(text), r"Don\`t pass \[foo\] or \<bar\>");
        assert_eq!(escape(r"`[foo]` or \[bar\]"), r"`[foo]` or \[bar\]");
        assert_eq!(
            escape("`a\n[b]` [c]\n\n`[d]"),
            "`a\n[b]` \\[c\\]\n\n\\`\\[d\\]"
        );
    }

    #[test]
    fn a_table_without_bars_around_it_stays_one() {
        let cell = "word ".repeat(20);
        let text = format!("name | meaning\n---- | ----\n`a | {cell}<b>` [c]\n\nafter");
        let doc = doc(&text);
        let row = format!("\n \\`a | {cell}\\<b\\>\\` \\[c\\]\n\n after");
        assert!(doc.contains(&row), "{doc}");
    }

    #[test]
    fn lines_of_fenced_code_stay_whole() {
        let line = "let sum = one + two; ".repeat(6);
        let line = line.trim_end();
        let text = format!("Such as:\n\n```rust\n{line}\n```\n\n{line}");
        let doc = doc(&text);
        assert_eq!(doc.matches(line).count(), 1, "{doc}");
    }

    #[test]
    fn a_fence_names_a_language_or_nothing() {
        for (info, plain) in [
            ("json [Example]", "json"),
            ("{\"a\": 1}", "text"),
            (" http://x/y?a=[1]", "text"),
            ("c++", "c++"),
            ("", ""),
        ] {
            let doc = doc(&format!("A:\n\n```{info}\n1\n```"));
            let expected = format!("A:\n\n ```{plain}\n 1\n ```");
            assert!(doc.contains(&expected), "{doc}");
        }
    }

    #[test]
    fn a_row_right_below_an_item_is_more_of_it() {
        let doc = doc("- item\n| a | b |\n|---|---|\n| c | d |");
        assert!(
            doc.contains(" - item\n   | a | b |\n   |---|---|\n   | c | d |"),
            "{doc}"
        );
    }

    #[test]
    fn a_span_may_be_broken_between_lines() {
        let words = "word ".repeat(16);
        let text = format!("{words}`name [and] value pairs` of a [map]");
        let doc = doc(&text);
        let expected = format!("{words}`name\n [and] value pairs` of a \\[map\\]");
        assert!(doc.contains(&expected), "{doc}");
    }
}
