//! Tables: a row of heads, a row of hyphens, and rows until a blank line (GitHub Flavored
//! Markdown §4.10). The bars around a row may be left out.
//!
//! A text that only looks like a table is taken for one: nothing of it is lost, its lines stay as they
//! are, and no code goes on from one of them to the next.

use std::iter;
use std::ops::Range;

/// The lines of a text, with their breaks, and whether each may be a row of a table.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut lines = text.split_inclusive('\n').peekable();
    let mut is_open = false;
    iter::from_fn(move || {
        let line = lines.next()?;
        let begins = line.contains('|') && lines.peek().is_some_and(|next| is_rule(next));
        is_open = begins || (is_open && !content(line).is_empty());
        Some((line, is_open || line.trim_start().starts_with('|')))
    })
}

/// The cells of a row, between bars that no backslash stands before.
pub(super) fn cells(row: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let mut is_escaped = false;
    let bars = row.char_indices().filter(move |(_, c)| {
        let is_bar = *c == '|' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_bar
    });
    let ends = bars.map(|(at, _)| at).chain([row.len()]);
    ends.map(move |end| {
        let cell = start..end;
        start = end;
        cell
    })
}

/// Whether a line is one of hyphens, such as `--- | :-:`.
fn is_rule(line: &str) -> bool {
    let text = content(line);
    let is_of_it = |c: char| c.is_whitespace() || "-:|".contains(c);
    text.contains('|') && text.contains('-') && text.chars().all(is_of_it)
}

/// A line without the marks of the quotes that it is in.
fn content(line: &str) -> &str {
    let marks = |c: char| c.is_whitespace() || c == '>';
    line.trim_start_matches(marks).trim_end()
}

#[cfg(test)]
mod tests {
    use super::{cells, lines};

    /// The rows of a text.
    fn rows(text: &str) -> Vec<&str> {
        let rows = lines(text).filter(|(_, is_row)| *is_row);
        rows.map(|(line, _)| line.trim_end()).collect()
    }

    #[test]
    fn a_table_needs_no_bars_around_it() {
        assert_eq!(
            rows("a\n\nb | c\n:-- | --\nd | e\nf\n\ng | h\n"),
            ["b | c", ":-- | --", "d | e", "f"]
        );
        assert_eq!(
            rows("> a | b\n> - | -\n> c\n>\n> d"),
            ["> a | b", "> - | -", "> c"]
        );
        assert_eq!(rows("a\n| b |\nc"), ["| b |"]);
    }

    #[test]
    fn a_bar_alone_makes_no_table() {
        for text in [
            "a | b\nc | d",
            "a | b\n---\nc",
            "a\n- | -",
            "a | b\n\n- | -",
        ] {
            assert_eq!(rows(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_bar_behind_a_backslash_parts_no_cells() {
        let row = r"a \| b | c \\| d";
        let cells: Vec<&str> = cells(row).filter_map(|cell| row.get(cell)).collect();
        assert_eq!(cells, [r"a \| b ", r"| c \\", "| d"]);
    }
}
