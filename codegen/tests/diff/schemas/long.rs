//! Limits that only a value crosses which is too long to be written down.

use super::valid;
use crate::contract::{compare, only, request, response};
use codegen::diff::Severity;
use serde_json::Value;

#[test]
fn a_value_too_long_to_be_written_down_is_told_by_how_it_is_made() {
    for (schema, made, instance) in [
        (
            "{ type: string, maxLength: 300000 }",
            "\"a\" × 300001",
            Value::String("a".repeat(300_001)),
        ),
        (
            "{ type: array, maxItems: 400000 }",
            "[\"a\"] × 400001",
            Value::Array(vec!["a".into(); 400_001]),
        ),
    ] {
        let wide = schema.replace("000 ", "002 ");
        for (before, after, body) in [
            (&*wide, schema, request as fn(&str) -> Value),
            (schema, &*wide, response),
        ] {
            let report = compare(&body(before), &body(after));
            let witness = only(&report, Severity::Breaking).witness.as_ref().unwrap();
            assert_eq!(witness.made.as_deref(), Some(made));
            assert_eq!(witness.value, None);
            assert!(report.to_json().len() < 2_000);
        }
        assert!(valid(&wide, &instance) && !valid(schema, &instance));
    }
}
