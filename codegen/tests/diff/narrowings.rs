//! Breaks at random places of a large contract: each is found, deep inside bodies as well.

use crate::contract::compare;
use crate::rewrite::{Dice, at_schema};
use codegen::diff::{Report, Severity};
use serde_json::{Value, json};

/// How many places are narrowed, one at a time.
const ROUNDS: u64 = 16;

#[test]
fn our_own_contract_cannot_be_narrowed_unnoticed() {
    let before: Value = serde_yaml::from_str(include_str!("../../../spec/openapi.yaml")).unwrap();
    for seed in 0..ROUNDS {
        let mut after = before.clone();
        let mut what = Value::Null;
        at_schema(&mut after, &mut Dice(seed), "narrow", |schema| {
            let Some(extra) = schema.get("type").and_then(narrower) else {
                return false;
            };
            let whole = Value::Object(std::mem::take(schema));
            what = json!([whole, extra]);
            schema.insert("allOf".into(), what.clone());
            true
        });
        // A request breaks where it may say less, a response where, the other way, it may say more.
        let (there, back) = (compare(&before, &after), compare(&after, &before));
        assert!(
            noticed(&there) || noticed(&back),
            "seed {seed}: {what}\n{}",
            there.to_text()
        );
        let unsure = there.count(Severity::Possible) + back.count(Severity::Possible);
        assert_eq!(
            unsure,
            0,
            "seed {seed}: {what}\n{}{}",
            there.to_text(),
            back.to_text()
        );
    }
}

fn noticed(report: &Report) -> bool {
    let mut breaks = report.of(Severity::Breaking);
    report.is_breaking() && breaks.all(|change| change.witness.is_some())
}

/// Something that the contract's schemas of that type do not say yet.
fn narrower(kind: &Value) -> Option<Value> {
    Some(match kind.as_str()? {
        "string" => json!({ "maxLength": 0 }),
        "integer" | "number" => json!({ "multipleOf": 7919 }),
        "array" => json!({ "maxItems": 0 }),
        "object" => json!({ "required": ["somethingElse"] }),
        "boolean" => json!({ "type": "null" }),
        _ => return None,
    })
}
