//! Names as words, apart from how a language writes them.

use heck::ToSnakeCase;
use std::fmt;

/// A name as words in lower case that `_` separates: ASCII letters and digits, a letter first.
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
        let mut words = one_capital_each(&readable(text)).to_snake_case();
        if words.starts_with(|c: char| c.is_ascii_digit()) {
            words.insert(0, 'n');
        }
        // It is ASCII.
        words.truncate(MAX_LENGTH);
        words.truncate(words.trim_end_matches('_').len());
        Name(words)
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
            pascal.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            pascal.push_str(letters.as_str());
        }
        pascal
    }

    /// `UPPER_CASE`.
    pub(crate) fn upper(&self) -> String {
        self.0.to_ascii_uppercase()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text with every character that is no ASCII letter or digit replaced by a word break or a
/// word.
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
    let letters = letters.map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' });
    let words: String = lead.chars().chain(letters).collect();
    match words.trim() {
        "" if text.is_empty() => "empty".to_owned(),
        // A name without any letter is spelled by its code points: `=` becomes `u3d`.
        "" => text
            .chars()
            .map(|c| format!("u{:x} ", u32::from(c)))
            .collect(),
        _ => words,
    }
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
            ("ETag", "etag", "Etag"),
            ("X-ETags", "x_etags", "XEtags"),
            ("GETag", "ge_tag", "GeTag"),
            ("userIDs", "user_ids", "UserIds"),
            ("URLsOf", "urls_of", "UrlsOf"),
            ("HTTPStatus", "http_status", "HttpStatus"),
            ("loginOAuth2", "login_oauth2", "LoginOauth2"),
            ("iOS", "ios", "Ios"),
            ("studiOS", "studi_os", "StudiOs"),
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
    fn keeps_names_short_enough_for_files() {
        let name = Name::of(&format!("{}_b", "a".repeat(MAX_LENGTH - 1)));
        assert_eq!(name.snake(), "a".repeat(MAX_LENGTH - 1));
    }
}
