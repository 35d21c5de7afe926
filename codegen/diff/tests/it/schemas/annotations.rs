//! Keywords that decide nothing by themselves: defaults, extensible lists, encodings.

use crate::contract::{compare, request, response};
use diff::Severity;

#[test]
fn an_enum_that_says_it_may_grow_may_grow() {
    let report = compare(
        &response("{ enum: [a], x-extensible-enum: true }"),
        &response("{ enum: [a, b], x-extensible-enum: true }"),
    );
    assert!(!report.is_breaking(), "{}", report.to_text());
}

#[test]
fn what_cannot_be_proven_is_called_possible() {
    // The interpreter takes content encodings for annotations.
    let report = compare(
        &request("{ type: string, contentEncoding: base64 }"),
        &request("{ type: string, contentEncoding: base32 }"),
    );
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert_eq!(report.count(Severity::Possible), 1, "{}", report.to_text());
}

#[test]
fn a_default_that_changes_is_told_and_breaks_nothing() {
    let before = request("{ type: object, properties: { a: { type: integer, default: 1 } } }");
    let after = request("{ type: object, properties: { a: { type: integer, default: 2 } } }");
    let report = compare(&before, &after);
    assert!(!report.is_breaking());
    assert_eq!(report.count(Severity::Possible), 1, "{}", report.to_text());
}
