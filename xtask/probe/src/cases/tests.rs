//! Tests of the cases that are derived from schemas.

use super::*;

#[track_caller]
fn check(schema: Value, valid: Value, within: &[Value], beyond: &[(&str, &str, Value)]) {
    let cases = all(&schema, &valid, false);
    let fitting = cases.iter().filter(|case| case.breaks.is_none());
    let fitting: Vec<Value> = fitting.map(|case| case.value.clone()).collect();
    assert_eq!(fitting, within);
    let breaking = cases
        .iter()
        .filter_map(|case| Some((case.breaks.as_ref()?, case)));
    let breaking =
        breaking.map(|(b, case)| (b.at.as_str(), b.keyword.as_str(), case.value.clone()));
    assert_eq!(breaking.collect::<Vec<_>>(), beyond);
}

#[test]
fn bounds_of_numbers() {
    let schema =
        json!({ "type": "integer", "minimum": 1, "exclusiveMaximum": 10, "multipleOf": 3 });
    let beyond = [
        ("", "type", json!("zzzz")),
        ("", "type", json!(1.5)),
        ("", "minimum", json!(-2)),
        ("", "exclusiveMaximum", json!(10)),
        ("", "multipleOf", json!(4)),
    ];
    // Neither 1 nor 7 short of 10 is a multiple of 3, so only one edge is valid.
    check(schema, json!(3), &[], &beyond);
    let schema = json!({ "minimum": 2, "maximum": 4 });
    let beyond = [("", "minimum", json!(1)), ("", "maximum", json!(5))];
    check(schema, json!(3), &[json!(2), json!(4)], &beyond);
}

#[test]
fn lengths_are_of_code_points() {
    let schema = json!({ "minLength": 1, "maxLength": 2 });
    let beyond = [
        ("", "minLength", json!("")),
        ("", "maxLength", json!("😀😀😀")),
    ];
    check(schema, json!("a"), &[json!("😀"), json!("😀😀")], &beyond);
}

#[test]
fn members_and_items_are_looked_into() {
    let schema = json!({
        "properties": { "list": { "items": { "enum": ["a"] } }, "free": {} },
        "required": ["list"],
    });
    let without = json!({ "list": ["a"] });
    let within = [json!({ "list": ["a"], "free": 1 }), without];
    let beyond = [
        ("/list", "required", json!({ "free": 1 })),
        ("/list/0", "enum", json!({ "list": ["zzzz"], "free": 1 })),
    ];
    check(
        schema,
        json!({ "list": ["a"], "free": 1 }),
        &within,
        &beyond,
    );
}
