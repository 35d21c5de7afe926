//! Unions that hold themselves through maps.

use behaviour::{Answer, request};
use recursive_api::api::echo::*;
use recursive_api::runtime::Limits;
use recursive_api::{HandlerError, Host, models, service};
use serde_json::{Value, json};
use std::sync::Arc;

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Echo {}

impl EchoApi for Echo {
    async fn echo(&self, body: models::All) -> Result<EchoResponse, HandlerError> {
        Ok(EchoResponse::Ok { body: body.into() })
    }
}

async fn post(body: &str) -> Answer {
    let service = service::service(Arc::new(Echo), Limits::default());
    let headers = [("content-type", "application/json")];
    request(&service, "POST", "/echo", &headers, body.to_owned()).await
}

fn all() -> Value {
    json!({
        "json": {"a": [1.5, "b", {"c": null, "d": {"e": true}}]},
        "text": {"a": "b", "c": {"d": {"e": "f"}}},
        "filter": {"where": {"a": {"where": {"b": [1, {"where": {}}]}}}},
        "holder": {"it": {"a": {"holder": {"it": {"b": {"holder": {"it": "c"}}}}}}},
        "tagged": {"kind": "branch", "a": {"b": "c", "kind": "branch", "d": {"kind": "leaf"}}},
        "doubted": {"b": "c", "d": {"a": 1, "e": {"b": "f"}}},
        "either": {"a": {"b": {"a": {}}}, "c": {}},
        "patterned": {"x": {"x1": true, "x2": {}}},
    })
}

#[tokio::test]
async fn what_holds_itself_comes_back() {
    let answer = post(&all().to_string()).await;
    let text = String::from_utf8_lossy(&answer.body);
    assert_eq!(answer.status, 200, "{text}");
    assert_eq!(answer.json(), all());
}

#[test]
fn it_is_read_by_any_deserializer() {
    let text = all().to_string();
    let read: models::All = serde_json::from_str(&text).expect("a value of all kinds");
    let again: models::All = serde_json::from_value(all()).expect("a value of all kinds");
    assert_eq!(read, again);
    assert_eq!(serde_json::to_value(&read).expect("JSON"), all());
}

#[tokio::test]
async fn what_is_wrong_deep_within_is_refused() {
    for (body, at) in [
        (r#"{"text": {"a": {"b": {"c": 1}}}}"#, "body /text"),
        (r#"{"patterned": {"x": {"x": {"y": true}}}}"#, "body /patterned"),
    ] {
        let found = post(body).await.issues();
        assert!(found.iter().any(|issue| issue.starts_with(at)), "{found:?}");
    }
}

#[tokio::test]
async fn a_member_twice_is_refused_however_deep() {
    for body in [
        r#"{"json": {"a": {"b": 1, "b": 2}}}"#,
        r#"{"text": {"a": {"b": {"c": "1", "c": "2"}}}}"#,
        r#"{"text": {"a": "1", "a": "2"}}"#,
        r#"{"filter": {"where": {"a": {"where": {"b": 1, "b": 2}}}}}"#,
        r#"{"doubted": {"d": {"e": {"f": {}, "f": {}}}}}"#,
        r#"{"tagged": {"a": {"kind": "branch", "c": "1", "c": "2"}, "kind": "branch"}}"#,
    ] {
        assert_eq!(post(body).await.status, 400, "{body}");
    }
}
