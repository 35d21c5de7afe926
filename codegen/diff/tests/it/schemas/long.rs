//! Limits that only a very long value crosses.

use super::valid;
use crate::contract::{compare, only, request, response};
use diff::Severity;
use serde_json::Value;

#[test]
fn a_very_long_value_is_elided_in_every_format() {
    for (schema, shown, instance) in [
        (
            "{ type: string, maxLength: 300000 }",
            "(300001 characters)",
            Value::String("a".repeat(300_001)),
        ),
        (
            "{ type: array, maxItems: 400000 }",
            "[\"a\",… (400001 items)]",
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
            assert!(
                witness.shown.as_ref().unwrap().contains(shown),
                "{witness:?}"
            );
            assert_eq!(witness.value, None);
            assert!(report.to_json().len() < 2_000);
        }
        assert!(valid(&wide, &instance) && !valid(schema, &instance));
    }
}
