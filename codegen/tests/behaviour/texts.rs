//! Bodies that are texts: they are checked against their schema, both ways.

use axum::body::Body;
use http::{Request, Response};
use behaviour::{Answer, carry, request};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use texts_api::api::texts::*;
use texts_api::client::{Client, ClientError, Transport};
use texts_api::runtime::{Integer, Limits};
use texts_api::service::Dispatcher;
use texts_api::{Admission, HandlerError, Host, RequestHead, formats, models, runtime, service};

type Service = runtime::Service<Dispatcher<Echo>>;

/// Answers with the request.
struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;

    async fn admit(&self, _: RequestHead<'_>) -> Admission<()> {
        Admission {
            outcome: Ok(()),
            headers: Vec::new(),
        }
    }
}

impl service::Faults for Echo {}

impl TextsApi for Echo {
    async fn word(&self, body: String) -> Result<WordResponse, HandlerError> {
        Ok(WordResponse::Ok { body })
    }

    async fn count(&self, body: Option<Option<Integer>>) -> Result<CountResponse, HandlerError> {
        let body = body.flatten();
        Ok(CountResponse::Ok { body })
    }

    async fn ratio(&self, body: f64) -> Result<RatioResponse, HandlerError> {
        Ok(RatioResponse::Ok { body })
    }

    async fn size(
        &self,
        params: SizeParams,
        body: SizeContent,
        _: SizeAccept,
    ) -> Result<SizeResponse, HandlerError> {
        let body = match body {
            SizeContent::Json(size) => SizeOkContent::Text(size),
            SizeContent::TextCsv(size) => SizeOkContent::Json(size.into()),
        };
        assert!(params.content_encoding.is_none());
        let content_encoding = None;
        Ok(SizeResponse::Ok {
            body,
            content_encoding,
        })
    }

    async fn day(&self, body: formats::Date) -> Result<DayResponse, HandlerError> {
        Ok(DayResponse::Ok { body })
    }

    async fn either(&self, body: models::Either) -> Result<EitherResponse, HandlerError> {
        Ok(EitherResponse::Ok { body })
    }

    async fn element(&self, body: String) -> Result<ElementResponse, HandlerError> {
        Ok(ElementResponse::Ok { body })
    }

    async fn odd(&self, body: Value) -> Result<OddResponse, HandlerError> {
        let body = format!("<{body}/>");
        Ok(OddResponse::Ok { body })
    }
}

fn echo() -> Service {
    service::service(Arc::new(Echo), Limits::default())
}

/// The generated client's way to the service.
struct Wire(Service);

impl Transport for Wire {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

/// Answers everything with `some`.
struct Wrong;

impl Transport for Wrong {
    type Error = Infallible;

    async fn send(&self, _: Request<Body>) -> Result<Response<Body>, Infallible> {
        let answer = Response::builder().header("content-type", "text/plain");
        Ok(answer.body(Body::from("some")).expect("an answer"))
    }
}

async fn post(target: &str, kind: &str, text: &'static str) -> Answer {
    request(&echo(), "POST", target, &[("content-type", kind)], text).await
}

#[tokio::test]
async fn texts_are_read_as_the_values_that_they_are() {
    for (target, kind, sent, answered) in [
        ("/word", "text/plain", "äb", "äb"),
        ("/count", "text/plain", "3", "3"),
        ("/count", "text/plain; charset=utf-8", "4.0", "4"),
        ("/count", "text/plain", "", ""),
        ("/ratio", "text/plain", "-2.5e1", "-25.0"),
        ("/size", "text/csv", "small", "\"small\""),
        ("/size", "application/json", "\"large\"", "large"),
        ("/day", "text/plain", "2026-02-28", "2026-02-28"),
        ("/either", "text/plain", "9", "9"),
        ("/either", "text/plain", "true", "true"),
        ("/either", "text/plain", "large", "large"),
        ("/odd", "text/markdown", "7", "<\"7\"/>"),
        ("/element", "application/xml", "<a/>", "<a/>"),
    ] {
        let answer = post(target, kind, sent).await;
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!((answer.status, text.as_ref()), (200, answered), "{sent}");
    }
}

#[tokio::test]
async fn texts_that_break_their_schema_are_refused() {
    for (target, kind, sent, issues) in [
        (
            "/word",
            "text/plain",
            "ABCD",
            &["body  maxLength", "body  pattern"] as &[_],
        ),
        ("/count", "text/plain", "2", &["body  minimum"]),
        ("/count", "text/plain", "three", &["body  type"]),
        ("/count", "text/plain", "3.5", &["body  type"]),
        ("/ratio", "text/plain", "1", &["body  exclusiveMaximum"]),
        ("/size", "text/csv", "\"small\"", &["body  enum"]),
        ("/day", "text/plain", "2026-02-30", &["body  format"]),
        ("/either", "text/plain", "10", &["body  maximum"]),
        ("/odd", "text/markdown", "no", &["body  not"]),
        ("/element", "application/xml", "<abc>", &["body  maxLength"]),
        ("/element", "application/xml", "abc", &["body  pattern"]),
    ] {
        assert_eq!(post(target, kind, sent).await.issues(), issues, "{sent}");
    }
    let kind = [("content-type", "text/plain")];
    let no_text = request(&echo(), "POST", "/count", &kind, vec![0xff]).await;
    assert_eq!(no_text.issues(), ["body  format"]);
}

#[tokio::test]
async fn the_client_sends_values_as_texts_and_reads_them_back() {
    let client = Client::new("http://echo.invalid", Wire(echo()));
    let either = |value: Value| -> models::Either { serde_json::from_value(value).expect("valid") };
    for value in [json!(7), json!(false), json!("small")] {
        let answered = client.either(either(value.clone())).await;
        assert!(matches!(answered, Ok(EitherResponse::Ok { body }) if body == either(value)),);
    }
    let day: formats::Date = "2026-02-28".parse().expect("a day");
    let answered = client.day(day).await;
    assert!(matches!(answered, Ok(DayResponse::Ok { body }) if body == day));
    let answered = client.count(Some(Some(5.into()))).await;
    assert!(matches!(answered, Ok(CountResponse::Ok { body: Some(body) }) if body == 5));
    let answered = client.count(None).await;
    assert!(matches!(answered, Ok(CountResponse::Ok { body: None })));

    let wrong = Client::new("http://echo.invalid", Wrong);
    let answered = wrong.ratio(0.5).await;
    assert!(matches!(answered, Err(ClientError::Undecodable { .. })));
    let answered = wrong.either(either(json!(7))).await;
    assert!(matches!(answered, Err(ClientError::Undecodable { .. })));
}
