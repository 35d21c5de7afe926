//! Names as words, apart from how a language writes them.

use std::fmt;
use unicode_ident::{is_xid_continue, is_xid_start};
use unicode_normalization::UnicodeNormalization;

/// A name as words in lower case that `_` separates: letters and digits that Rust's identifiers may have, a letter
/// first. Letters of all scripts stay as they are, in the compatible form (NFKC), by which `º` is `o`.
///
/// Names of one scope differ in every case that an output writes them in.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

/// Words that are written with capitals inside, and are one word all the same.
const WORDS: &[&str] = &[
    "ETag",
    "GitHub",
    "GitLab",
    "GraphQL",
    "IPv4",
    "IPv6",
    "JavaScript",
    "LinkedIn",
    "MongoDB",
    "MySQL",
    "OAuth",
    "OpenID",
    "PayPal",
    "PostgreSQL",
    "TypeScript",
    "YouTube",
    "iOS",
    "macOS",
];

/// The longest name, in bytes. Modules are files, types are files of the documentation, and most
/// file systems allow names of 255 bytes.
const MAX_LENGTH: usize = 160;

impl Name {
    /// The words of a text of the document.
    pub(crate) fn of(text: &str) -> Name {
        let text = match text.is_ascii() {
            true => text.to_owned(),
            false => text.nfkc().collect(),
        };
        let mut words = snake_case(&one_capital_each(&readable(&text)));
        if words.starts_with(|c: char| !is_xid_start(c)) {
            words.insert(0, 'n');
        }
        let mut bounds = (0..=MAX_LENGTH.min(words.len())).rev();
        words.truncate(bounds.find(|at| words.is_char_boundary(*at)).unwrap_or(0));
        words.truncate(words.trim_end_matches('_').len());
        Name(words)
    }

    /// Whether all letters are ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        self.0.is_ascii()
    }

    /// The name in ASCII, for names of files and of environment variables: another letter is its code point.
    pub(crate) fn ascii(&self) -> Name {
        let letters = self.0.chars().map(|c| match c.is_ascii() {
            true => c.to_string(),
            false => format!("u{:x}", u32::from(c)),
        });
        Name(letters.collect())
    }

    /// The name followed by further words, which `_` separates.
    pub(crate) fn with(&self, words: &str) -> Name {
        Name(format!("{}_{words}", self.0))
    }

    /// The name followed by a number.
    pub(crate) fn numbered(&self, number: usize) -> Name {
        Name(format!("{}{number}", self.0))
    }

    /// `snake_case`.
    pub(crate) fn snake(&self) -> &str {
        &self.0
    }

    /// `PascalCase`.
    pub(crate) fn pascal(&self) -> String {
        let mut pascal = String::with_capacity(self.0.len());
        for word in self.0.split('_') {
            let mut letters = word.chars();
            pascal.extend(letters.next().map(capital));
            pascal.push_str(letters.as_str());
        }
        pascal
    }

    /// `UPPER_CASE`.
    pub(crate) fn upper(&self) -> String {
        self.0.chars().map(capital).collect()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The capital of a letter, if that is one letter whose small one this is: names that differ still differ in
/// capitals, which those of `ß` and `ss` would not.
fn capital(letter: char) -> char {
    let mut capitals = letter.to_uppercase();
    let only = capitals.next().filter(|_| capitals.next().is_none());
    only.filter(|only| only.to_lowercase().eq([letter]))
        .unwrap_or(letter)
}

/// Whether words of names may have a character, beside `_`, which separates them.
fn is_letter(c: char) -> bool {
    is_xid_continue(c) && c != '_'
}

/// The words of a text in lower case, which `_` separates. A word begins after any other character, at a capital
/// behind a small letter, and at the last capital before a small letter.
fn snake_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let words = text.split(|c| !is_letter(c));
    // No word begins with a mark, which is part of the letter before it.
    let words = words.map(|word| word.trim_start_matches(|c: char| !c.is_alphanumeric()));
    for word in words.filter(|word| !word.is_empty()) {
        let letters: Vec<char> = word.chars().collect();
        let (mut was_upper, mut was_lower) = (false, false);
        for (at, c) in letters.iter().enumerate() {
            let before_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
            let begins = c.is_uppercase() && (was_lower || (was_upper && before_small));
            if (at == 0 || begins) && !out.is_empty() {
                out.push('_');
            }
            // A digit or a mark leaves the case as it was.
            if begins || c.is_uppercase() || c.is_lowercase() {
                (was_upper, was_lower) = (c.is_uppercase(), c.is_lowercase());
            }
            out.extend(c.to_lowercase());
        }
    }
    out
}

/// The text with every character that no identifier may have replaced by a word break or a word.
fn readable(text: &str) -> String {
    let is_short = text.chars().nth(1).is_none();
    let lead = match text.chars().next() {
        Some('-') if !is_short => "minus ",
        Some('+') if !is_short => "plus ",
        Some('$') => "dollar ",
        Some('@') => "at ",
        _ => "",
    };
    let letters = text.chars();
    let letters = letters.map(|c| if is_letter(c) { c } else { ' ' });
    let words: String = lead.chars().chain(letters).collect();
    match words.trim() {
        "" if text.is_empty() => "empty".to_owned(),
        // A name without any letter is spelled: `<=` becomes `less_equal`.
        words if !words.contains(char::is_alphanumeric) => {
            text.chars().map(|c| spelled(c) + " ").collect()
        }
        _ => words,
    }
}

/// The name of a character: the usual one of ASCII, or else its code point.
fn spelled(c: char) -> String {
    let name = match c {
        ' ' => "space",
        '!' => "bang",
        '"' => "quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "and",
        '\'' => "apostrophe",
        '(' | ')' => "parenthesis",
        '*' => "star",
        '+' => "plus",
        ',' => "comma",
        '-' => "minus",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equal",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '[' | ']' => "bracket",
        '\\' => "backslash",
        '^' => "caret",
        '_' => "underscore",
        '`' => "backtick",
        '{' | '}' => "brace",
        '|' => "or",
        '~' => "tilde",
        _ => return format!("u{:x}", u32::from(c)),
    };
    name.to_owned()
}

/// The text with one capital, its first letter, in each of the [`WORDS`] and in plurals such as `IDs`.
fn one_capital_each(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = word_length(rest).filter(|_| begins_word(&written, first));
        let (word, after) = rest.split_at(length.unwrap_or(first.len_utf8()));
        written.push(if length.is_some() {
            first.to_ascii_uppercase()
        } else {
            first
        });
        written.push_str(
            &word
                .get(first.len_utf8()..)
                .unwrap_or_default()
                .to_ascii_lowercase(),
        );
        rest = after;
    }
    written
}

/// Whether a word may begin with a letter after a text: a capital after anything but a capital.
fn begins_word(before: &str, first: char) -> bool {
    !before.ends_with(|c: char| match first.is_ascii_uppercase() {
        true => c.is_ascii_uppercase(),
        false => c.is_ascii_alphabetic(),
    })
}

/// The length of the word with capitals inside that a text begins with.
fn word_length(text: &str) -> Option<usize> {
    let ends = |at: &usize| {
        let after = text.get(*at..).unwrap_or_default();
        let after = after.strip_prefix('s').unwrap_or(after);
        !after.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let mut known = WORDS.iter().filter(|word| text.starts_with(**word));
    let known = known.next().map(|word| word.len());
    let capitals = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let is_plural = capitals > 1
        && text
            .get(capitals..)
            .is_some_and(|after| after.starts_with('s'));
    known.or(is_plural.then_some(capitals)).filter(ends)
}

#[cfg(test)]
mod tests {
    use super::{MAX_LENGTH, Name};

    #[test]
    fn spells_hostile_names() {
        for (wire, snake, pascal) in [
            ("usdDonatedE6", "usd_donated_e6", "UsdDonatedE6"),
            ("type", "type", "Type"),
            ("self", "self", "Self"),
            ("2fa", "n2fa", "N2fa"),
            ("a-b", "a_b", "AB"),
            ("-1", "minus_1", "Minus1"),
            ("+1", "plus_1", "Plus1"),
            ("", "empty", "Empty"),
            ("😀", "u1f600", "U1f600"),
            ("$ref", "dollar_ref", "DollarRef"),
            (">=", "greater_equal", "GreaterEqual"),
            ("*", "star", "Star"),
            (" ", "space", "Space"),
            ("-", "minus", "Minus"),
            ("ETag", "etag", "Etag"),
            ("X-ETags", "x_etags", "XEtags"),
            ("GETag", "ge_tag", "GeTag"),
            ("userIDs", "user_ids", "UserIds"),
            ("URLsOf", "urls_of", "UrlsOf"),
            ("HTTPStatus", "http_status", "HttpStatus"),
            ("loginOAuth2", "login_oauth2", "LoginOauth2"),
            ("iOS", "ios", "Ios"),
            ("studiOS", "studi_os", "StudiOs"),
            ("größe", "größe", "Größe"),
            ("Straße", "straße", "Straße"),
            ("ßeta", "ßeta", "ßeta"),
            ("ÄußereForm", "äußere_form", "ÄußereForm"),
            ("日本語", "日本語", "日本語"),
            ("日本 語ID", "日本_語id", "日本語id"),
            ("имяФайла", "имя_файла", "ИмяФайла"),
            ("हिन्दी", "हिन्दी", "हिन्दी"),
            ("e\u{301}tat", "état", "État"),
            ("\u{301}a", "a", "A"),
            ("n.º", "n_o", "NO"),
            ("m²", "m2", "M2"),
            ("٣x", "n٣x", "N٣x"),
            ("naïve👍café", "naïve_café", "NaïveCafé"),
            (
                "charities.feedAtom",
                "charities_feed_atom",
                "CharitiesFeedAtom",
            ),
        ] {
            let name = Name::of(wire);
            assert_eq!(name.snake(), snake, "{wire}");
            assert_eq!(name.pascal(), pascal, "{wire}");
            assert_eq!(Name::of(name.snake()), name, "{wire}");
        }
    }

    #[test]
    fn names_that_differ_differ_in_capitals() {
        for (one, other) in [("straße", "strasse"), ("ıd", "id"), ("ſ", "s"), ("ς", "σ")] {
            let (one, other) = (Name::of(one), Name::of(other));
            if one != other {
                assert_ne!(one.upper(), other.upper());
                assert_ne!(one.pascal(), other.pascal());
            }
        }
        assert_eq!(Name::of("größe").ascii().snake(), "gruf6udfe");
    }

    #[test]
    fn keeps_names_short_enough_for_files() {
        let wide = Name::of(&"語".repeat(MAX_LENGTH));
        assert_eq!(wide.snake(), "語".repeat(MAX_LENGTH / 3));
        let name = Name::of(&format!("{}_b", "a".repeat(MAX_LENGTH - 1)));
        assert_eq!(name.snake(), "a".repeat(MAX_LENGTH - 1));
    }
}
