//! Numbers with more digits than `serde_yaml` keeps: they get all their digits, as in JSON.
//!
//! `serde_yaml` gives a number that is too large for an `f64` as a text, rounds one with more
//! digits, and forgets the zeros at the end of a fraction.

use super::scalars::{Scalar, scalars};
use saphyr_parser::ScalarStyle;
use serde_json::{Number, Value};

/// How many decimal digits an `f64` always keeps (IEEE 754: `DBL_DIG`).
const KEPT_DIGITS: usize = 15;
/// How many digits an exponent has that may be too large for an `f64`.
const LARGE_EXPONENT: usize = 3;

/// Gives numbers the digits that they have in the text.
pub(super) fn apply(text: &str, value: &mut Value) {
    let ends = |c: char| c.is_whitespace() || ",[]{}".contains(c);
    if !text.split(ends).any(is_long) {
        return;
    }
    let number = |scalar: &Scalar<'_>| {
        let is_plain = scalar.style == ScalarStyle::Plain && !scalar.is_tagged;
        let long = Some(scalar.text).filter(|text| is_plain && is_long(text));
        let number: Option<Number> = long.and_then(|text| text.parse().ok());
        (!scalar.is_key).then_some(number)
    };
    let numbers = scalars(text, number);
    if numbers.len() == count(value) {
        replace(value, &mut numbers.into_iter());
    }
}

/// Whether a text is a number of which an `f64` may not hold every digit.
fn is_long(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
    let exponent = exponent.trim_start_matches(['-', '+']);
    let only = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    only(digits)
        && only(exponent)
        && (digits.len() > KEPT_DIGITS || exponent.len() >= LARGE_EXPONENT || is_respelled(text))
}

/// Whether an `f64` is written in another way than a number: `1.10` as `1.1`. Where a text is meant, this is
/// another one.
fn is_respelled(text: &str) -> bool {
    text.contains('.') && text.ends_with('0') && !text.ends_with(".0")
}

/// How many scalars a value has, without keys.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 1,
    }
}

fn replace(value: &mut Value, numbers: &mut impl Iterator<Item = Option<Number>>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, numbers)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|member| replace(member, numbers)),
        scalar => {
            if let Some(number) = numbers.next().flatten() {
                *scalar = Value::Number(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut value = serde_yaml::from_str(text).unwrap();
        apply(text, &mut value);
        assert_eq!(value.to_string(), expected, "{text}");
    }

    #[test]
    fn a_number_is_written_as_it_was() {
        check("[1.10, 1.0, 2, -0.50, 1.5]", "[1.10,1.0,2,-0.50,1.5]");
        check("[\"1.10\", 1.10.0]", r#"["1.10","1.10.0"]"#);
    }

    #[test]
    fn every_digit_of_a_number_is_kept() {
        let large =
            "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        check(
            &format!("a: {large}\nb: [1, -{large}]"),
            &format!(r#"{{"a":{large},"b":[1,-{large}]}}"#),
        );
        check(
            "{a: 12345678901234567890.5, b: 1e400}",
            r#"{"a":12345678901234567890.5,"b":1e+400}"#,
        );
    }

    #[test]
    fn texts_are_texts() {
        check(
            "a: '1e400'\nb: !!str 1e400\nc: 1e400x\n1e400: 0123456789012345678\nd: 1e-999",
            r#"{"a":"1e400","b":"1e400","c":"1e400x","1e400":"0123456789012345678","d":1e-999}"#,
        );
    }

    #[test]
    fn an_alias_has_the_digits_of_its_anchor() {
        check(
            "a: &a [x, 1e400]\nb: &b 1e999\nc: {d: *a, e: *b, f: *a}",
            r#"{"a":["x",1e+400],"b":1e+999,"c":{"d":["x",1e+400],"e":1e+999,"f":["x",1e+400]}}"#,
        );
    }
}
