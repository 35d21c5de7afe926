//! Comma-separated values by RFC 4180.

/// A text in quotes, which no spreadsheet takes for a formula: one that begins like a formula gets an
/// apostrophe before it.
pub fn field(text: &str) -> String {
    let is_formula = text.trim_start().starts_with([
        '=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
    ]) || text.starts_with(['\t', '\r', '\n']);
    let apostrophe = if is_formula { "'" } else { "" };
    format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula_or_leaves_its_field() {
        for (text, expected) in [
            ("production", "\"production\""),
            ("a, \"b\"", "\"a, \"\"b\"\"\""),
            ("=1+1", "\"'=1+1\""),
            (" =HYPERLINK(\"x\")", "\"' =HYPERLINK(\"\"x\"\")\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\tx", "\"'\tx\""),
            ("\u{ff1d}1", "\"'\u{ff1d}1\""),
        ] {
            assert_eq!(field(text), expected);
        }
    }
}
