//! Patterns written as regular expression literals of JavaScript: `/^[a-z]+$/i`.

/// The pattern between the slashes. With the slashes it could match nothing: no text has a
/// character before its start or after its end. A pattern with alternatives could match, and is
/// left as it is.
pub(super) fn pattern(text: &str) -> Option<String> {
    let (body, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    let ends = body.ends_with('$') && !body.ends_with(r"\$");
    // Only flags that do not change which texts match; the others change the pattern's meaning.
    let harmless = |flag| matches!(flag, 'd' | 'g' | 'i' | 'u' | 'v' | 'y');
    if !(body.starts_with('^') || ends) || has_alternatives(body) || !flags.chars().all(harmless) {
        return None;
    }
    Some(if flags.contains('i') {
        format!("(?i:{body})")
    } else {
        body.to_owned()
    })
}

/// Whether a `|` stands outside of groups and classes.
fn has_alternatives(body: &str) -> bool {
    let (mut groups, mut in_class) = (0_usize, false);
    let mut characters = body.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            ']' => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            '(' => groups += 1,
            ')' => groups = groups.saturating_sub(1),
            '|' if groups == 0 => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn a_pattern_that_could_match_is_no_literal() {
        assert_eq!(pattern("/^[a-z]+$/").as_deref(), Some("^[a-z]+$"));
        assert_eq!(pattern("/^a/gi").as_deref(), Some("(?i:^a)"));
        assert_eq!(pattern("/a$/").as_deref(), Some("a$"));
        assert_eq!(pattern(r"/^(a|b)[|]\|$/").as_deref(), Some(r"^(a|b)[|]\|$"));
        for plain in [
            "/v1|/x$/", "/a/", "^/a$", "/^a", r"/a\$/", "/^a$/m", "^a$", "/",
        ] {
            assert_eq!(pattern(plain), None, "{plain}");
        }
    }
}
