//! A lower bound is not above the upper one.

use super::Findings;
use super::subject::{Members, Subject};
use json_schema::number::decimal::Decimal;
use serde_json::Value;
use std::cmp::Ordering;

/// Keywords that bound the same quantity from below and from above.
const PAIRS: &[(&str, &str)] = &[
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
    ("minimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        for (lower, upper) in PAIRS {
            if contradict(spot.members, lower, upper) == Some(true) {
                let message = format!("no value satisfies both `{lower}` and `{upper}`");
                let problem = findings.problem(&spot.at.child(lower), message);
                findings.add(problem.related(&spot.at.child(upper), "the upper bound"));
            }
        }
    }
}

/// Whether no number lies between two bounds; `None` where they are not both numbers.
fn contradict(members: &Members, lower: &str, upper: &str) -> Option<bool> {
    let number = |name: &str| members.get(name).and_then(Value::as_number);
    let order = Decimal::of(number(lower)?)?.cmp(&Decimal::of(number(upper)?)?);
    let exclusive = lower.starts_with("exclusive") || upper.starts_with("exclusive");
    Some(order == Ordering::Greater || (exclusive && order == Ordering::Equal))
}
