//! Lists: a line that continues an item stands below its text, as Markdown reads it anyhow and
//! clippy wants it written.

/// The lists that are open at a line.
#[derive(Default)]
pub(super) struct Lists {
    /// Where the text of each open item begins, in columns; the innermost last.
    items: Vec<usize>,
    /// Whether the line before was blank.
    blank: bool,
    /// Whether the line is within a fence of code.
    fenced: bool,
}

impl Lists {
    /// A line as it is to be written.
    pub(super) fn align(&mut self, line: String) -> String {
        let aligned = match self.text_of(&line) {
            Some((indent, text)) if text.len() < line.len() || indent > 0 => {
                format!("{:indent$}{text}", "")
            }
            _ => line,
        };
        self.blank = aligned.trim().is_empty();
        aligned
    }

    /// The text of a line that continues an item, and the column that it belongs at.
    fn text_of<'l>(&mut self, line: &'l str) -> Option<(usize, &'l str)> {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if text.starts_with("```") || text.starts_with("~~~") {
            self.fenced = !self.fenced;
            return None;
        }
        if self.fenced || text.is_empty() {
            return None;
        }
        if let Some(width) = marker(text) {
            self.close(indent);
            self.items.push(indent + width);
            return None;
        }
        if self.blank {
            self.close(indent);
        }
        let own = *self.items.last()?;
        let is_code = self.blank && indent >= own + 4;
        // A row right below an item is more of its text.
        let is_row = text.starts_with('|') && self.blank;
        let is_block = is_row || text.starts_with(['#', '>', '\t']);
        (!is_code && !is_block).then_some((own, text))
    }

    /// Closes the items whose text begins behind a column.
    fn close(&mut self, indent: usize) {
        while self.items.last().is_some_and(|own| indent < *own) {
            self.items.pop();
        }
    }
}

/// How wide the marker of a list's item is, with the space behind it.
fn marker(text: &str) -> Option<usize> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text.get(digits..)?;
    let is_marker = match digits {
        0 => rest.starts_with(['-', '*', '+']),
        1..=9 => rest.starts_with(['.', ')']),
        _ => false,
    };
    let behind = rest.get(1..).filter(|_| is_marker)?;
    let spaces = behind.len() - behind.trim_start_matches(' ').len();
    match spaces {
        0 => None,
        // More is code within the item.
        5.. => Some(digits + 2),
        spaces => Some(digits + 1 + spaces),
    }
}

#[cfg(test)]
mod tests {
    use super::Lists;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut lists = Lists::default();
        let lines = text.lines().map(|line| lists.align(line.to_owned()));
        assert_eq!(lines.collect::<Vec<_>>().join("\n"), expected);
    }

    #[test]
    fn what_continues_an_item_stands_below_its_text() {
        check("- a\n   b\nc", "- a\n  b\n  c");
        check("12. a\n  b\n  - c\nd", "12. a\n    b\n  - c\n    d");
        check("a\n   b", "a\n   b");
    }

    #[test]
    fn a_blank_line_ends_what_does_not_reach_it() {
        check("- a\n  - b\n\n   c\n\nd\n e", "- a\n  - b\n\n  c\n\nd\n e");
    }

    #[test]
    fn code_stays() {
        check("- a\n\n      code\n", "- a\n\n      code");
        check("- a\n```\n    x\n```\nb", "- a\n```\n    x\n```\n  b");
    }
}
