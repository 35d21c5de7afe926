//! Recursion, unions, nullability and constraints: values are accepted unchanged, or refused.

#[path = "shapes/unions.rs"]
mod unions;

use behaviour::{Answer, request};
use serde_json::{Value, json};
use shapes_api::api::echo::*;
use shapes_api::runtime::Limits;
use shapes_api::{HandlerError, Host, models, service};
use std::sync::Arc;

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Echo {}

impl EchoApi for Echo {
    async fn tree(&self, body: models::Tree) -> Result<TreeResponse, HandlerError> {
        Ok(TreeResponse::Ok { body: body.into() })
    }

    async fn nullable(&self, body: models::Nullable) -> Result<NullableResponse, HandlerError> {
        Ok(NullableResponse::Ok { body: body.into() })
    }

    async fn unions(&self, body: models::Unions) -> Result<UnionsResponse, HandlerError> {
        Ok(UnionsResponse::Ok { body: body.into() })
    }

    async fn bounds(&self, body: models::Bounds) -> Result<BoundsResponse, HandlerError> {
        Ok(BoundsResponse::Ok { body: body.into() })
    }

    async fn any(&self, body: Option<Value>) -> Result<AnyResponse, HandlerError> {
        Ok(match body {
            Some(body) => AnyResponse::Ok { body: body.into() },
            None => AnyResponse::NoContent,
        })
    }

    async fn whole(&self, body: models::Whole) -> Result<WholeResponse, HandlerError> {
        Ok(WholeResponse::Ok { body: body.into() })
    }
}

async fn post(path: &str, body: &Value) -> Answer {
    let service = service::service(Arc::new(Echo), Limits::default());
    let headers = [("content-type", "application/json")];
    request(
        &service,
        "POST",
        &format!("/echo/{path}"),
        &headers,
        body.to_string(),
    )
    .await
}

/// Sends values that must come back as they are.
async fn echoes(path: &str, bodies: &[Value]) {
    for body in bodies {
        let answer = post(path, body).await;
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!(answer.status, 200, "{body}: {text}");
        assert_eq!(answer.json(), *body);
    }
}

/// Sends values that must be refused for these reasons, each `at keyword` within the body.
async fn refuses(path: &str, bodies: &[(Value, &[&str])]) {
    for (body, expected) in bodies {
        let found = post(path, body).await.issues();
        let expected: Vec<String> = expected.iter().map(|e| format!("body {e}")).collect();
        assert_eq!(found, expected, "{body}");
    }
}

#[tokio::test]
async fn values_may_contain_themselves() {
    let leaf = json!({"name": "leaf"});
    let all = json!({
        "name": "root",
        "left": {"name": "l", "left": leaf, "right": null},
        "right": leaf,
        "children": [leaf, {"name": "c", "children": [leaf]}],
        "named": {"": leaf, "b": {"name": "n", "named": {}}},
        "forest": {"trees": [leaf, leaf], "best": leaf},
        "nested": [[], [[], [[]]]],
        "expression": {"left": [1, [2]], "right": {"left": 3, "right": 4}},
        "wrapped": {"label": "a", "inner": {"inner": {"label": "b"}}},
    });
    echoes("tree", &[leaf, all]).await;
}

#[tokio::test]
async fn every_violation_at_any_depth_is_named() {
    let body = json!({
        "name": "",
        "left": {"name": "l", "left": {"name": 1}},
        "right": {"nom": "r"},
        "children": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": ""}],
        "named": {"x/y": {"name": ""}},
        "nested": [[], [1]],
    });
    let expected = [
        "/children maxItems",
        "/children/3/name minLength",
        "/left/left/name type",
        "/name minLength",
        "/named/x~1y/name minLength",
        "/nested/1/0 type",
    ];
    let found = post("tree", &body).await.issues();
    for issue in expected {
        let issue = format!("body {issue}");
        assert!(found.contains(&issue), "no {issue} in {found:#?}");
    }
    assert!(
        found.iter().any(|issue| issue.starts_with("body /right")),
        "{found:#?}"
    );
}

#[tokio::test]
async fn depth_that_could_exhaust_the_stack_is_refused() {
    let mut body = json!([]);
    for _ in 0..120 {
        body = json!([body]);
    }
    echoes("any", &[body]).await;
    let deep = format!(
        "{{\"name\":\"\",\"nested\":{}{}}}",
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let service = service::service(Arc::new(Echo), Limits::default());
    let headers = [("content-type", "application/json")];
    let answer = request(&service, "POST", "/echo/tree", &headers, deep).await;
    assert_eq!(answer.status, 400);
}

fn nulls() -> Value {
    json!({
        "text": null, "number": null, "integer": null, "flag": null, "list": null,
        "object": null, "map": null, "choice": null, "reference": null, "alias": null,
        "nothing": null, "any": null, "items": [],
    })
}

#[tokio::test]
async fn absent_null_and_a_value_are_three_things() {
    let mut with_optional_nulls = nulls();
    for name in [
        "Text",
        "Number",
        "List",
        "Object",
        "Choice",
        "Reference",
        "Alias",
        "Nothing",
        "Any",
    ] {
        with_optional_nulls[format!("optional{name}")] = Value::Null;
    }
    let values = json!({
        "text": "abc", "number": 0.5, "integer": 9, "flag": false, "list": ["a", null],
        "object": {"x": null}, "map": {"a": 1, "b": null}, "choice": "a", "reference": {"x": "y"},
        "alias": {"x": "y"}, "nothing": null, "any": [null], "items": [null, {"x": ""}],
        "optionalText": "", "optionalNumber": -1.5, "optionalFlag": true, "optionalList": [null],
        "optionalObject": {}, "optionalChoice": "b", "optionalReference": {"x": ""},
        "optionalAlias": {"x": ""}, "optionalNothing": null, "optionalAny": {"a": null},
    });
    echoes("nullable", &[nulls(), with_optional_nulls, values]).await;
}

#[tokio::test]
async fn a_required_member_may_not_be_absent_though_it_may_be_null() {
    for name in nulls().as_object().expect("an object").keys() {
        let mut body = nulls();
        body.as_object_mut().expect("an object").remove(name);
        let found = post("nullable", &body).await.issues();
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].ends_with(" required"), "{name}: {found:?}");
    }
    let mut flag = nulls();
    flag["optionalFlag"] = Value::Null;
    refuses("nullable", &[(flag, &["/optionalFlag type"])]).await;
}

#[tokio::test]
async fn constraints_hold_for_what_is_not_null() {
    let mut body = nulls();
    body["text"] = "abcd".into();
    body["number"] = (-1).into();
    body["integer"] = 10.into();
    body["optionalText"] = "abcd".into();
    let expected = [
        "/integer maximum",
        "/number minimum",
        "/optionalText maxLength",
        "/text maxLength",
    ];
    refuses("nullable", &[(body, &expected)]).await;
}

#[tokio::test]
async fn bounds_include_their_edges() {
    echoes(
        "bounds",
        &[
            json!({"text": "éß"}),
            json!({"int": -9_007_199_254_740_993_i64}),
            json!({"int": 9_007_199_254_740_993_i64}),
            json!({"exclusive": 1}),
            json!({"share": 0.1}),
            json!({"share": 0.3}),
            json!({"even": -4}),
            json!({"byte": 2_147_483_647}),
            json!({"list": ["a", "b"]}),
            json!({"map": {"a": "a"}}),
            json!({"closed": {}}),
            json!({"day": "2024-02-29", "moment": "2024-02-29T23:59:59.500Z"}),
            json!({"id": "00000000-0000-0000-0000-000000000000", "odd": "anything"}),
            json!({"fixed": "yes", "one": 1, "empty": ""}),
            json!({"other": 0}),
        ],
    )
    .await;
}

#[tokio::test]
async fn bounds_exclude_what_is_beyond() {
    refuses(
        "bounds",
        &[
            (json!({"text": ""}), &["/text minLength", "/text pattern"]),
            (json!({"text": "abc"}), &["/text maxLength"]),
            (json!({"text": "1"}), &["/text pattern"]),
            (json!({"int": 9_007_199_254_740_994_i64}), &["/int maximum"]),
            (
                json!({"int": -9_007_199_254_740_994_i64}),
                &["/int minimum"],
            ),
            (json!({"exclusive": 0}), &["/exclusive exclusiveMinimum"]),
            (json!({"exclusive": 2}), &["/exclusive exclusiveMaximum"]),
            (
                json!({"share": 0.05}),
                &["/share minimum", "/share multipleOf"],
            ),
            (
                json!({"share": 0.35}),
                &["/share maximum", "/share multipleOf"],
            ),
            (json!({"even": 3}), &["/even multipleOf"]),
            (json!({"byte": 2_147_483_648_i64}), &["/byte format"]),
            (json!({"list": []}), &["/list minItems"]),
            (json!({"list": ["a", "a"]}), &["/list uniqueItems"]),
            (
                json!({"list": ["a", "b", "cd"]}),
                &["/list maxItems", "/list/2 maxLength"],
            ),
            (json!({"map": {}}), &["/map minProperties"]),
            (
                json!({"map": {"a": "a", "b": "bb", "c": ""}}),
                &["/map maxProperties", "/map/b maxLength"],
            ),
            (json!({"day": "2023-02-29"}), &["/day format"]),
            (json!({"moment": "2024-02-29"}), &["/moment format"]),
            (json!({"id": "0"}), &["/id format"]),
            (json!({"fixed": "no"}), &["/fixed const"]),
            (json!({"one": 2}), &["/one const"]),
            (json!({"empty": "x"}), &["/empty enum"]),
            (json!({"other": -1}), &["/other minimum"]),
            (json!({"other": "x"}), &["/other type"]),
        ],
    )
    .await;
}

#[tokio::test]
async fn numbers_are_what_they_are_worth() {
    for (sent, kept) in [
        (r#"{"even": 4.0}"#, json!({"even": 4})),
        (r#"{"even": 4e0}"#, json!({"even": 4})),
        (r#"{"one": 1.0}"#, json!({"one": 1})),
        (r#"{"other": 1e2}"#, json!({"other": 100})),
        (r#"{"share": 1e-1}"#, json!({"share": 0.1})),
    ] {
        let service = service::service(Arc::new(Echo), Limits::default());
        let headers = [("content-type", "application/json")];
        let answer = request(&service, "POST", "/echo/bounds", &headers, sent).await;
        assert_eq!(
            answer.status,
            200,
            "{sent}: {}",
            String::from_utf8_lossy(&answer.body)
        );
        assert_eq!(answer.json(), kept);
    }
}

#[tokio::test]
async fn what_has_no_form_of_its_own_is_checked_whole() {
    echoes(
        "whole",
        &[
            json!({"not": 1, "tuple": ["a", 1], "contains": [0, 1], "keys": {"a": 1, "b": "x"}}),
            json!({"conditional": {"a": 1, "b": 2}, "dependent": {"b": 1}, "mixed": [3]}),
            json!({"mixed": {"four": 4}, "always": {"x": []}, "closed": {"x": "y"}, "counted": {"a": 1}}),
        ],
    )
    .await;
    for body in [
        json!({"not": "text"}),
        json!({"tuple": ["a"]}),
        json!({"tuple": ["a", 1, 2]}),
        json!({"contains": [0]}),
        json!({"keys": {"a": "x"}}),
        json!({"keys": {"A": 1}}),
        json!({"conditional": {"a": 1}}),
        json!({"dependent": {"a": 1}}),
        json!({"mixed": [4]}),
        json!({"never": null}),
        json!({"closed": {"x": "y", "z": 1}}),
        json!({"counted": {"a": 1, "b": 2}}),
    ] {
        assert!(!post("whole", &body).await.issues().is_empty(), "{body}");
    }
}

#[tokio::test]
async fn a_body_of_any_json_may_be_absent() {
    echoes("any", &[json!(null), json!(1.5), json!({"a": [true]})]).await;
    let service = service::service(Arc::new(Echo), Limits::default());
    assert_eq!(
        request(&service, "POST", "/echo/any", &[], "").await.status,
        204
    );
}
