//! The generated client writes and reads every media type.

use crate::host::{Service, echo};
use axum::body::Body;
use http::{Request, Response};
use media_api::api::media::*;
use media_api::client::{Client, ClientError, Transport};
use media_api::models;
use behaviour::carry;
use serde_json::json;
use std::convert::Infallible;

/// The generated client's way to the service.
struct InProcess(Service);

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

fn client() -> Client<InProcess> {
    Client::new("http://echo.invalid", InProcess(echo()))
}

#[tokio::test]
async fn the_client_writes_what_the_service_reads() {
    let params = ParametersParams {
        exploded: Some(vec!["a b".into(), "c,d&e".into()]),
        joined: Some(vec!["a,b".into(), "ü".into()]),
        spaced: Some(vec![1, 2]),
        piped: Some(vec![3]),
        deep: Some(models::Point { x: 1, y: Some(2) }),
        flag: false,
        count: 1,
        sort: models::ParametersSort::Asc,
        tags: vec!["x".into()],
        x_list: Some(vec![1, 2]),
        x_when: Some("2024-02-29".parse().unwrap()),
        session: Some("s;!".into()),
    };
    let point = models::Point { x: 3, y: None };
    let (label, matrix) = ("a/b?c".to_owned(), "d=e".to_owned());
    let answer = client()
        .parameters(0.5, vec![1, 2], point, label, matrix, params)
        .await;
    let ParametersResponse::Ok { body } = answer.expect("an answer");
    let body = serde_json::to_value(body.decode().expect("parameters")).expect("JSON");
    let expected = json!({
        "simple": 0.5, "list": [1, 2], "object": {"x": 3}, "label": "a/b?c", "matrix": "d=e",
        "exploded": ["a b", "c,d&e"], "joined": ["a,b", "ü"], "spaced": [1, 2], "piped": [3],
        "deep": {"x": 1, "y": 2}, "flag": false, "count": 1, "sort": "asc", "tags": ["x"],
        "xList": [1, 2], "xWhen": "2024-02-29", "session": "s;!",
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn the_client_reads_what_the_service_writes() {
    let note = models::Note {
        text: "abc".into(),
        stars: Some(Some(3)),
    };
    for (sent, expected) in [
        (ConvertContent::Json(note.clone()), "json"),
        (ConvertContent::Form(note.clone()), "form"),
        (ConvertContent::Text("text".into()), "text"),
        (ConvertContent::Xml("<a/>".into()), "xml"),
        (ConvertContent::Bytes("bytes".into()), "bytes"),
    ] {
        let ConvertResponse::Ok { body, x_kind } = client().convert(sent).await.expect("an answer");
        assert_eq!(x_kind, expected);
        match body {
            ConvertOkContent::Json(body) => {
                assert_eq!(body.decode().expect("a note"), note);
            }
            ConvertOkContent::Text(body) => assert_eq!(body, "text"),
            ConvertOkContent::Xml(body) => assert_eq!(body, "<a/>"),
            ConvertOkContent::Bytes(body) => {
                assert_eq!(body.bytes().await.expect("all of it"), "bytes");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn the_client_tells_statuses_apart() {
    let get = async |code| client().statuses(code).await;
    assert!(matches!(get(204).await, Ok(StatusesResponse::NoContent)));
    assert!(
        matches!(get(404).await, Ok(StatusesResponse::ClientError { status, body })
        if status == 404 && body == "404")
    );
    assert!(matches!(
        get(503).await,
        Ok(StatusesResponse::ServerError { .. })
    ));
    assert!(matches!(
        get(307).await,
        Ok(StatusesResponse::Default { x_why: Some(_), .. })
    ));
    let caller = client().with_key("ada").expect("a header").insider().await;
    assert!(matches!(caller, Ok(InsiderResponse::Ok { body }) if body == "ada"));
    let refused = client().insider().await;
    assert!(matches!(refused, Err(ClientError::Undocumented(response)) if response.status == 401));
}
