//! Code: text within it is neither a link nor HTML.

use super::tables;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// Where a text of Markdown has code, with its backticks, and backticks that are none of a span's: fenced blocks
/// and spans (CommonMark §4.5, §6.1).
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.contains('`') && !text.contains("~~~") {
        return found;
    }
    let mut at = 0;
    // The lines that a span may go on over, and the fence that is open.
    let (mut section, mut open) = (0..0, None);
    for (line, is_row) in tables::lines(text) {
        let own = at..at + line.len();
        at = own.end;
        if let Some((fence, begun)) = open {
            if closes(line, fence) {
                found.push(begun..own.end);
                open = None;
            }
            section = own.end..own.end;
            continue;
        }
        let fence = fence(line);
        if is_row || begins_block(line) {
            spans(text, section, &mut found);
            section = own.clone();
        }
        match fence {
            // Only of one that nothing encloses is it certain where it ends.
            Some(fence) if line.starts_with(fence) => open = Some((fence, own.start)),
            Some(fence) => {
                let start = own.start + line.find(fence).unwrap_or_default();
                found.push(start..start + fence.len());
                section = own.end..own.end;
            }
            None => section.end = own.end,
        }
        if is_row && !section.is_empty() {
            for cell in tables::cells(line) {
                spans(
                    text,
                    own.start + cell.start..own.start + cell.end,
                    &mut found,
                );
            }
            section = own.end..own.end;
        } else if line.trim_start().starts_with('#') {
            spans(text, section, &mut found);
            section = own.end..own.end;
        }
    }
    match open {
        Some((_, begun)) => found.push(begun..text.len()),
        None => spans(text, section, &mut found),
    }
    found
}

/// The fence that a text is behind, line by line; one that a list or a quote encloses is passed over.
#[derive(Default)]
pub(super) struct Fence<'t>(Option<&'t str>);

impl<'t> Fence<'t> {
    /// Whether there is one.
    pub(super) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Whether the next line is of fenced code, its fences included.
    pub(super) fn holds(&mut self, line: &'t str) -> bool {
        match self.0 {
            Some(open) => {
                self.0 = Some(open).filter(|open| !closes(line, open));
                true
            }
            None => {
                self.0 = fence(line).filter(|fence| line.starts_with(fence));
                self.0.is_some()
            }
        }
    }
}

/// A line whose fence names the language in one plain word, as rustdoc reads it: other words behind a fence are
/// for other readers.
pub(super) fn with_plain_info(line: &str) -> Cow<'_, str> {
    let Some(fence) = fence(line) else {
        return Cow::Borrowed(line);
    };
    let end = line.find(fence).unwrap_or_default() + fence.len();
    let (head, info) = line.split_at_checked(end).unwrap_or((line, ""));
    let word = info.split_whitespace().next().unwrap_or_default();
    let is_plain = word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_+#".contains(c));
    match word {
        "" => Cow::Borrowed(line),
        _ if is_plain && info.trim() == word => Cow::Borrowed(line),
        _ if is_plain => Cow::Owned(format!("{head}{word}")),
        _ => Cow::Owned(format!("{head}text")),
    }
}

/// Whether a line may be anything but more of a paragraph.
pub(super) fn begins_block(line: &str) -> bool {
    let text = line.trim_start();
    text.is_empty()
        || text.starts_with(|c: char| c.is_ascii_digit() || "#>|-*+=~_<:".contains(c))
        || text.starts_with("```")
        || text.starts_with("[^")
}

/// The fence that opens a block of code.
fn fence(line: &str) -> Option<&str> {
    // It may begin what a list or a quote holds.
    let text = line.trim_start_matches(|c: char| {
        c.is_whitespace() || c.is_ascii_digit() || "-*+>.)".contains(c)
    });
    let text = text.trim_end();
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let behind = text.trim_start_matches(mark);
    let fence = text.get(..text.len() - behind.len())?;
    let is_span = mark == '`' && behind.contains('`');
    (fence.len() >= 3 && !is_span).then_some(fence)
}

/// Whether a line ends the block that a fence has opened.
fn closes(line: &str, fence: &str) -> bool {
    let text = line.trim();
    let is_indented = line.len() - line.trim_start().len() > 3;
    let behind = text.strip_prefix(fence).filter(|_| !is_indented);
    behind.is_some_and(|rest| rest.bytes().all(|b| fence.as_bytes().contains(&b)))
}

/// Adds the spans of one section: each ends at the next run of as many backticks.
fn spans(text: &str, section: Range<usize>, found: &mut Vec<Range<usize>>) {
    let end = section.end;
    let text = text.get(section).unwrap_or_default();
    // How much text there is behind the last run of each length.
    let last: BTreeMap<usize, usize> = runs(text).collect();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '\\']) {
        let begun = rest.get(at..).unwrap_or_default();
        rest = begun.trim_start_matches('`');
        let length = begun.len() - rest.len();
        if length == 0 {
            // What a backslash stands before is itself.
            let mut behind = begun.chars();
            behind.nth(1);
            rest = behind.as_str();
        } else if last.get(&length).is_some_and(|behind| *behind < rest.len()) {
            let closing = runs(rest).find(|(other, _)| *other == length);
            let behind = closing.map_or(0, |(_, behind)| behind);
            found.push(end - begun.len()..end - behind);
            rest = rest.get(rest.len() - behind..).unwrap_or_default();
        }
    }
}

/// The runs of backticks in a text: how long each is, and how much text there is behind it.
fn runs(mut rest: &str) -> impl Iterator<Item = (usize, usize)> {
    std::iter::from_fn(move || {
        let run = rest.get(rest.find('`')?..)?;
        rest = run.trim_start_matches('`');
        Some((run.len() - rest.len(), rest.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::ranges;
    use std::time::Instant;

    /// The code in a text.
    fn code(text: &str) -> Vec<&str> {
        let found = ranges(text).into_iter();
        found.map(|range| text.get(range).unwrap_or("?")).collect()
    }

    #[test]
    fn a_span_ends_at_a_run_of_its_length() {
        assert_eq!(code("a `b` c ``d ` e`` f"), ["`b`", "``d ` e``"]);
        assert_eq!(code("Don`t pass ``this ``"), ["``this ``"]);
        assert_eq!(code(r"\`a `b` \\`c`"), ["`b`", "`c`"]);
        assert_eq!(code("`` ` ```"), Vec::<&str>::new());
    }

    #[test]
    fn a_span_stays_within_its_paragraph() {
        assert_eq!(code("a `b\nc` d"), ["`b\nc`"]);
        assert_eq!(code("- a `b\n  c` d"), ["`b\n  c`"]);
        for text in [
            "a `b\n\nc` d",
            "- a `b\n- c` d",
            "# a `b\nc` d",
            "a `b\n> c` d",
        ] {
            assert_eq!(code(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_span_stays_within_its_cell() {
        let bars = "| a `b | c` | `d` |\n|---|---|---|\n| `e \\| f` | `g |\n| h` | |";
        assert_eq!(code(bars), ["`d`", "`e \\| f`"]);
        let none = "a `b\n\nc `d | e` | `f`\n- | - | -\n`g | h\ni` | `j`\n\nk";
        assert_eq!(code(none), ["`f`", "`j`"]);
    }

    #[test]
    fn what_is_fenced_is_code() {
        assert_eq!(
            code("a `b\n```x\nc` d\n```\ne` `f`"),
            ["```x\nc` d\n```\n", "` `"]
        );
        assert_eq!(code("~~~\n```\n~~~~\n`a`"), ["~~~\n```\n~~~~\n", "`a`"]);
        assert_eq!(code("```\na"), ["```\na"]);
        assert_eq!(code("- a\n  ```\n  b` c\n  ```\n"), ["```", "```"]);
        assert_eq!(code("- ```json\n  {}\n  ```\n"), ["```", "```"]);
        assert_eq!(code("a\n\t```\nb"), ["```"]);
        assert_eq!(code("```\n    ```\n```\nb"), ["```\n    ```\n```\n"]);
    }

    #[test]
    fn runs_of_many_lengths_are_looked_for_once() {
        let text: String = (1..2000)
            .map(|length| format!("{} ", "`".repeat(length)))
            .collect();
        let start = Instant::now();
        assert_eq!(code(&text), Vec::<&str>::new());
        // Were each run looked for in all that follows it, this would take half a minute.
        let spent = start.elapsed();
        assert!(spent.as_secs() < 8, "{spent:?}");
    }
}
