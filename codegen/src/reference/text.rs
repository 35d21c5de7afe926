//! Markdown, piece by piece.

/// A heading with empty lines around it.
pub(super) fn heading(out: &mut String, level: usize, text: &str) {
    out.push('\n');
    out.push_str(&"#".repeat(level));
    out.push(' ');
    out.push_str(&cell(text));
    out.push('\n');
}

/// A paragraph after an empty line; nothing for no text.
pub(super) fn paragraph(out: &mut String, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        out.push('\n');
        out.push_str(text);
        out.push('\n');
    }
}

/// A line of a table; the cells are Markdown already.
pub(super) fn row<const N: usize>(out: &mut String, cells: [&str; N]) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(cell);
        out.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    out.push('\n');
}

/// A text that fits a cell: on one line, and without a bar that would end it.
pub(super) fn cell(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

/// A text as code; one that holds a backtick is fenced by more of them.
pub(super) fn code(text: &str) -> String {
    let text = cell(text);
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}
