//! The client's requests, which the server's half reads.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod network;
mod server;
mod unsent;

use std::convert::Infallible;
use std::sync::Mutex;

use axum::body::Body;
use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderValue, Method, Request, Response};
use http_body_util::BodyExt as _;
use runtime::__private::{
    Field, Fields, Param, ParamShape, Reader, RequestBuilder, Routed, Router, Schemas, Style,
    client::Client,
};
use runtime::{BuildError, ClientError, FormWriter, HttpTransport, Operation, Place, Transport};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Keeps the request and answers nothing.
#[derive(Default)]
struct Recorder(Mutex<Option<Request<Bytes>>>);

impl Transport for &Recorder {
    type Error = std::convert::Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Self::Error> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        *self.0.lock().unwrap() = Some(Request::from_parts(parts, body));
        Ok(Response::new(Body::empty()))
    }
}

async fn sent(
    request: RequestBuilder,
) -> Result<Request<Bytes>, ClientError<std::convert::Infallible>> {
    let recorder = Recorder::default();
    Client::new("http://localhost/", &recorder)
        .send(request)
        .await?;
    Ok(recorder.0.into_inner().unwrap().unwrap())
}

const HARD: &str = "a,b;c|d e&f=g/h?i#j%k.l+é";

#[tokio::test]
async fn every_style_is_read_back_as_it_was_written() {
    static OPERATIONS: [Operation; 2] = [operation("/x/{p}"), operation("/x")];
    let router = Router::new(&OPERATIONS);
    let schemas = Schemas::parse(
        r#"{"Scalar": {"type": "string"},
            "Array": {"type": "array", "items": {"type": "string"}},
            "Object": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "string"}}}}"#,
    );
    let values = [
        ("Scalar", ParamShape::Scalar, json!(HARD)),
        ("Array", ParamShape::Array, json!(["a", HARD, "c"])),
        (
            "Object",
            ParamShape::Object(&["x", "y"]),
            json!({ "x": -5, "y": HARD }),
        ),
    ];
    let styles = [
        (Place::Path, Style::Simple),
        (Place::Path, Style::Label),
        (Place::Path, Style::Matrix),
        (Place::Query, Style::Form),
        (Place::Query, Style::SpaceDelimited),
        (Place::Query, Style::PipeDelimited),
        (Place::Query, Style::DeepObject),
        (Place::Query, Style::Json),
        (Place::Header, Style::Simple),
        (Place::Cookie, Style::Form),
    ];
    let mut tried = 0;
    for (place, style) in styles {
        for (schema, shape, value) in &values {
            for explode in [false, true] {
                if !is_defined(place, style, explode, *shape) {
                    continue;
                }
                let param = Param {
                    name: "p",
                    place,
                    style,
                    explode,
                    shape: *shape,
                    schema,
                };
                let declared: &'static [Param] = Box::leak(Box::new([param]));
                let path = if place == Place::Path {
                    "/api/x/{p}"
                } else {
                    "/api/x"
                };
                let value = if can_hold_delimiters(place, style) {
                    value.clone()
                } else {
                    plain(value)
                };
                let request =
                    RequestBuilder::new(Method::GET, path.to_owned()).param(&declared[0], &value);
                let (parts, _) = sent(request).await.unwrap().into_parts();
                let Routed::Found { captures, .. } =
                    router.find(&Method::GET, &parts.uri, &parts.headers)
                else {
                    panic!("{:?} is not found", parts.uri)
                };
                let mut reader = Reader::new(&parts, &captures, &schemas, declared);
                let read: Option<Value> = reader.required(&declared[0], |_| true);
                let what = format!(
                    "{place} {style:?} {explode} {schema}: {} {:?}",
                    parts.uri, parts.headers
                );
                assert_eq!(reader.finish(), Ok(()), "{what}");
                assert_eq!(read, Some(value), "{what}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 43);
}

/// The combinations that OpenAPI defines, cookies that are one text, and deep objects that are none.
fn is_defined(place: Place, style: Style, explode: bool, shape: ParamShape) -> bool {
    match style {
        Style::DeepObject => explode,
        Style::SpaceDelimited | Style::PipeDelimited => {
            !explode && !matches!(shape, ParamShape::Scalar)
        }
        Style::Json => !explode,
        Style::Label => true,
        _ => place != Place::Cookie || !explode,
    }
}

/// Spaces and pipes separate after decoding, headers have no encoding, and a
/// dot cannot be told from the label style's own.
fn can_hold_delimiters(place: Place, style: Style) -> bool {
    place != Place::Header
        && !matches!(
            style,
            Style::SpaceDelimited | Style::PipeDelimited | Style::Label
        )
}

fn plain(value: &Value) -> Value {
    serde_json::from_str(&value.to_string().replace(HARD, "plain")).unwrap()
}

const fn operation(path: &'static str) -> Operation {
    Operation {
        id: "op",
        method: Method::GET,
        base_path: "/api",
        path,
        rivals: &[],
        served: true,
        matchers: &[],
        tag: "",
        security: &[],
        deprecation: None,
        sunset: None,
        not_modified: None,
        metered: false,
        lenient: false,
        consumes: &[],
        streamed: &[],
        body_limit: None,
        body_required: false,
        produces: &[],
    }
}

const fn text(name: &'static str, place: Place) -> Param {
    Param {
        name,
        place,
        style: Style::Simple,
        explode: false,
        shape: ParamShape::Scalar,
        schema: "",
    }
}

/// A list that is called `x-l`.
fn list(place: Place, style: Style, explode: bool) -> Param {
    Param {
        style,
        explode,
        shape: ParamShape::Array,
        ..text("x-l", place)
    }
}

#[tokio::test]
async fn bodies_carry_their_type() {
    let request = RequestBuilder::new(Method::POST, "/x".to_owned());
    let request = sent(request.json("application/json", &json!({ "a": 1 })))
        .await
        .unwrap();
    assert_eq!(request.headers()["content-type"], "application/json");
    assert_eq!(request.body().as_ref(), br#"{"a":1}"#);
    let form =
        json!({ "a": [1, "x y"], "b": { "c": null, "d": true, "g": ["h"] }, "e": [{ "f": 1 }] });
    let request = sent(RequestBuilder::new(Method::POST, "/x".to_owned()).form(&form, &[]))
        .await
        .unwrap();
    assert_eq!(
        request.body().as_ref(),
        b"a=1&a=x%20y&b%5Bd%5D=true&b%5Bg%5D%5B%5D=h&e%5B0%5D%5Bf%5D=1"
    );
}

#[tokio::test]
async fn http_goes_over_a_socket() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            request.push(socket.read_u8().await.unwrap());
        }
        socket
            .write_all(b"HTTP/1.1 418 T\r\nContent-Length: 2\r\n\r\nhi")
            .await
            .unwrap();
        String::from_utf8(request).unwrap()
    });
    let credential = HeaderValue::from_static("secret");
    let client = Client::new(&format!("http://{address}"), HttpTransport::new())
        .with_header(AUTHORIZATION, credential);
    assert!(!format!("{client:?}").contains("secret"));
    let answer = client
        .send::<Infallible>(RequestBuilder::new(Method::GET, "/x".to_owned()))
        .await
        .unwrap();
    assert_eq!(
        (answer.status().as_u16(), answer.body().as_ref()),
        (418, &b"hi"[..])
    );
    let request = server.await.unwrap();
    assert!(
        request.starts_with("GET /x HTTP/1.1\r\n") && request.contains("authorization: secret"),
        "{request}"
    );
    let gone = client
        .send::<Infallible>(RequestBuilder::new(Method::GET, "/x".to_owned()))
        .await;
    assert!(matches!(gone, Err(ClientError::Transport(_))));
}
