//! Breaking changes that are accepted with a reason.

use crate::contract::{compare, request};
use diff::{AcceptedBreaks, Severity};

#[test]
fn an_accepted_break_no_longer_fails() {
    let (before, after) = (
        request("{ type: string }"),
        request("{ type: string, maxLength: 5 }"),
    );
    let mut report = compare(&before, &after);
    assert!(report.is_breaking() && !report.is_announced());
    let accepted = AcceptedBreaks::parse(
        "- { kind: request-body-maxLength, operation: POST /a, reason: Nobody sends more. }
- { kind: request-body-maxLength, operation: POST /b, reason: Another operation. }",
    );
    let accepted = accepted.unwrap();
    let unused = report.accept(&accepted);
    assert_eq!(unused.len(), 1);
    assert_eq!(unused[0].operation.as_deref(), Some("POST /b"));
    assert!(!report.is_breaking() && report.is_announced());
    assert_eq!(report.count(Severity::Breaking), 1);
    for text in [report.to_text(), report.to_markdown(), report.to_json()] {
        assert!(text.contains("Nobody sends more."), "{text}");
    }
}

#[test]
fn an_entry_without_a_reason_is_an_error() {
    assert!(AcceptedBreaks::parse("- { kind: operation-removed }").is_err());
    assert!(AcceptedBreaks::parse("- { kind: operation-removed, reason: ' ' }").is_err());
    assert!(AcceptedBreaks::parse("- { kind: a, reason: b, becuase: c }").is_err());
}

#[test]
fn a_file_without_entries_accepts_nothing() {
    for text in ["", "\n", "# None yet.\n", "[]"] {
        assert!(AcceptedBreaks::parse(text).is_ok(), "{text:?}");
    }
}
