//! Recursion, unions, nullability and constraints: what comes in goes out unchanged, or not at all.

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
async fn unions_take_what_one_of_them_takes() {
    echoes(
        "unions",
        &[
            json!({"tagged": {"kind": "cat", "lives": 9, "enemy": {"kind": "dog", "tricks": []}}}),
            json!({"tagged": {"kind": "kitten"}}),
            json!({"implicit": {"kind": "Dog", "tricks": ["sit"]}}),
            json!({"untagged": {"radius": 1.5}}),
            json!({"untagged": {"side": 2.5}}),
            json!({"first": {"radius": 1.5}}),
            json!({"scalar": null}),
            json!({"scalar": "abc"}),
            json!({"scalar": 9}),
            json!({"scalar": true}),
            json!({"numbers": 9}),
            json!({"numbers": 9.5}),
            json!({"strings": "auto"}),
            json!({"strings": "#00ff00"}),
            json!({"nested": "text"}),
            json!({"nested": 1}),
            json!({"nested": null}),
            json!({"single": {"radius": 0.5}}),
            json!({"boolean": [1]}),
            json!({"impossible": "text"}),
            json!({"constants": 1}),
            json!({"constants": "one"}),
            json!({"constants": true}),
            json!({"constants": null}),
            json!({"inline": {"a": "x"}}),
            json!({"inline": {"b": "x"}}),
            json!({"parent": {"kind": "grey", "name": "Akela", "pack": 7}}),
            json!({"parent": {"kind": "Lynx", "name": "Lu", "prey": {"kind": "Beast", "name": "Mu"}}}),
            json!({"told": {"type": "van"}}),
            json!({"told": {"type": "bicycle"}}),
            json!({"again": {"id": "1", "code": "abc", "before": {"id": "2"}}}),
            json!({"closed": {"radius": 1.5}}),
            json!({"paid": {"amount": 1.5, "card": "x"}}),
            json!({"listed": 2}),
            json!({"named": {"kind": "Bird", "radius": 0.5}}),
        ],
    )
    .await;
}

/// What is written of a value that lacks the member which names it can be read again.
#[test]
fn what_names_a_variant_is_written_where_the_variant_lacks_it() {
    use models::{Bird, Fish, Named, Square, Sure};

    let fish = |kind: Option<&str>| {
        Named::Fish(Fish {
            kind: kind.map(str::to_owned),
            deep: Some(true),
        })
    };
    let notes = models::Notes::from([("a".to_owned(), "b".to_owned())]);
    let known = models::Notes::from([("kind".to_owned(), "Notes".to_owned())]);
    let cases = [
        (fish(None), json!({"kind": "Fish", "deep": true})),
        (fish(Some("Fish")), json!({"kind": "Fish", "deep": true})),
        (
            Named::Bird(Bird::Square(Square { side: 2.0 })),
            json!({"kind": "Bird", "side": 2.0}),
        ),
        (
            Named::Perhaps(Some(Sure { sure: true })),
            json!({"kind": "Perhaps", "sure": true}),
        ),
        (Named::Notes(notes), json!({"kind": "Notes", "a": "b"})),
        (Named::Notes(known), json!({"kind": "Notes"})),
    ];
    for (value, written) in cases {
        let text = serde_json::to_string(&value).expect("it can be written");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), written);
        let read: Named = serde_json::from_str(&text).expect("what is written can be read");
        assert_eq!(serde_json::to_value(&read).unwrap(), written);
    }
}

#[test]
fn a_variant_keeps_the_name_that_it_came_with() {
    use models::{Bird, Square, Winged};

    for sent in [
        json!({"kind": "owl", "side": 2.0}),
        json!({"kind": "gull", "side": 2.0}),
        json!({"kind": "ray", "deep": true}),
        json!({"kind": "skate", "deep": true}),
    ] {
        let read: Winged = serde_json::from_value(sent.clone()).expect("a winged one");
        assert_eq!(serde_json::to_value(&read).unwrap(), sent);
    }
    let gull = Winged::Gull(Bird::Square(Square { side: 2.0 }));
    let written = json!({"kind": "gull", "side": 2.0});
    assert_eq!(serde_json::to_value(&gull).unwrap(), written);
}

/// A value that is in doubt at every depth, and wrong at the last: to try both variants at each
/// would take for ever.
fn doubted(depth: usize) -> Value {
    let wrong = json!({"id": 1, "deleted": true});
    let deep = (0..depth).fold(wrong, |before, _| {
        json!({"id": "1", "deleted": true, "before": before})
    });
    json!({ "again": deep })
}

#[tokio::test]
async fn unions_refuse_what_none_or_too_many_take() {
    for body in [
        json!({"tagged": {"kind": "cow"}}),
        json!({"tagged": {"lives": 1}}),
        json!({"tagged": {"kind": "cat", "lives": 10}}),
        json!({"tagged": {"kind": "cat", "enemy": {"kind": "cat", "lives": 10}}}),
        json!({"implicit": {"kind": "cow"}}),
        json!({"untagged": {"radius": 1, "side": 1}}),
        json!({"untagged": {"radius": -1}}),
        json!({"untagged": {}}),
        json!({"first": {}}),
        json!({"scalar": "abcd"}),
        json!({"scalar": 10}),
        json!({"scalar": 1.5}),
        json!({"scalar": []}),
        json!({"numbers": "9"}),
        json!({"strings": "#00FF00"}),
        json!({"nested": 1.5}),
        json!({"impossible": 1}),
        json!({"constants": 2}),
        json!({"constants": false}),
        json!({"inline": {"a": "x", "b": "x"}}),
        json!({"parent": {"kind": "grey", "name": "Akela"}}),
        json!({"parent": {"kind": "Wolf", "name": "Akela", "pack": 7}}),
        json!({"told": {"type": "Car"}}),
        json!({"again": {"id": "1", "before": {"id": 2}}}),
        json!({"closed": {"radius": 1.5, "side": 1.5}}),
        json!({"paid": {"card": "x", "iban": "x"}}),
        json!({"paid": {"card": "x", "side": 1.5}}),
        json!({"listed": 3}),
        doubted(60),
    ] {
        let answer = post("unions", &body).await;
        assert_eq!(
            answer.status,
            400,
            "{body}: {}",
            String::from_utf8_lossy(&answer.body)
        );
        assert!(!answer.issues().is_empty(), "{body}");
    }
}

#[tokio::test]
async fn a_value_is_judged_as_the_variant_that_it_names() {
    let cat = json!({"tagged": {"kind": "kitten", "enemy": {"kind": "cat", "lives": 10}}});
    let cow = json!({"tagged": {"kind": "cow"}, "implicit": {"kind": "cat"}});
    refuses(
        "unions",
        &[
            (cat, &["/tagged/enemy/lives maximum"]),
            (
                cow,
                &["/implicit/kind discriminator", "/tagged/kind discriminator"],
            ),
        ],
    )
    .await;
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
