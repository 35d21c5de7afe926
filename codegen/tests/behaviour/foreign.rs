//! A client of somebody else's server loses no response.

use axum::body::Body;
use bytes::Bytes;
use foreign_api::api::default::*;
use foreign_api::client::{Client, ClientError};
use foreign_api::models::{Happening, Isolation, Value, Volume};
use futures_util::{StreamExt as _, stream};
use http::{Request, Response};
use foreign_api::runtime::{RawResponse, Transport};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

/// Responds to all requests alike, and keeps the last of them.
#[derive(Clone, Default)]
struct Server {
    status: u16,
    media_type: Option<&'static str>,
    body: Bytes,
    /// Whether the body never ends.
    is_endless: bool,
    seen: Arc<Mutex<Option<(String, http::HeaderMap)>>>,
}

impl Transport for Server {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        let seen = (request.uri().to_string(), request.headers().clone());
        *self.seen.lock().unwrap() = Some(seen);
        let mut response = Response::builder().status(self.status).header("x-total", "many");
        if let Some(media_type) = self.media_type {
            response = response.header("content-type", media_type);
        }
        if self.body.is_empty() {
            response = response.header("content-length", "0");
        }
        let first = stream::iter([Ok::<_, Infallible>(self.body.clone())]);
        let body = match self.is_endless {
            true => Body::from_stream(first.chain(stream::pending())),
            false => Body::from(self.body.clone()),
        };
        Ok(response.body(body).unwrap())
    }
}

fn server(status: u16, media_type: &'static str, body: &'static str) -> Server {
    let (media_type, body) = (Some(media_type), Bytes::from(body));
    Server { status, media_type, body, ..Server::default() }
}

fn client(server: &Server) -> Client<Server> {
    let client = Client::new("http://user:secret@foreign.invalid", server.clone());
    client.with_token("t0ken").unwrap().with_key("k3y").unwrap()
}

fn json(status: u16, body: &'static str) -> Server {
    server(status, "application/json", body)
}

const NONE: VolumesParams = VolumesParams { dangling: None, limit: None, filter: None };

#[track_caller]
fn response<A: std::fmt::Debug>(error: Result<A, ClientError<Infallible>>) -> (RawResponse, String) {
    let error = error.unwrap_err();
    (error.response().unwrap().clone(), error.to_string())
}

async fn volumes(server: Server) -> Result<Vec<Volume>, ClientError<Infallible>> {
    match client(&server).volumes(NONE).await? {
        VolumesResponse::Ok { body, x_total } => {
            // The header is a text, and no reason to lose the body.
            assert_eq!(x_total, None);
            Ok(body.decode().unwrap())
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_is_evidently_meant_is_read() {
    let body = r#"[{"Name":"v","Labels":null,"Tags":null,"Isolation":"hyperv","Size":1.0,"Kind":3.0,
        "Created":"2026-11-28T12:34:57","Homepage":"","Options":{}},
        {"Name":"w","Labels":{"n":7,"w":2.5,"s":"x","b":true},"Isolation":"unknown"}]"#;
    let read = volumes(json(200, body)).await.unwrap();
    assert!(read[0].labels.is_empty());
    assert_eq!((read[0].tags.clone(), read[0].size), (None, Some(1)));
    assert_eq!(read[0].isolation, Some(Isolation::Unlisted("hyperv".into())));
    assert_eq!(read[0].created.as_ref().unwrap().to_string(), "2026-11-28T12:34:57Z");
    assert_eq!(read[0].homepage.as_ref().unwrap().to_string(), "");
    assert_eq!(read[1].isolation, Some(Isolation::Unknown));
    assert_eq!(read[1].labels["n"], Value::Integer(7));
    assert_eq!(read[1].labels["w"], Value::Number(2.5));
    // A list of nothing, as Go writes it, or an empty body.
    assert!(volumes(json(200, "null")).await.unwrap().is_empty());
    assert!(volumes(json(200, "")).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_object_that_names_no_variant_is_kept() {
    let body = r#"[{"is":"Moved","to":"x"},{"is":"Made","volume":{"Name":"v","Labels":null}}]"#;
    let Ok(HappeningsResponse::Ok { body }) = client(&json(200, body)).happenings().await else {
        panic!("a list")
    };
    let read = body.decode().unwrap();
    assert!(matches!(&read[0], Happening::Unknown(moved) if moved["to"] == "x"));
    assert_eq!(serde_json::to_string(&read[0]).unwrap(), r#"{"is":"Moved","to":"x"}"#);
    assert!(matches!(&read[1], Happening::Made(made) if made.volume.labels.is_empty()));
}

#[tokio::test]
async fn any_success_is_the_only_documented_one() {
    let created = volumes(json(201, r#"[{"Name":"v","Labels":{}}]"#)).await;
    assert_eq!(created.unwrap().len(), 1);
    let accepted = client(&json(202, "")).build().await;
    assert!(matches!(accepted, Ok(BuildResponse::Ok { .. })));
    // An error is none, and `default` is for those alone.
    let missing = client(&json(404, r#"{"detail":["no"]}"#)).volumes(NONE).await;
    let Ok(VolumesResponse::Default { status, body }) = missing else {
        panic!("{missing:?}")
    };
    assert_eq!((status.as_u16(), body.decode().unwrap().detail.len()), (404, 1));
}

#[tokio::test]
async fn an_optional_parameter_is_left_out() {
    let server = json(200, "[]");
    _ = client(&server).volumes(NONE).await;
    let url = server.seen.lock().unwrap().take().unwrap().0;
    assert!(url.ends_with("/volumes"), "{url}");
    let params = VolumesParams { dangling: Some(true), limit: Some(Some(7.into())), filter: Some("y".into()) };
    _ = client(&server).volumes(params).await;
    let url = server.seen.lock().unwrap().take().unwrap().0;
    assert!(url.ends_with("/volumes?dangling=true&limit=7&filter=y"), "{url}");
}

#[tokio::test]
async fn credentials_are_sent_unless_the_document_says_that_none_are_needed() {
    let server = json(200, r#"{"Name":"v","Labels":{}}"#);
    _ = client(&server).log().await;
    let headers = server.seen.lock().unwrap().take().unwrap().1;
    assert_eq!(headers["authorization"], "Bearer t0ken");
    _ = client(&server).events().await;
    let (url, headers) = server.seen.lock().unwrap().take().unwrap();
    assert!(!headers.contains_key("authorization") && !url.contains("k3y"));
}

#[tokio::test]
async fn an_error_has_everything_of_the_response_and_no_secret() {
    let body = r#"[{"Name":"v","Labels":{"a":{}}}]"#;
    let (whole, text) = response(volumes(json(200, body)).await);
    assert_eq!((whole.method.as_str(), whole.status.as_u16()), ("GET", 200));
    assert_eq!(whole.url, "http://foreign.invalid/volumes");
    assert_eq!(whole.headers["x-total"], "many");
    assert_eq!(whole.body, body);
    assert!(
        text.starts_with(
            "GET http://foreign.invalid/volumes: 200 OK: /0/Labels/a: no variant fits an object"
        ),
        "{text}"
    );
    assert!(text.contains("as Boolean, expected a boolean, received an object") && text.ends_with(body), "{text}");
    // What is secret in a URL is not shown.
    let (whole, text) = response(client(&json(500, "")).name().await);
    assert_eq!(whole.url, "http://foreign.invalid/name?api%20key=…");
    assert!(text.ends_with("is not documented; the body is empty") && !text.contains("k3y"), "{text}");
    // A documented error of another form.
    let (whole, text) = response(client(&json(422, r#"{"detail":"no"}"#)).volumes(NONE).await);
    assert_eq!((whole.status.as_u16(), &whole.body[..]), (422, &br#"{"detail":"no"}"#[..]));
    assert!(text.contains(r#"/detail: expected an array, received "no""#), "{text}");
    // A status that is not documented.
    let (whole, text) = response(client(&json(500, "oops")).build().await);
    assert_eq!((whole.status.as_u16(), &whole.body[..]), (500, &b"oops"[..]));
    assert!(text.contains("500 Internal Server Error is not documented; body: oops"), "{text}");
}

#[tokio::test]
async fn a_body_that_is_not_documented_is_kept() {
    let failed = client(&json(200, r#"{"errorDetail":{}}"#)).build().await;
    let Ok(BuildResponse::Ok { body }) = failed else {
        panic!("{failed:?}")
    };
    assert_eq!(body.bytes().await.unwrap(), r#"{"errorDetail":{}}"#);
    let bad = client(&server(400, "text/plain", "no such file")).build().await;
    let Ok(BuildResponse::BadRequest { body }) = bad else {
        panic!("{bad:?}")
    };
    assert_eq!(body.bytes().await.unwrap(), "no such file");
}

#[tokio::test]
async fn another_media_type_is_a_stream_that_is_not_waited_for() {
    for media_type in ["text/event-stream", "image/png"] {
        let endless = Server { is_endless: true, ..server(200, media_type, "data: 1\n\n") };
        let Err(ClientError::OtherMediaType { response, documented, mut body }) =
            client(&endless).events().await
        else {
            panic!("a stream is no volume")
        };
        assert_eq!((response.status.as_u16(), &*documented), (200, "application/json"));
        assert_eq!(body.next().await.unwrap().unwrap(), "data: 1\n\n");
    }
}

#[tokio::test]
async fn a_media_type_that_is_wrong_or_missing_is_guessed() {
    let badly = server(200, "text/plain; charset=utf-8", r#"[{"Name":"v","Labels":{}}]"#);
    assert_eq!(volumes(badly).await.unwrap().len(), 1);
    let unquoted = client(&server(200, "text/plain", "ada")).name().await;
    assert!(matches!(unquoted, Ok(NameResponse::Ok { body }) if body.decode().unwrap() == "ada"));
    let empty = Server { status: 200, ..Server::default() };
    let log = client(&empty).log().await;
    assert!(matches!(log, Ok(LogResponse::Ok { body: LogOkContent::Text(text) }) if text.is_empty()));
}
