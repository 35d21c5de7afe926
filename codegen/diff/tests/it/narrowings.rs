//! Breaks at random places of a large contract: each is found, deep inside bodies as well.

use crate::contract::compare;
use crate::rewrite::{Dice, at_schema};
use diff::{Report, Severity};
use serde_json::{Value, json};

/// How many places are narrowed, one at a time.
const ROUNDS: u64 = 16;

#[test]
fn our_own_contract_cannot_be_narrowed_unnoticed() {
    let (used, unsure) = cannot_be_narrowed(include_str!("../../../../spec/openapi.yaml"), ROUNDS);
    // Of a map whose names have a pattern, a change may be possible at most.
    assert!(used == ROUNDS && unsure <= 1, "{used} {unsure}");
}

#[test]
fn documents_of_all_shapes_cannot_be_narrowed_unnoticed() {
    for document in [
        include_str!("../../../tests/behaviour/shapes.yaml"),
        include_str!("../../../tests/golden/operation/spec.yaml"),
    ] {
        let (used, unsure) = cannot_be_narrowed(document, 3 * ROUNDS);
        // Of variants that overlap, many a change is possible at most.
        assert!(used > ROUNDS && unsure < ROUNDS / 2, "{used} {unsure}");
    }
}

/// In how many rounds a narrowed schema is used, and in how many a change is possible.
fn cannot_be_narrowed(document: &str, rounds: u64) -> (u64, u64) {
    let before: Value = serde_yaml::from_str(document).unwrap();
    let known_values = known_values_of_open_enums(&before);
    let (mut used, mut unsure) = (0, 0);
    for seed in 0..rounds {
        let mut after = before.clone();
        let mut what = Value::Null;
        at_schema(&mut after, &mut Dice(seed), "narrow", |schema| {
            let Some(extra) = schema.get("type").and_then(narrower) else {
                return false;
            };
            if known_values
                .iter()
                .any(|known| known.as_object() == Some(schema))
            {
                return false;
            }
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
        let possible = there.count(Severity::Possible) + back.count(Severity::Possible);
        unsure += u64::from(possible > 0);
    }
    (used, unsure)
}

/// Schemas beside a plain `type: string` in an `anyOf` of a component: the union accepts every
/// string, so narrowing them changes no value.
fn known_values_of_open_enums(document: &Value) -> Vec<&Value> {
    let schemas = document["components"]["schemas"].as_object();
    let unions = schemas
        .into_iter()
        .flatten()
        .filter_map(|(_, schema)| schema["anyOf"].as_array());
    unions
        .filter(|branches| branches.contains(&json!({ "type": "string" })))
        .flatten()
        .filter_map(|branch| branch["$ref"].as_str()?.strip_prefix('#'))
        .filter_map(|pointer| document.pointer(pointer))
        .collect()
}

/// Whether there is a break, each with a witness, or one is suspected.
fn noticed(report: &Report) -> bool {
    let mut breaks = report.of(Severity::Breaking);
    let is_told = report.is_breaking() || report.count(Severity::Possible) > 0;
    is_told && breaks.all(|change| change.witness.is_some())
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
