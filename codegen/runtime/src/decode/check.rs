//! The constraints that generated checks call on typed values.
//!
//! Each function is one keyword of JSON Schema 2020-12 Validation that the
//! standard library has no operator for. They answer yes or no; the
//! explanation is the schema interpreter's business.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::Hash;

use serde::Serialize;
use serde_json::Value;

use crate::decode::integer::Integer;
use json_schema::equality;
use json_schema::number::decimal::Decimal;

/// A type whose values can break a constraint that the type itself does not
/// rule out.
pub trait Check {
    /// Whether the value, and every value in it, satisfies its schema.
    fn is_valid(&self) -> bool;
}

impl<T: Check> Check for Box<T> {
    fn is_valid(&self) -> bool {
        (**self).is_valid()
    }
}

/// `minLength`, `maxLength`: the length of `text` in Unicode code points is
/// within `min..=max`.
///
/// A code point takes one to four bytes, so most texts are decided by their
/// byte length and not counted.
#[must_use]
pub fn length_between(text: &str, min: usize, max: usize) -> bool {
    let bytes = text.len();
    if bytes < min || bytes.div_ceil(4) > max {
        return false;
    }
    if bytes <= max && bytes.div_ceil(4) >= min {
        return true;
    }
    (min..=max).contains(&text.chars().count())
}

/// `multipleOf` for floats, exactly on the decimals that they print as.
#[must_use]
pub fn multiple_of(value: f64, divisor: f64) -> bool {
    match (Decimal::of_f64(value), Decimal::of_f64(divisor)) {
        (Some(value), Some(divisor)) => value.is_multiple_of(&divisor),
        _ => false,
    }
}

/// Where a whole number is from a bound that 64 bits do not hold, a JSON
/// number; a text that is none has everything after it.
#[must_use]
pub fn compare(value: &Integer, bound: &str) -> Ordering {
    Some(value.decimal()).cmp(&Decimal::parse(bound))
}

/// `multipleOf` for whole numbers, where the divisor is not one of 64 bits.
#[must_use]
pub fn divides(divisor: &str, value: &Integer) -> bool {
    let divisor = Decimal::parse(divisor);
    divisor.is_some_and(|divisor| value.decimal().is_multiple_of(&divisor))
}

/// How many members an object has: those that are required, the optional ones that are there, and
/// others.
#[must_use]
pub fn members(required: usize, optional: &[bool], others: usize) -> usize {
    required + others + optional.iter().filter(|is_there| **is_there).count()
}

/// A condition on the whole of a value, as JSON. A value that cannot be encoded does not meet it.
#[must_use]
pub fn whole<T: Serialize>(value: &T, condition: impl FnOnce(&Value) -> bool) -> bool {
    serde_json::to_value(value).is_ok_and(|value| condition(&value))
}

/// `uniqueItems` for items that are equal in Rust exactly where they are in
/// JSON, as texts and whole numbers are.
#[must_use]
pub fn distinct<T: Eq + Hash>(items: &[T]) -> bool {
    // A few are compared with each other faster than they are hashed.
    if items.len() < 9 {
        let mut rest = items;
        while let Some((first, others)) = rest.split_first() {
            if others.contains(first) {
                return false;
            }
            rest = others;
        }
        return true;
    }
    let mut seen = HashSet::with_capacity(items.len());
    items.iter().all(|item| seen.insert(item))
}

/// `uniqueItems`: no two items encode to equal JSON values. An item that
/// cannot be encoded makes the answer no.
#[must_use]
pub fn unique<T: Serialize>(items: &[T]) -> bool {
    if items.len() < 2 {
        return true;
    }
    let values: Result<Vec<_>, _> = items.iter().map(serde_json::to_value).collect();
    values.is_ok_and(|values| equality::all_distinct(&values))
}
