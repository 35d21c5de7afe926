//! Names of a document, quoted for YAML in a help text.

use std::borrow::Cow;

/// A name in quotes, unless YAML reads it back unquoted as well.
pub(crate) fn in_yaml(name: &str) -> Cow<'_, str> {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    // A word that some YAML reader takes for a boolean or null is quoted.
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let is_word = words.iter().any(|word| name.eq_ignore_ascii_case(word));
    match begins && name.chars().all(is_plain) && !is_word {
        true => Cow::Borrowed(name),
        false => Cow::Owned(serde_json::Value::from(name).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::in_yaml;

    #[test]
    fn a_name_is_quoted_unless_it_is_plain() {
        assert_eq!(in_yaml("book_id-2.x"), "book_id-2.x");
        for name in ["*d", "", "2", "a b", "a, b: c", "No", "~", "\"", "é\n"] {
            let quoted = in_yaml(name);
            let read: String = serde_yaml::from_str(&quoted).unwrap();
            assert!(quoted.starts_with('"') && read == name, "{quoted}");
        }
    }
}
