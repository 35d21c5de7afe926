//! Numbers: limits, steps and widths.

use super::Case;
use crate::contract::{compare, only, request};
use diff::Severity;

/// Pairs of schemas of which the second accepts less.
pub(super) const NARROWED: &[Case] = &[
    (
        "maximum",
        "{ type: integer }",
        "{ type: integer, maximum: 9223372036854775807 }",
    ),
    (
        "maximum",
        "{ type: number }",
        "{ type: number, maximum: 1.0e+30 }",
    ),
    (
        "exclusiveMinimum",
        "{ type: number, minimum: 0 }",
        "{ type: number, exclusiveMinimum: 0 }",
    ),
    (
        "multipleOf",
        "{ type: number }",
        "{ type: number, multipleOf: 0.01 }",
    ),
    (
        "minimum",
        "{ type: integer, minimum: 1 }",
        "{ type: integer, minimum: 5 }",
    ),
    (
        "minimum",
        "{ type: integer }",
        "{ type: integer, minimum: 1000000 }",
    ),
    (
        "maximum",
        "{ type: integer, maximum: 200 }",
        "{ type: integer, maximum: 100 }",
    ),
    (
        "maximum",
        "{ type: number, maximum: 0.5 }",
        "{ type: number, maximum: 0.25 }",
    ),
    (
        "exclusiveMinimum",
        "{ type: number }",
        "{ type: number, exclusiveMinimum: 0 }",
    ),
    (
        "exclusiveMaximum",
        "{ type: number, exclusiveMaximum: 9 }",
        "{ type: number, exclusiveMaximum: 3 }",
    ),
    (
        "multipleOf",
        "{ type: integer }",
        "{ type: integer, multipleOf: 5 }",
    ),
    (
        "multipleOf",
        "{ type: number, multipleOf: 0.5 }",
        "{ type: number, multipleOf: 1.5 }",
    ),
    (
        "format",
        "{ type: integer, format: int64 }",
        "{ type: integer, format: int32 }",
    ),
];

#[test]
fn an_integer_that_has_a_width_takes_less() {
    for format in ["int64", "uint64"] {
        let narrow = format!("{{ type: integer, format: {format} }}");
        let report = compare(&request("{ type: integer }"), &request(&narrow));
        let change = only(&report, Severity::Breaking);
        assert_eq!(change.kind, "request-body-format");
    }
}
