//! The rules of lines that the decoder of JSON does not have: no property twice, and integers in digits.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::LineError;

/// The errors of a line by these rules. A line that is not JSON has none: the decoder reports it.
pub(super) fn check(line: &[u8]) -> Vec<LineError> {
    let (mut pointer, mut errors) = (String::new(), Vec::new());
    let value = Value {
        pointer: &mut pointer,
        errors: &mut errors,
    };
    let mut json = serde_json::Deserializer::from_slice(line);
    let _ = value.deserialize(&mut json);
    errors
}

const NOT_DIGITS: &str = "is no integer in digits, without a fraction or an exponent";

/// The name of the property by which `serde_json` returns a number as it is written, where a crate of the build enables
/// its feature `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

/// A value at a pointer.
struct Value<'a> {
    pointer: &'a mut String,
    errors: &'a mut Vec<LineError>,
}

impl Value<'_> {
    fn report(&mut self, message: &str) {
        self.errors
            .push(LineError::new(self.pointer.clone(), message));
    }

    /// The value of a property or an element.
    fn below(&mut self, token: fmt::Arguments<'_>) -> (usize, Value<'_>) {
        let length = self.pointer.len();
        self.pointer.push_str(&format!("/{token}"));
        let below = Value {
            pointer: self.pointer,
            errors: self.errors,
        };
        (length, below)
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(mut self, _: f64) -> Result<(), E> {
        self.report(NOT_DIGITS);
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        for index in 0.. {
            let (length, element) = self.below(format_args!("{index}"));
            let found = elements.next_element_seed(element)?;
            self.pointer.truncate(length);
            if found.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut properties: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = properties.next_key::<String>()? {
            if name == NUMBER {
                let number: String = properties.next_value()?;
                if number.contains(['.', 'e', 'E']) {
                    self.report(NOT_DIGITS);
                }
                return Ok(());
            }
            let token = name.replace('~', "~0").replace('/', "~1");
            let is_first = names.insert(name);
            let (length, mut value) = self.below(format_args!("{token}"));
            if !is_first {
                value.report("is there twice");
            }
            properties.next_value_seed(value)?;
            self.pointer.truncate(length);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn errors(line: &str, expected: &[(&str, &str)]) {
        let errors = check(line.as_bytes());
        let found: Vec<_> = errors
            .iter()
            .map(|error| (&*error.pointer, &*error.message))
            .collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn properties_are_there_once_and_integers_are_digits() {
        let digits = "is no integer in digits, without a fraction or an exponent";
        errors(r#"{"a": 1, "b": [{"c": -2}, null, "1e3", true]}"#, &[]);
        errors(r#"{"a": 1, "a": 1}"#, &[("/a", "is there twice")]);
        errors(r#"{"a": 1, "\u0061": 1}"#, &[("/a", "is there twice")]);
        let deep = r#"{"b": [0, {"c/d": 1, "c/d": 2}]}"#;
        errors(deep, &[("/b/1/c~1d", "is there twice")]);
        errors(
            r#"{"a": 1e3, "b": [1.0]}"#,
            &[("/a", digits), ("/b/0", digits)],
        );
        for malformed in ["", "{", r#"{"a": 1,"#, "nul"] {
            errors(malformed, &[]);
        }
    }
}
