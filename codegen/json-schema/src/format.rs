//! The values of `format`, in one table: the types that each belongs to, its
//! form, its range and its length.
//!
//! A format is asserted where the Rust type of a value implies it or a client
//! would be misled otherwise; every other format is an annotation, as JSON
//! Schema 2020-12 (Validation, §7) has it by default. Formats of numbers are
//! ranges; see [`integer_range`].

mod network;
mod table;
mod time;

use crate::types::Types;
use std::borrow::Cow;
use table::FORMATS;

/// A format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    name: &'static str,
    /// The types whose values may be of the format.
    pub types: Types,
    /// The lengths of its texts.
    pub length: Length,
    /// Texts of the format, for samples.
    pub samples: &'static [&'static str],
    form: Option<Form>,
    range: Option<(i128, i128)>,
}

/// The form of a format's texts.
#[derive(Debug, Clone, Copy)]
struct Form {
    is_valid: fn(&str) -> bool,
    /// A text of the format, in messages.
    noun: &'static str,
}

/// The lengths of a format's texts, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Any length.
    Any,
    /// Short, but for fractions of a second, which have no greatest length.
    Short,
    /// At least the first and at most the second.
    Within(u64, u64),
}

impl Format {
    /// The format with a name, if the table has it.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    const fn new(name: &'static str, types: Types) -> Self {
        Self {
            name,
            types,
            length: Length::Any,
            samples: &[],
            form: None,
            range: None,
        }
    }

    const fn checked(mut self, is_valid: fn(&str) -> bool, noun: &'static str) -> Self {
        self.form = Some(Form { is_valid, noun });
        self
    }

    const fn length(mut self, length: Length) -> Self {
        self.length = length;
        self
    }

    const fn range(mut self, least: i128, greatest: i128) -> Self {
        self.range = Some((least, greatest));
        self
    }

    const fn samples(mut self, samples: &'static [&'static str]) -> Self {
        self.samples = samples;
        self
    }
}

/// Whether `text` is of the format. A format without a form accepts every text.
#[must_use]
pub fn is_valid(format: &str, text: &str) -> bool {
    form(format).is_none_or(|form| (form.is_valid)(text))
}

/// Whether values are checked by the format: by the form of texts, or a range
/// of integers.
#[must_use]
pub fn is_known(format: &str) -> bool {
    Format::named(format).is_some_and(|format| format.form.is_some() || format.range.is_some())
}

/// The name of a text of an asserted format in a message.
#[must_use]
pub fn noun(format: &str) -> Cow<'static, str> {
    match form(format) {
        Some(form) => form.noun.into(),
        None => format!("of the format `{format}`").into(),
    }
}

/// The range of an integer format; `None` for a format that bounds nothing.
#[must_use]
pub fn integer_range(format: &str) -> Option<(i128, i128)> {
    Format::named(format)?.range
}

fn form(format: &str) -> Option<Form> {
    Format::named(format)?.form
}

/// RFC 9562, section 4: 8-4-4-4-12 hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// RFC 4648, section 4: the standard alphabet, padded, without line breaks.
fn is_base64(text: &str) -> bool {
    let data = text.trim_end_matches('=');
    let padding = text.len() - data.len();
    text.len().is_multiple_of(4)
        && padding <= 2
        && data
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// Digits with a fraction or without, and perhaps a sign: `-1`, `007.50`. No
/// exponent, and no separators (OpenAPI format registry, `decimal`).
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    number(whole) && number(fraction)
}

#[cfg(test)]
mod tests {
    use super::{FORMATS, Length, is_valid};
    use std::collections::BTreeSet;

    #[test]
    fn each_format_has_one_row() {
        let names: BTreeSet<&str> = FORMATS.iter().map(|format| format.name).collect();
        assert_eq!(names.len(), FORMATS.len());
    }

    #[test]
    fn samples_have_the_form_and_the_length_of_their_format() {
        for format in FORMATS {
            for text in format.samples {
                assert!(is_valid(format.name, text), "{} {text}", format.name);
                if let Length::Within(least, most) = format.length {
                    let length = text.chars().count() as u64;
                    assert!((least..=most).contains(&length), "{} {text}", format.name);
                }
            }
        }
    }
}
