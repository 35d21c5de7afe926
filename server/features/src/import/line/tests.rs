//! Tests that the schemas agree with the decoder, and of the checks beyond the schemas.

use generated::operations::OPERATIONS;
use serde_json::{Value, json};

use super::*;
use crate::import::tests::schemas;

/// A decoder that knows the chain of the examples.
fn decoder() -> Decoder {
    let mut decoder = Decoder::new(&[]);
    decoder
        .decode(examples("chain")[0].to_string().as_bytes())
        .unwrap();
    decoder
}

fn examples(kind: &str) -> Vec<Value> {
    let mut schemas = schemas().into_iter();
    let (_, schema) = schemas.find(|(name, _)| name == kind).unwrap();
    examples_of(&schema)
}

fn examples_of(schema: &Value) -> Vec<Value> {
    schema["examples"].as_array().unwrap().clone()
}

fn members(object: &Value) -> Vec<String> {
    object.as_object().unwrap().keys().cloned().collect()
}

/// An example with each of its members in turn.
fn with_members(example: &Value) -> Vec<(&Value, String)> {
    members(example)
        .into_iter()
        .map(|member| (example, member))
        .collect()
}

fn pointers(outcome: Result<Record, Vec<LineError>>) -> Vec<String> {
    outcome
        .unwrap_err()
        .into_iter()
        .map(|error| error.pointer)
        .collect()
}

#[test]
fn the_examples_show_every_member() {
    for (kind, schema) in schemas() {
        let shown: Vec<_> = examples_of(&schema).iter().flat_map(members).collect();
        for member in members(&schema["properties"]) {
            assert!(shown.contains(&member), "{member} of {kind}");
        }
    }
}

#[test]
fn only_optional_members_may_be_left_out() {
    let mut decoder = decoder();
    for (kind, schema) in schemas() {
        let required = &schema["required"];
        for (example, member) in examples_of(&schema).iter().flat_map(with_members) {
            let mut line = example.clone();
            line.as_object_mut().unwrap().shift_remove(&member);
            let decoded = decoder.decode(line.to_string().as_bytes());
            // One of both is required, which is not said by `required` of the object itself.
            let either = kind == "campaign" && ["charity", "config"].contains(&member.as_str());
            let needed = either || required.as_array().unwrap().contains(&json!(member));
            assert_eq!(decoded.is_err(), needed, "{kind} without {member}");
        }
    }
}

#[test]
fn a_value_of_another_type_is_reported_with_its_place() {
    let mut decoder = decoder();
    for (_, schema) in schemas() {
        for (example, member) in examples_of(&schema).iter().flat_map(with_members) {
            // No member is a number with a fraction, a nested array or a control character.
            for wrong in [json!(1.5), json!([[]]), json!("\u{0}")] {
                let mut line = example.clone();
                line[&member] = wrong;
                let pointers = pointers(decoder.decode(line.to_string().as_bytes()));
                let expected = format!("/{member}");
                assert!(
                    pointers
                        .iter()
                        .all(|pointer| pointer.starts_with(&expected)),
                    "{expected}: {pointers:?}"
                );
            }
        }
    }
}

#[test]
fn a_member_that_is_not_in_the_schema_is_refused() {
    let mut decoder = decoder();
    for mut line in schemas().iter().flat_map(|(_, schema)| examples_of(schema)) {
        line["unheardOf"] = json!(1);
        let decoded = decoder.decode(line.to_string().as_bytes());
        assert_eq!(pointers(decoded), ["/unheardOf"]);
    }
}

#[test]
fn every_value_of_an_enum_is_accepted() {
    let mut decoder = decoder();
    let mut count = 0;
    for (kind, schema) in schemas() {
        for (member, values) in schema["properties"].as_object().unwrap() {
            for value in values["enum"].as_array().into_iter().flatten() {
                let mut line = examples_of(&schema).remove(0);
                line[member] = value.clone();
                let decoded = decoder.decode(line.to_string().as_bytes());
                assert!(decoded.is_ok(), "{value} of {kind}: {decoded:?}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 3 + 12 + 3);
}

#[test]
fn at_most_20_errors_of_a_line_are_reported() {
    let mut line = examples("charity").remove(0);
    line["socialLinks"] = json!(vec![json!({"network": "A", "url": "b"}); 20]);
    let errors = decoder().decode(line.to_string().as_bytes()).unwrap_err();
    assert_eq!(errors.len(), 20, "{errors:?}");
}

#[test]
fn a_property_twice_is_an_error() {
    let line = examples("project").remove(0).to_string();
    let line = line.replacen('{', r#"{"name":"Another","#, 1);
    let errors = decoder().decode(line.as_bytes()).unwrap_err();
    assert!(errors[0].message.contains("twice"), "{errors:?}");
}

#[test]
fn a_campaign_is_for_a_charity_or_a_config() {
    let mut decoder = decoder();
    let mut line = examples("campaign").remove(0);
    line["config"] = examples("config")[0]["id"].clone();
    let errors = decoder.decode(line.to_string().as_bytes()).unwrap_err();
    assert_eq!(
        errors[0].message,
        "must have exactly one of charity, config"
    );
    let members = line.as_object_mut().unwrap();
    members.remove("charity");
    members.remove("config");
    let errors = decoder.decode(line.to_string().as_bytes()).unwrap_err();
    assert_eq!(
        errors[0].message,
        "must have exactly one of charity, config"
    );
}

#[test]
fn every_error_of_a_line_is_reported() {
    let mut line = examples("token").remove(0);
    line["name"] = json!("");
    line["decimals"] = json!(256);
    let mut pointers = pointers(decoder().decode(line.to_string().as_bytes()));
    pointers.sort();
    assert_eq!(pointers, ["/decimals", "/name"]);
}

#[test]
fn no_slug_hides_another_path_below_charities() {
    let mut decoder = decoder();
    let paths = OPERATIONS.iter().map(|operation| operation.path);
    let names = paths.filter_map(|path| path.strip_prefix("/charities/"));
    let names: Vec<_> = names.filter(|name| !name.starts_with('{')).collect();
    assert!(names.contains(&"feed"), "{names:?}");
    for name in names {
        let mut line = examples("charity").remove(0);
        line["slug"] = json!(name);
        let refused = pointers(decoder.decode(line.to_string().as_bytes()));
        assert_eq!(
            refused,
            ["/slug"],
            "add {name} to the pattern in server/import-schemas/charity.schema.json"
        );
    }
}

#[test]
fn rules_beyond_the_schemas() {
    let mut decoder = decoder();
    let mut check = |kind: &str, member: &str, value: Value, pointer: &str| {
        let mut line = examples(kind).remove(0);
        line[member] = value;
        assert_eq!(
            pointers(decoder.decode(line.to_string().as_bytes())),
            [pointer]
        );
    };
    let config = &examples("config")[0];
    let beneficiary = &config["charityBeneficiaries"][0];
    let base58 = config["id"]
        .as_str()
        .unwrap()
        .parse::<crate::domain::config_id::ConfigId>()
        .unwrap()
        .base58();
    let second = "/charityBeneficiaries/1/charityId";
    check(
        "config",
        "charityBeneficiaries",
        json!([beneficiary, beneficiary]),
        second,
    );
    check(
        "config",
        "users",
        json!([{"chainId": 5, "address": "x"}]),
        "/users/0/chainId",
    );
    check(
        "config",
        "users",
        json!([{"chainId": 1, "address": "x"}]),
        "/users/0/address",
    );
    check(
        "partner-token",
        "previousConfigs",
        json!([base58]),
        "/previousConfigs/0",
    );
    check(
        "campaign",
        "endsAt",
        json!("2026-03-01T00:00:00Z"),
        "/endsAt",
    );
    check(
        "campaign",
        "endsAt",
        json!("2026-02-30T00:00:00Z"),
        "/endsAt",
    );
    check("donation", "usdE6", json!("9223372036854775808"), "/usdE6");
    check("donation", "amount", json!("9".repeat(78)), "/amount");
    check("donation", "transaction", json!("0x00"), "/transaction");
    check("donation", "at", json!("2026-03-01T00:00:00.0001Z"), "/at");
}
