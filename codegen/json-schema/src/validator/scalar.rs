//! The keywords that need nothing but the value: types, enumerations, bounds
//! of numbers and strings (2020-12 Validation, sections 6.1 to 6.3 and 7).

use std::cmp::Ordering;

use serde_json::{Number, Value};

use crate::equality::equal;
use crate::format;
use crate::number::decimal::Decimal;
use crate::types::Types;
use crate::validator::node::{Assertion, Worded};
use crate::validator::report::Report;

/// How many of an enumeration's values a message lists.
const LISTED: usize = 20;

/// The verdict of a keyword that has no subschemas. A keyword that does not
/// apply to the type of `value` accepts it.
pub(crate) fn check(keyword: &Assertion, value: &Value, report: &mut Report<'_>) -> bool {
    match (keyword, value) {
        (Assertion::Type(types), _) => {
            is_of(*types, value) || report.refuse("type", || format!("must be {}", types.phrase()))
        }
        (Assertion::Enum(values), _) => {
            values.iter().any(|other| equal(value, other))
                || report.refuse("enum", || format!("must be one of {}", list(values)))
        }
        (Assertion::Const(expected), _) => {
            equal(value, expected) || report.refuse("const", || format!("must be {expected}"))
        }
        (Assertion::Format(format), Value::Number(number)) => {
            integer_format(&format.name, number, report)
        }
        (Assertion::Worded(worded), Value::Number(number)) => {
            let format = worded.format.as_ref();
            format.is_none_or(|format| integer_format(&format.name, number, report))
        }
        (_, Value::Number(number)) => check_number(keyword, number, report),
        (_, Value::String(text)) => check_text(keyword, text, report),
        _ => true,
    }
}

fn check_number(keyword: &Assertion, number: &Number, report: &mut Report<'_>) -> bool {
    match keyword {
        Assertion::Minimum(bound) => {
            compare(number, bound).is_ge()
                || report.refuse("minimum", || format!("must be at least {bound}"))
        }
        Assertion::Maximum(bound) => {
            compare(number, bound).is_le()
                || report.refuse("maximum", || format!("must be at most {bound}"))
        }
        Assertion::ExclusiveMinimum(bound) => {
            compare(number, bound).is_gt()
                || report.refuse("exclusiveMinimum", || {
                    format!("must be greater than {bound}")
                })
        }
        Assertion::ExclusiveMaximum(bound) => {
            compare(number, bound).is_lt()
                || report.refuse("exclusiveMaximum", || format!("must be less than {bound}"))
        }
        Assertion::MultipleOf(divisor) => {
            is_multiple(number, divisor)
                || report.refuse("multipleOf", || format!("must be a multiple of {divisor}"))
        }
        _ => true,
    }
}

fn check_text(keyword: &Assertion, text: &str, report: &mut Report<'_>) -> bool {
    match keyword {
        Assertion::MinLength(min) => {
            length(text) >= *min
                || report.refuse("minLength", || {
                    format!("must have at least {min} {}", characters(*min))
                })
        }
        Assertion::MaxLength(max) => {
            length(text) <= *max
                || report.refuse("maxLength", || {
                    format!("must have at most {max} {}", characters(*max))
                })
        }
        Assertion::Pattern(pattern) => {
            pattern.is_match(text)
                || report.refuse("pattern", || {
                    format!("must match the pattern {}", pattern.source())
                })
        }
        Assertion::Format(format) => {
            format.accepts(text)
                || report.refuse("format", || {
                    format!("must be {}", format::noun(&format.name))
                })
        }
        Assertion::Worded(worded) => check_worded(worded, text, report),
        _ => true,
    }
}

/// The words are of the whole form, so that they are said once.
fn check_worded(worded: &Worded, text: &str, report: &mut Report<'_>) -> bool {
    let Worded {
        pattern,
        format,
        message,
    } = worded;
    let refused = if pattern.as_ref().is_some_and(|it| !it.is_match(text)) {
        "pattern"
    } else if format.as_ref().is_some_and(|it| !it.accepts(text)) {
        "format"
    } else {
        return true;
    };
    report.refuse(refused, || message.clone())
}

fn integer_format(format: &str, number: &Number, report: &mut Report<'_>) -> bool {
    is_within_format(format, number)
        || report.refuse("format", || match format::integer_range(format) {
            Some((min, max)) => format!("must be an integer from {min} to {max}"),
            None => "must match its format".to_owned(),
        })
}

/// Whether a number is in the range of its format, if that is one of integers.
pub fn is_within_format(format: &str, number: &Number) -> bool {
    let Some((min, max)) = format::integer_range(format) else {
        return true;
    };
    let whole = number.as_i128();
    let whole = whole.or_else(|| Decimal::of(number)?.to_i128());
    whole.is_some_and(|whole| (min..=max).contains(&whole))
}

/// Whether `value` has one of `types`.
pub fn is_of(types: Types, value: &Value) -> bool {
    let own = match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(number) if is_integer(number) => Types::INTEGER,
        Value::Number(_) => Types::NUMBER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    };
    types.contains(own)
}

/// Whether a number has no fraction, however it is written.
pub(crate) fn is_integer(number: &Number) -> bool {
    let small = number.is_i64() || number.is_u64();
    small || Decimal::of(number).is_some_and(|decimal| decimal.is_integer())
}

/// Compares two numbers exactly.
#[must_use]
pub fn compare(left: &Number, right: &Number) -> Ordering {
    match (left.as_i128(), right.as_i128()) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => Decimal::of(left).cmp(&Decimal::of(right)),
    }
}

/// Whether a number is a multiple of another, exactly.
#[must_use]
pub fn is_multiple(number: &Number, divisor: &Number) -> bool {
    match (Decimal::of(number), Decimal::of(divisor)) {
        (Some(number), Some(divisor)) => number.is_multiple_of(&divisor),
        _ => false,
    }
}

/// Length in code points (2020-12 Validation, section 6.3.1).
fn length(text: &str) -> u64 {
    text.chars().map(|_| 1).sum()
}

const fn characters(count: u64) -> &'static str {
    if count == 1 {
        "character"
    } else {
        "characters"
    }
}

fn list(values: &[Value]) -> String {
    let mut texts: Vec<String> = values.iter().take(LISTED).map(Value::to_string).collect();
    if values.len() > LISTED {
        texts.push(format!("{} more", values.len() - LISTED));
    }
    texts.join(", ")
}
