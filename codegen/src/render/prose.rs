//! Prose of the document as comments of Rust.

mod lists;

use lists::Lists;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// A doc comment; nothing for an empty text.
pub(super) fn doc(text: &str) -> TokenStream {
    let mut lines = String::with_capacity(text.len() + 16);
    let mut lists = Lists::default();
    for (index, line) in text.trim().lines().flat_map(wrap).enumerate() {
        if index > 0 {
            lines.push('\n');
        }
        lines.push(' ');
        escape_doc(&lists.align(line), &mut lines);
        lines.truncate(lines.trim_end_matches([' ', '\t']).len());
    }
    if lines.is_empty() {
        return TokenStream::new();
    }
    let lines = raw(&lines);
    quote!(#[doc = #lines])
}

/// A string as it stands, where that can be said: nothing of it is escaped then, and nothing read back.
fn raw(text: &str) -> Literal {
    let plain = !text.contains("\"#");
    let literal = plain.then(|| format!("r#\"{text}\"#").parse().ok());
    literal.flatten().unwrap_or_else(|| Literal::string(text))
}

/// Breaks prose at spaces; what Markdown takes by the line (tables, code, lists) stays whole.
fn wrap(line: &str) -> Vec<String> {
    const WIDTH: usize = 90;
    let line = line.trim_end();
    let whole = line.starts_with(['|', ' ', '\t', '-', '*', '#', '>', '`'])
        || line.starts_with(|c: char| c.is_ascii_digit());
    if line.len() <= WIDTH || whole {
        return vec![line.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        // A line must not begin with what would make it a list item or a heading.
        let harmless =
            word.starts_with(|c: char| c.is_alphabetic() || matches!(c, '`' | '(' | '"'));
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

/// One line of a doc comment, whatever the text.
pub(super) fn doc_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    escape_doc(&text.lines().collect::<Vec<_>>().join(" "), &mut line);
    line
}

/// Keeps rustdoc from reading prose as HTML or as links to items.
fn escape_doc(line: &str, out: &mut String) {
    let mut in_code = false;
    // What is written as it stands begins here.
    let mut plain = 0;
    for (at, c) in line.char_indices() {
        let escaped = match c {
            '`' => {
                in_code = !in_code;
                continue;
            }
            '<' | '>' | '[' | ']' if !in_code => {
                out.push_str(line.get(plain..at).unwrap_or_default());
                out.push('\\');
                plain = at;
                continue;
            }
            // rustc allows no bare carriage return in a comment, nor what turns text around in it;
            // nobody can see the others.
            c if c.is_control() || turns_text(c) => c.escape_default(),
            _ => continue,
        };
        out.push_str(line.get(plain..at).unwrap_or_default());
        out.extend(escaped);
        plain = at + c.len_utf8();
    }
    out.push_str(line.get(plain..).unwrap_or_default());
}

/// Whether a character changes the direction of the text after it: a comment could show other code
/// than there is.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::doc_line;

    #[test]
    fn comments_hold_nothing_that_hides_code() {
        let text = "a\u{202e}b\u{2066}c\rd\ne `\u{2069}`";
        let line = r"a\u{202e}b\u{2066}c\rd e `\u{2069}`";
        assert_eq!(doc_line(text), line);
    }
}
