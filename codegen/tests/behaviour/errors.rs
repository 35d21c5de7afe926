//! Answers that no handler gives, in the shapes that the contract documents and does not mark.

use behaviour::{Answer, request};
use errors_api::api::errors::*;
use errors_api::runtime::credential::Bearer;
use errors_api::runtime::{AuthError, Demand, ErrorBody, Limits};
use errors_api::security::Security;
use errors_api::service::{Dispatcher, Faults};
use errors_api::{Admission, HandlerError, Host, RequestHead, models, runtime, service};
use serde_json::{Value, json};
use std::sync::Arc;

struct Shop;

impl Host for Shop {
    type Context = ();
    type Error = HandlerError;

    async fn admit(&self, _: RequestHead<'_>) -> Admission<()> {
        Admission {
            outcome: Ok(()),
            headers: Vec::new(),
        }
    }
}

impl Security for Shop {
    type Token = ();

    async fn token(&self, token: Bearer<'_>, _: Demand<'_, ()>) -> Result<(), AuthError> {
        match token.secret() {
            "known" => Ok(()),
            _ => Err(AuthError::CredentialInvalid),
        }
    }
}

impl Faults for Shop {
    // A body of one's own is of the documented type.
    fn credential_invalid(&self) -> ErrorBody<models::Coded> {
        let error = models::CodedError {
            code: "unknown_token".into(),
            message: "Nobody has this token.".into(),
        };
        models::Coded { error }.into()
    }
}

impl ErrorsApi for Shop {
    async fn add_book(&self, _: (), body: models::AddBookBody) -> Result<AddBookResponse, HandlerError> {
        match body.year {
            Some(_) => Err(HandlerError::Unavailable { retry_after: 1 }),
            None => Ok(AddBookResponse::NoContent),
        }
    }
}

fn shop() -> runtime::Service<Dispatcher<Shop>> {
    let limits = Limits {
        body: 40,
        ..Limits::default()
    };
    service::service(Arc::new(Shop), limits)
}

async fn add(token: Option<&str>, body: &str) -> Answer {
    let token = token.map(|token| format!("Bearer {token}"));
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(token.as_deref().map(|token| ("authorization", token)));
    request(&shop(), "POST", "/books", &headers, body.to_owned()).await
}

#[track_caller]
fn is(answer: &Answer, status: u16, media_type: &str, body: Value) {
    assert_eq!(answer.status, status);
    assert_eq!(answer.header("content-type"), media_type);
    assert_eq!(answer.json(), body);
}

const PROBLEM: &str = "application/problem+json";
const JSON: &str = "application/json";

#[tokio::test]
async fn violations_are_items_of_the_problem() {
    let answer = add(Some("known"), r#"{"title":"","year":-1}"#).await;
    let errors = json!([
        { "pointer": "/title", "detail": "must have at least 1 character" },
        { "pointer": "/year", "detail": "must be at least 0" },
    ]);
    let expected = json!({
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": "`/title` (body) must have at least 1 character (and 1 more).",
        "errors": errors,
    });
    is(&answer, 400, PROBLEM, expected);
}

#[tokio::test]
async fn a_kind_that_is_documented_nowhere_has_the_shape_of_the_others() {
    let answer = request(&shop(), "GET", "/nowhere", &[], "").await;
    let expected = json!({
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "No operation has this path.",
    });
    is(&answer, 404, PROBLEM, expected);
}

#[tokio::test]
async fn codes_are_spelled_as_the_schema_has_them() {
    let error = json!({ "code": "unauthorized", "message": "Credentials are required." });
    is(&add(None, "{}").await, 401, JSON, json!({ "error": error }));
    let long = format!(r#"{{"title":"{}"}}"#, "a".repeat(40));
    let answer = add(Some("known"), &long).await;
    is(&answer, 413, JSON, json!({ "code": "REQUEST_TOO_LARGE" }));
}

#[tokio::test]
async fn a_text_that_may_not_be_long_is_short() {
    let answer = add(Some("known"), r#"{"title":"a","year":1}"#).await;
    is(&answer, 503, JSON, json!({ "error": "The server is unavailable." }));
}

#[tokio::test]
async fn a_host_makes_a_body_of_its_own() {
    let error = json!({ "code": "unknown_token", "message": "Nobody has this token." });
    is(&add(Some("new"), "{}").await, 401, JSON, json!({ "error": error }));
}
