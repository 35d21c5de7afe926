//! The schema interpreter: its verdicts, places and messages.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use json_schema::{Issue, Issues, Place, Schemas};
use serde_json::{Value, json};

fn bundle(schema: &Value) -> Schemas {
    Schemas::parse(&json!({ "Root": schema }).to_string())
}

fn issues(schemas: &Schemas, value: &Value) -> Vec<Issue> {
    let mut issues = Issues::new();
    schemas.validate("Root", value, Place::Body, "", &mut issues);
    issues.into_vec()
}

#[track_caller]
fn check(schema: Value, value: Value, expected: &[(&str, &str, &str)]) {
    let schemas = bundle(&schema);
    let found = issues(&schemas, &value);
    let found: Vec<_> = found
        .iter()
        .map(|i| (i.at.as_str(), i.keyword, i.message.as_str()))
        .collect();
    assert_eq!(found, expected, "{schema} of {value}");
    assert_eq!(schemas.is_valid("Root", &value), expected.is_empty());
}

#[test]
fn every_violation_is_named_with_its_place_and_bound() {
    let schema = json!({
        "type": "object",
        "required": ["charityBeneficiaries"],
        "additionalProperties": false,
        "properties": {
            "charityBeneficiaries": {
                "type": "array", "minItems": 1, "maxItems": 5,
                "items": {
                    "type": "object",
                    "required": ["charityId", "weight"],
                    "additionalProperties": false,
                    "properties": {
                        "charityId": { "type": "string", "minLength": 1, "maxLength": 3 },
                        "weight": { "type": "integer", "minimum": 1, "maximum": 1_000_000 },
                    },
                },
            },
        },
    });
    let value = json!({
        "charityBeneficiaries": [
            { "charityId": "", "weight": 0 },
            { "charityId": "abcd", "weight": 1.5, "a/b~c": true },
            { "weight": "3" },
        ],
        "extra": 1,
    });
    let at = |tail: &str| format!("/charityBeneficiaries/{tail}");
    check(
        schema,
        value,
        &[
            (
                &at("0/charityId"),
                "minLength",
                "must have at least 1 character",
            ),
            (&at("0/weight"), "minimum", "must be at least 1"),
            (
                &at("1/charityId"),
                "maxLength",
                "must have at most 3 characters",
            ),
            (&at("1/weight"), "type", "must be an integer"),
            (
                &at("1/a~1b~0c"),
                "additionalProperties",
                "is not a known property",
            ),
            (&at("2/charityId"), "required", "is required"),
            (&at("2/weight"), "type", "must be an integer"),
            ("/extra", "additionalProperties", "is not a known property"),
        ],
    );
}

#[test]
fn messages_name_what_is_allowed() {
    check(
        json!({ "type": ["string", "null"] }),
        json!(5),
        &[("", "type", "must be a string or null")],
    );
    check(
        json!({ "type": ["integer", "number"] }),
        json!("5"),
        &[("", "type", "must be a number")],
    );
    check(
        json!({ "enum": ["a", 1] }),
        json!("b"),
        &[("", "enum", "must be one of \"a\", 1")],
    );
    check(
        json!({ "const": 1 }),
        json!(2),
        &[("", "const", "must be 1")],
    );
    check(
        json!({ "pattern": "^0x" }),
        json!("1x"),
        &[("", "pattern", "must match the pattern ^0x")],
    );
    check(
        json!({ "multipleOf": 0.01 }),
        json!(0.015),
        &[("", "multipleOf", "must be a multiple of 0.01")],
    );
    check(
        json!({ "exclusiveMaximum": 2 }),
        json!(2),
        &[("", "exclusiveMaximum", "must be less than 2")],
    );
    check(
        json!({ "maxItems": 1 }),
        json!([1, 2]),
        &[("", "maxItems", "must have at most 1 item")],
    );
    check(
        json!({ "minProperties": 2 }),
        json!({}),
        &[("", "minProperties", "must have at least 2 properties")],
    );
    check(
        json!({ "format": "uuid" }),
        json!("x"),
        &[("", "format", "must be a UUID (RFC 9562)")],
    );
    check(
        json!({ "format": "int32" }),
        json!(2_147_483_648_u64),
        &[(
            "",
            "format",
            "must be an integer from -2147483648 to 2147483647",
        )],
    );
}

#[test]
fn a_value_of_another_type_breaks_that_alone() {
    check(
        json!({ "minimum": 1, "format": "int32", "type": "integer", "multipleOf": 2 }),
        json!(0.5),
        &[("", "type", "must be an integer")],
    );
    check(
        json!({ "type": "string", "enum": ["a"], "allOf": [{ "type": "string" }] }),
        json!(1),
        &[("", "type", "must be a string")],
    );
}

#[test]
fn words_of_a_schema_stand_for_its_pattern_and_format() {
    let words = "must be a day of this century";
    let day = json!({ "format": "date", "pattern": "^20", "maxLength": 10, "x-message": words });
    check(day.clone(), json!("2026-11-26"), &[]);
    check(day.clone(), json!("1999-12-31"), &[("", "pattern", words)]);
    check(day.clone(), json!("2026-02-30"), &[("", "format", words)]);
    // Both are broken, and said once; a bound is named as ever.
    check(
        day,
        json!("the first of May"),
        &[
            ("", "maxLength", "must have at most 10 characters"),
            ("", "pattern", words),
        ],
    );
    check(
        json!({ "format": "int32", "pattern": "^1", "x-message": words }),
        json!(2_147_483_648_u64),
        &[(
            "",
            "format",
            "must be an integer from -2147483648 to 2147483647",
        )],
    );
    check(
        json!({ "minLength": 2, "x-message": words }),
        json!("a"),
        &[("", "minLength", "must have at least 2 characters")],
    );
    check(
        json!({ "pattern": 1, "x-message": words }),
        json!("a"),
        &[("", "schema", "cannot be checked")],
    );
}

#[test]
fn a_union_is_explained_by_the_branch_that_was_meant() {
    let cat = json!({ "type": "object", "properties": { "kind": { "const": "cat" }, "lives": { "maximum": 9 } } });
    let dog = json!({ "type": "object", "properties": { "kind": { "const": "dog" } } });
    let schema = json!({ "oneOf": [cat, dog, { "type": "null" }] });
    check(
        schema.clone(),
        json!({ "kind": "cat", "lives": 10 }),
        &[("/lives", "maximum", "must be at most 9")],
    );
    check(
        schema.clone(),
        json!({ "kind": "cow" }),
        &[("", "oneOf", "must match at least one of 3 variants")],
    );
    check(
        schema.clone(),
        json!(5),
        &[("", "type", "must be an object or null")],
    );
    check(
        schema,
        json!({}),
        &[(
            "",
            "oneOf",
            "must match exactly one of 3 variants, but matches 2",
        )],
    );
}

#[test]
fn alternative_properties_are_named() {
    let branches = json!([{ "required": ["a"] }, { "required": ["b"] }]);
    let one = json!({ "oneOf": branches });
    check(one.clone(), json!({ "a": 1 }), &[]);
    check(
        one.clone(),
        json!({}),
        &[("", "oneOf", "must have exactly one of a, b")],
    );
    check(
        one,
        json!({ "a": 1, "b": 2 }),
        &[("", "oneOf", "must have exactly one of a, b")],
    );
    check(
        json!({ "anyOf": branches }),
        json!({}),
        &[("", "anyOf", "must have at least one of a, b")],
    );
}

#[test]
fn a_name_that_is_not_allowed_is_explained() {
    let named = |names: Value| json!({ "type": "object", "propertyNames": names });
    check(
        named(json!({ "pattern": "^[a-z]+$", "x-message": "must be lower-case letters" })),
        json!({ "a": 1, "B": 2 }),
        &[(
            "/B",
            "propertyNames",
            "has an invalid name: must be lower-case letters",
        )],
    );
    check(
        named(json!({ "maxLength": 1 })),
        json!({ "ab": 1 }),
        &[(
            "/ab",
            "propertyNames",
            "has an invalid name: must have at most 1 character",
        )],
    );
}

#[test]
fn a_discriminator_names_the_branch() {
    let schemas = Schemas::parse(
        &json!({
            "Root": {
                "oneOf": [{ "$ref": "#/Cat" }, { "$ref": "#/Big~1Dog" }, { "type": "null" }],
                "discriminator": {
                    "propertyName": "kind",
                    "mapping": { "kitten": "Cat", "cat": "Cat", "dog": "Big/Dog" },
                },
            },
            // Each fits what the other is, save for its own members.
            "Cat": { "type": "object", "properties": { "lives": { "maximum": 9 } } },
            "Big/Dog": { "type": "object", "properties": { "tricks": { "type": "array" } } },
        })
        .to_string(),
    );
    for (value, expected) in [
        (json!({ "kind": "cat", "lives": 9 }), None),
        (json!({ "kind": "kitten", "tricks": 1 }), None),
        (json!({ "kind": "dog", "lives": 10 }), None),
        (json!(null), None),
        (
            json!({ "kind": "cat", "lives": 10 }),
            Some(("/lives", "maximum")),
        ),
        (
            json!({ "kind": "dog", "tricks": 1 }),
            Some(("/tricks", "type")),
        ),
        (json!({ "kind": "cow" }), Some(("/kind", "discriminator"))),
        (json!({}), Some(("/kind", "discriminator"))),
        (json!("cat"), Some(("", "type"))),
    ] {
        let found = issues(&schemas, &value);
        let found: Vec<_> = found.iter().map(|i| (i.at.as_str(), i.keyword)).collect();
        assert_eq!(found, Vec::from_iter(expected), "{value}");
    }
}

#[test]
fn a_discriminator_that_names_not_every_branch_is_only_a_hint() {
    let schema = json!({
        "anyOf": [{ "type": "object", "required": ["a"] }, { "$ref": "#/Other" }],
        "discriminator": { "propertyName": "kind" },
    });
    check(schema, json!({ "kind": "Unknown", "a": 1 }), &[]);
}

#[test]
fn numbers_are_compared_exactly() {
    check(json!({ "const": 1 }), json!(1.0), &[]);
    check(
        json!({ "type": "integer", "enum": [[1], 100] }),
        json!(1e2),
        &[],
    );
    check(json!({ "multipleOf": 0.1 }), json!(0.3), &[]);
    check(json!({ "multipleOf": 0.000_1 }), json!(0.007_5), &[]);
    check(json!({ "maximum": u64::MAX }), json!(u64::MAX), &[]);
    let above = json!({ "maximum": 9_007_199_254_740_992_u64 });
    check(
        above,
        json!(9_007_199_254_740_993_u64),
        &[("", "maximum", "must be at most 9007199254740992")],
    );
    check(
        json!({ "uniqueItems": true }),
        json!([{ "a": 1, "b": [0] }, { "b": [-0.0], "a": 1.0 }]),
        &[("", "uniqueItems", "must not contain duplicate items")],
    );
}

#[test]
fn what_is_malformed_refuses_everything() {
    for schema in [
        json!({ "type": 5 }),
        json!({ "$ref": "#/Nowhere" }),
        json!(7),
        json!({ "items": 3 }),
    ] {
        let schemas = bundle(&schema);
        let found = issues(&schemas, &json!([1]));
        assert_eq!(found.first().map(|i| i.keyword), Some("schema"), "{schema}");
    }
    assert!(!Schemas::parse("not JSON").is_valid("Root", &json!(1)));
    // A pattern that does not compile matches nothing.
    assert!(!bundle(&json!({ "pattern": "(?=a)a++" })).is_valid("Root", &json!("a")));
}

#[test]
fn references_may_recur_without_end() {
    let schemas = Schemas::parse(
        r##"{"A": {"$ref": "#/B"}, "B": {"$ref": "#/A"}, "Root": {"$ref": "#/A"}}"##,
    );
    assert!(schemas.is_valid("Root", &json!({ "any": "thing" })));
    let _ = schemas.json_type("Root").types();
}

#[test]
fn nested_unions_take_time_in_proportion_to_the_value() {
    // Without memory each level would be evaluated four times by the level
    // above: 4^100 evaluations.
    let schemas = Schemas::parse(
        r##"{"Root": {"anyOf": [
            {"properties": {"a": {"$ref": "#/Root"}}, "required": ["x"]},
            {"properties": {"a": {"$ref": "#/Root"}}, "required": ["y"], "unevaluatedProperties": false},
            {"properties": {"a": {"$ref": "#/Root"}}, "required": ["z"]},
            {"type": "integer"}
        ]}}"##,
    );
    let mut value = json!("neither");
    for _ in 0..100 {
        value = json!({ "a": value, "y": 1 });
    }
    assert!(!schemas.is_valid("Root", &value));
    assert!(!issues(&schemas, &value).is_empty());
}

#[test]
fn what_is_evaluated_is_decided_once() {
    // A schema without a reference, asked for by `unevaluatedProperties` on each of its levels.
    let leaf = json!({ "properties": { "a": true } });
    let nested = (0..40).fold(
        leaf,
        |inner, _| json!({ "anyOf": [inner, false], "unevaluatedProperties": false }),
    );
    assert!(bundle(&nested).is_valid("Root", &json!({ "a": 1 })));
    assert!(!bundle(&nested).is_valid("Root", &json!({ "b": 1 })));
    // And one that comes back to itself, through each of several others.
    let names: Vec<_> = (0..6).map(|index| format!("M{index}")).collect();
    let all: Vec<_> = names
        .iter()
        .map(|name| json!({ "$ref": format!("#/{name}") }))
        .collect();
    let each = json!({ "anyOf": [
        { "type": "string" },
        { "allOf": all, "unevaluatedProperties": false },
    ] });
    let bundle: serde_json::Map<_, _> = names
        .iter()
        .map(|name| (name.clone(), each.clone()))
        .collect();
    let schemas = Schemas::parse(&Value::Object(bundle).to_string());
    assert!(schemas.is_valid("M0", &json!("text")));
    assert!(schemas.is_valid("M0", &json!({})));
}

#[test]
fn the_deepest_value_fits_a_small_stack() {
    // Five schemas a level at the 128 levels that JSON may have are fine; 300
    // levels, which only a caller could build, are refused.
    for (depth, expected) in [(127, 0), (300, 1)] {
        let schemas = Schemas::parse(
            r##"{"Root": {"allOf": [{"$ref": "#/Item"}]},
                "Item": {"anyOf": [{"$ref": "#/List"}, {"type": "null"}]},
                "List": {"type": "array", "items": {"$ref": "#/Root"}}}"##,
        );
        let mut value = Value::Null;
        for _ in 0..depth {
            value = json!([value]);
        }
        let evaluation = std::thread::Builder::new().stack_size(1 << 20);
        let evaluation = evaluation
            .spawn(move || issues(&schemas, &value).len())
            .unwrap();
        assert_eq!(evaluation.join().unwrap(), expected);
    }
}

#[test]
fn the_list_of_issues_is_capped_and_repeats_nothing_that_was_sent() {
    let schemas = bundle(&json!({ "items": { "type": "integer" } }));
    let found = issues(&schemas, &Value::Array(vec![json!("SECRET"); 10_000]));
    assert_eq!(found.len(), Issue::CAP);
    assert!(found.iter().all(|issue| !issue.message.contains("SECRET")));
    let found = issues(
        &bundle(&json!({ "additionalProperties": false })),
        &json!({ "é".repeat(9_000): 1 }),
    );
    assert_eq!(found[0].at.chars().count(), 257);
}

#[test]
fn floats_become_integers_only_where_integers_are_wanted() {
    let schemas = bundle(&json!({
        "properties": { "i": { "type": ["integer", "null"] }, "n": { "type": "number" } },
        "prefixItems": [{ "allOf": [{ "$ref": "#/Int" }] }],
    }));
    let mut value = json!({ "i": 3.0, "n": 3.0, "other": 3.0 });
    schemas.normalise("Root", &mut value);
    assert_eq!(value.to_string(), r#"{"i":3,"n":3.0,"other":3.0}"#);
}

/// A list of nodes whose kind the outermost resource decides, as the generator
/// writes `$dynamicRef` and the anchors of a resource.
const TREES: &str = r##"{
    "Tree": {
        "$dynamicScope": { "node": "#/Tree" },
        "type": "object",
        "properties": { "children": { "items": { "$dynamicRef": { "anchor": "node", "to": "#/Tree" } } } }
    },
    "Strict": {
        "$dynamicScope": { "node": "#/Strict" },
        "$ref": "#/Tree",
        "required": ["name"]
    },
    "Both": { "properties": { "loose": { "$ref": "#/Tree" }, "strict": { "$ref": "#/Strict" } } }
}"##;

#[test]
fn the_outermost_resource_says_what_a_dynamic_anchor_means() {
    let schemas = Schemas::parse(TREES);
    let nameless = json!({ "name": "a", "children": [{ "children": [] }] });
    assert!(schemas.is_valid("Tree", &nameless));
    assert!(!schemas.is_valid("Strict", &nameless));
    // What was found in one scope is not remembered in another.
    assert!(schemas.is_valid("Both", &json!({ "loose": nameless })));
    assert!(!schemas.is_valid("Both", &json!({ "loose": nameless, "strict": nameless })));
}
