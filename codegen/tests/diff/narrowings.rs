//! Breaks at random places of a large contract: each is found, deep inside bodies as well.

use crate::contract::compare;
use crate::rewrite::{Dice, at_schema};
use codegen::diff::{Report, Severity};
use serde_json::{Value, json};

/// How many places are narrowed, one at a time.
const ROUNDS: u64 = 16;

#[test]
fn our_own_contract_cannot_be_narrowed_unnoticed() {
    let used = cannot_be_narrowed(include_str!("../../../spec/openapi.yaml"), ROUNDS);
    assert_eq!(used, ROUNDS);
}

#[test]
fn documents_of_all_shapes_cannot_be_narrowed_unnoticed() {
    for document in [
        include_str!("../behaviour/shapes.yaml"),
        include_str!("../golden/operation/spec.yaml"),
    ] {
        assert!(cannot_be_narrowed(document, 3 * ROUNDS) > ROUNDS);
    }
}

/// In how many rounds what was narrowed is used.
fn cannot_be_narrowed(document: &str, rounds: u64) -> u64 {
    let before: Value = serde_yaml::from_str(document).unwrap();
    let mut used = 0;
    for seed in 0..rounds {
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
        // Some components are there for others that refer to them, and used by no operation.
        let unused = there.changes.is_empty() && back.changes.is_empty();
        used += u64::from(!unused);
        assert!(
            unused || noticed(&there) || noticed(&back),
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
    used
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
