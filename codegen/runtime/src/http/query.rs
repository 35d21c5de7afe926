//! A query string (or a URL-encoded form) as pairs of name and value.
//!
//! The syntax is `application/x-www-form-urlencoded` (WHATWG URL, section
//! 5.1): `&` separates, `+` is a space. Names are decoded at once, values
//! when they are read, because some styles split them before decoding.

use std::borrow::Cow;

use crate::http::captures::{BadUtf8, decode};

/// One `name=value`; a name without `=` has the empty value.
#[derive(Debug, Clone)]
pub(crate) struct Pair<'a> {
    /// The decoded name.
    pub name: Result<Cow<'a, str>, BadUtf8>,
    /// The value, still encoded.
    pub value: &'a str,
}

impl Pair<'_> {
    /// Whether the name is `name`.
    #[must_use]
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.as_ref().is_ok_and(|own| own == name)
    }

    /// Whether it is the pair of `name` and `value`.
    #[must_use]
    pub(crate) fn is_of(&self, name: &str, value: &str) -> bool {
        self.is(name) && decode_form(self.value).is_ok_and(|text| text == value)
    }
}

/// The pairs of a query string, in order.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = Pair<'_>> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Pair {
                name: decode_form(name),
                value,
            }
        })
}

/// Whether each `%` of a value begins two hexadecimal digits, and the decoded
/// octets are UTF-8.
pub(crate) fn is_encoded(value: &str) -> bool {
    let mut escapes = value.split('%').skip(1);
    let is_escape = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    escapes.all(is_escape) && decode_form(value).is_ok()
}

/// Decodes a name or a value.
///
/// # Errors
/// Returns [`BadUtf8`] if the decoded octets are not UTF-8.
pub(crate) fn decode_form(text: &str) -> Result<Cow<'_, str>, BadUtf8> {
    if !text.contains('+') {
        return decode(text);
    }
    let spaced = text.replace('+', " ");
    decode(&spaced).map(|text| Cow::Owned(text.into_owned()))
}
