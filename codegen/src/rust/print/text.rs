//! The text of literals: what a doc comment says is a string within its tokens.

/// What a string literal stands for; `None` for any other.
pub(super) fn unquoted(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let quoted = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(quoted.len());
    let mut rest = quoted;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        text.push_str(plain);
        rest = escape(escaped, &mut text)?;
    }
    text.push_str(rest);
    Some(text)
}

/// Adds the character of an escape, of which the backslash is read already; what comes after it.
fn escape<'a>(escaped: &'a str, text: &mut String) -> Option<&'a str> {
    let mut characters = escaped.chars();
    let character = match characters.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        'x' => {
            let (code, rest) = characters.as_str().split_at_checked(2)?;
            text.push(char::from(u8::from_str_radix(code, 16).ok()?));
            return Some(rest);
        }
        'u' => {
            let (code, rest) = characters.as_str().strip_prefix('{')?.split_once('}')?;
            text.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
            return Some(rest);
        }
        other => other,
    };
    text.push(character);
    Some(characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::unquoted;
    use proc_macro2::Literal;

    #[test]
    fn gives_back_what_was_quoted() {
        for text in [
            "",
            " plain",
            " \"a\" \\ \\< \n\t'é\u{200b}\u{1} \0\u{7f}",
            "#",
        ] {
            let literal = Literal::string(text).to_string();
            assert_eq!(unquoted(&literal).as_deref(), Some(text), "{literal}");
        }
        assert_eq!(unquoted("r\" a\\b\"").as_deref(), Some(" a\\b"));
        assert_eq!(unquoted("r#\" \"a\" \"#").as_deref(), Some(" \"a\" "));
        assert_eq!(unquoted("5"), None);
    }
}
