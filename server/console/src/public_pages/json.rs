//! JSON with colors, as HTML.

use serde::Serialize;

/// A value as indented JSON, in which keys and values are marked up.
pub(super) fn colored(value: &impl Serialize) -> Option<String> {
    let text = serde_json::to_string_pretty(value).ok()?;
    let lines = text.lines().map(line);
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// A line of indented JSON: a key and a value, or one of them, or brackets.
fn line(line: &str) -> String {
    let rest = line.trim_start();
    let (indent, _) = line.split_at(line.len() - rest.len());
    let after_key = string_end(rest).and_then(|end| {
        let (key, rest) = rest.split_at_checked(end)?;
        Some((key, rest.strip_prefix(": ")?))
    });
    match after_key {
        Some((key, value)) => format!("{indent}{}: {}", marked("key", key), self::value(value)),
        None => format!("{indent}{}", value(rest)),
    }
}

fn value(text: &str) -> String {
    let (value, comma) = match text.strip_suffix(',') {
        Some(value) => (value, ","),
        None => (text, ""),
    };
    let marked = match value.bytes().next() {
        Some(b'"') => marked("string", value),
        Some(b'{' | b'}' | b'[' | b']') | None => escaped(value),
        Some(_) => marked("literal", value),
    };
    marked + comma
}

/// The end of the string that a text begins with.
fn string_end(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let inner = text.strip_prefix('"')?;
    for (at, character) in inner.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at + 2),
            _ => {}
        }
    }
    None
}

fn marked(class: &str, text: &str) -> String {
    format!("<span class=\"json-{class}\">{}</span>", escaped(text))
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&#38;").replace('<', "&#60;");
    text.replace('>', "&#62;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_and_values_are_marked_and_escaped() {
        let html = colored(&json!({ "a\": <b>": ["x\", y", 1, null], "c": {} })).unwrap();
        let lines: Vec<_> = html.lines().collect();
        assert_eq!(
            lines,
            [
                "{",
                "  <span class=\"json-key\">\"a\\\": &#60;b&#62;\"</span>: [",
                "    <span class=\"json-string\">\"x\\\", y\"</span>,",
                "    <span class=\"json-literal\">1</span>,",
                "    <span class=\"json-literal\">null</span>",
                "  ],",
                "  <span class=\"json-key\">\"c\"</span>: {}",
                "}",
            ]
        );
    }
}
