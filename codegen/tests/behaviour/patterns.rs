//! Look-around and back-references anywhere in a pattern: matching texts are taken, others are refused as
//! `pattern`, and a hostile text is refused in time.

use behaviour::{Answer, request};
use patterns_api::api::echo::*;
use patterns_api::runtime::Limits;
use patterns_api::{HandlerError, Host, models, service};
use serde_json::{Value, json};
use std::sync::Arc;

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Echo {}

impl EchoApi for Echo {
    async fn texts(&self, body: models::Texts) -> Result<TextsResponse, HandlerError> {
        Ok(TextsResponse::Ok { body: body.into() })
    }
}

async fn post(body: &Value) -> Answer {
    let service = service::service(Arc::new(Echo), Limits::default());
    let headers = [("content-type", "application/json")];
    request(
        &service,
        "POST",
        "/echo/texts",
        &headers,
        body.to_string().into_bytes(),
    )
    .await
}

#[tokio::test]
async fn what_a_pattern_allows_is_taken() {
    for body in [
        json!({ "isbn": "9781234567890" }),
        json!({ "word": "a1" }),
        json!({ "word": "cb" }),
        json!({ "price": "costs $5" }),
        json!({ "free": "no 9" }),
        json!({ "quoted": "\"it's\"" }),
        json!({ "mirrored": "é😀😀é" }),
        json!({ "slow": "aa a!" }),
        json!({ "long": "é".repeat(262_144) }),
        json!({ "named": { "aa": 1, "--": 2 } }),
        json!({ "tree": { "label": "a-a", "below": { "label": "b-b!" } } }),
    ] {
        let answer = post(&body).await;
        assert_eq!((answer.status, answer.json()), (200, body));
    }
}

#[tokio::test]
async fn what_it_does_not_is_refused() {
    let slow = "a".repeat(8 << 10);
    let long = "a".repeat(262_145);
    for (name, value) in [
        ("isbn", "978123"),
        ("word", "bb"),
        ("price", "5"),
        ("free", "x9"),
        ("quoted", "'a\""),
        ("mirrored", "abab"),
        ("slow", slow.as_str()),
        ("long", long.as_str()),
        ("long", "a"),
        ("long", "a\nb"),
    ] {
        let answer = post(&json!({ name: value })).await;
        assert_eq!(answer.issues(), [format!("body /{name} pattern")]);
    }
    let named = post(&json!({ "named": { "ab": 1 } })).await;
    assert_eq!(named.issues(), ["body /named/ab additionalProperties"]);
    let below = post(&json!({ "tree": { "below": { "label": "a-b" } } })).await;
    assert_eq!(below.issues(), ["body /tree/below/label pattern"]);
}
