//! Request bodies, most of them of a new config.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::fixture::charity;
use super::super::sample_request;
use super::super::test_request::TestRequest;
use super::super::world::Template;
use super::parameters::assert_issue;

fn beneficiary(n: usize, weight: i64) -> Value {
    json!({ "charityId": charity(n), "weight": weight })
}

async fn every_violation_is_listed(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let body = json!({
        "charityBeneficiaries": [
            { "charityId": "nope", "weight": 0, "share": 1 },
            { "weight": 1_000_001 },
            { "charityId": 7, "weight": "1" },
            beneficiary(0, 1), beneficiary(1, 1), beneficiary(2, 1),
        ],
        "label": "mine",
    });
    let request = TestRequest::create(&body).key(&world.keys.pro);
    let request = request
        .header("idempotency-key", "two words")
        .query("dryRun", "1");
    let issues = request.expect(&world, 400).await.issues();
    for (at, keyword) in [
        ("/charityBeneficiaries", "maxItems"),
        ("/charityBeneficiaries/0/charityId", "format"),
        ("/charityBeneficiaries/0/weight", "minimum"),
        ("/charityBeneficiaries/0/share", "additionalProperties"),
        ("/charityBeneficiaries/1/charityId", "required"),
        ("/charityBeneficiaries/1/weight", "maximum"),
        ("/charityBeneficiaries/2/charityId", "type"),
        ("/charityBeneficiaries/2/weight", "type"),
        ("/label", "additionalProperties"),
    ] {
        assert_issue(&issues, "body", at, keyword);
    }
    assert_issue(&issues, "header", "Idempotency-Key", "pattern");
    assert_issue(&issues, "query", "dryRun", "undeclared");
    assert_eq!(issues.len(), 11, "{issues:?}");
    let message = |at: &str| &issues.iter().find(|it| it.at == at).unwrap().message;
    assert!(message("/charityBeneficiaries").contains('5'));
    assert!(message("/charityBeneficiaries/1/weight").contains("1000000"));
}

async fn bounds_are_inclusive(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let check = async |beneficiaries: Vec<Value>, status: u16| {
        let body = json!({ "charityBeneficiaries": beneficiaries });
        TestRequest::create(&body)
            .key(&world.keys.pro)
            .expect(&world, status)
            .await;
    };
    check(vec![beneficiary(0, 1)], 201).await;
    check(vec![beneficiary(0, 1_000_000)], 201).await;
    check((0..5).map(|n| beneficiary(n, 1)).collect(), 201).await;
    check(vec![json!({ "charityId": charity(0), "weight": 1.0 })], 201).await;
    check(
        vec![json!({ "charityId": charity(0).to_uppercase(), "weight": 1 })],
        201,
    )
    .await;
    check(vec![], 400).await;
    check((0..6).map(|n| beneficiary(n, 1)).collect(), 400).await;
    check(vec![beneficiary(0, 0)], 400).await;
    // A fraction is one violation: it is no integer.
    let half = json!({ "charityBeneficiaries": [{ "charityId": charity(0), "weight": 0.5 }] });
    let refused = TestRequest::create(&half).key(&world.keys.pro);
    let refused = refused.expect(&world, 400).await;
    assert_eq!(refused.issues().len(), 1);
    assert_issue(
        &refused.issues(),
        "body",
        "/charityBeneficiaries/0/weight",
        "type",
    );
    assert_eq!(
        refused.json()["message"],
        "/charityBeneficiaries/0/weight in the body must be an integer."
    );
    check(vec![beneficiary(0, -1)], 400).await;
    check(vec![beneficiary(0, 1_000_001)], 400).await;
    check(vec![json!({ "charityId": charity(0), "weight": 1.5 })], 400).await;
    check(
        vec![json!({ "charityId": charity(0), "weight": null })],
        400,
    )
    .await;
}

async fn every_operation_rejects_invalid_json(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    let with_json: Vec<_> = operations
        .filter(|operation| operation.body_type.ends_with("json"))
        .collect();
    assert!(!with_json.is_empty());
    for operation in with_json {
        let request = sample_request::admitted(operation, &world);
        let request = request.body(&operation.body_type, "{");
        let answer = request.expect(&world, 400).await;
        assert_eq!(answer.code(), "INVALID_JSON", "{}", operation.id);
    }
}

async fn invalid_json(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let good = format!("{{\"charityBeneficiaries\":[{}]}}", beneficiary(0, 1));
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let not_json: [&[u8]; 8] = [
        b"",
        b"{\"charityBeneficiaries\":[}",
        b"charityBeneficiaries=1",
        b"{\"a\": NaN}",
        b"{\"a\": \"\xff\"}",
        b"\xef\xbb\xbf{}",
        &[good.as_bytes(), b" x"].concat(),
        deep.as_bytes(),
    ];
    for body in not_json {
        let request = TestRequest::new("POST", "/configs").json(body.to_vec());
        let answer = request.key(&world.keys.pro).expect(&world, 400).await;
        let text = String::from_utf8_lossy(body)
            .chars()
            .take(40)
            .collect::<String>();
        assert_eq!(answer.code(), "INVALID_JSON", "{text}");
    }
    for body in [
        "null",
        "[]",
        "7",
        "\"text\"",
        "{}",
        "{\"charityBeneficiaries\":null}",
    ] {
        let request = TestRequest::new("POST", "/configs").json(body);
        let answer = request.key(&world.keys.pro).expect(&world, 400).await;
        assert_eq!(answer.code(), "VALIDATION_ERROR", "{body}");
    }
}

/// The library that reads JSON hands over numbers as objects with a name of its own: a caller's object
/// with that name is none of them.
async fn an_object_is_never_taken_for_a_number(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for name in [
        "$serde_json::private::Number",
        "$serde_json::private::RawValue",
    ] {
        let one = json!({ "charityId": charity(0), "weight": { name: "1" } });
        let body = json!({ "charityBeneficiaries": [one] });
        let request = TestRequest::create(&body).key(&world.keys.pro);
        let answer = request.expect(&world, 400).await;
        assert_eq!(answer.code(), "INVALID_JSON", "{name}");
    }
}

super::theme! {
    every_violation_is_listed,
    bounds_are_inclusive,
    every_operation_rejects_invalid_json,
    invalid_json,
    an_object_is_never_taken_for_a_number,
}
