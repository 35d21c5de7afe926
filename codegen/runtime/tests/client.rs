//! The client's requests, and that the server's half reads what it writes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::sync::Mutex;

use axum::body::Body;
use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderValue, Method, Request, Response};
use http_body_util::BodyExt as _;
use runtime::client::{Client, ClientError};
use runtime::draft::{Draft, Unsendable};
use runtime::issue::Place;
use runtime::multipart_field::{Field, Fields};
use runtime::multipart_write::FormWriter;
use runtime::operation::Operation;
use runtime::param::{Param, Shape, Style};
use runtime::reader::Reader;
use runtime::route::{Routed, Router};
use runtime::schema::Schemas;
use runtime::transport::{HttpTransport, Transport};
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

async fn sent(draft: Draft) -> Result<Request<Bytes>, ClientError<std::convert::Infallible>> {
    let recorder = Recorder::default();
    Client::new("http://localhost/", &recorder)
        .send(draft)
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
        ("Scalar", Shape::Scalar, json!(HARD)),
        ("Array", Shape::Array, json!(["a", HARD, "c"])),
        (
            "Object",
            Shape::Object(&["x", "y"]),
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
                let draft = Draft::new(Method::GET, path.to_owned()).param(&declared[0], &value);
                let (parts, _) = sent(draft).await.unwrap().into_parts();
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

/// What OpenAPI defines, cookies that are one text, and deep objects that are none.
fn is_defined(place: Place, style: Style, explode: bool, shape: Shape) -> bool {
    match style {
        Style::DeepObject => explode,
        Style::SpaceDelimited | Style::PipeDelimited => !explode && !matches!(shape, Shape::Scalar),
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
        index: 0,
        id: "op",
        method: Method::GET,
        base_path: "/api",
        path,
        served: true,
        wants: &[],
        tag: "",
        security: &[],
        metered: false,
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
        shape: Shape::Scalar,
        schema: "",
    }
}

/// A list that is called `x-l`.
fn list(place: Place, style: Style, explode: bool) -> Param {
    Param {
        style,
        explode,
        shape: Shape::Array,
        ..text("x-l", place)
    }
}

#[tokio::test]
async fn what_would_be_read_as_another_value_is_not_sent() {
    let object = |place, style, explode| Param {
        shape: Shape::Object(&["a"]),
        ..list(place, style, explode)
    };
    let header = list(Place::Header, Style::Simple, false);
    let (path, cookie) = (
        list(Place::Path, Style::Simple, false),
        list(Place::Cookie, Style::Form, false),
    );
    let (label, dots) = (
        list(Place::Path, Style::Label, false),
        list(Place::Path, Style::Label, true),
    );
    let (matrix, spread) = (
        list(Place::Path, Style::Matrix, false),
        list(Place::Path, Style::Matrix, true),
    );
    let query = list(Place::Query, Style::Form, false);
    let pairs = list(Place::Query, Style::Form, true);
    let form = list(Place::Body, Style::Form, false);
    let bars = list(Place::Query, Style::PipeDelimited, false);
    let blanks = list(Place::Query, Style::SpaceDelimited, false);
    let repeated = list(Place::Query, Style::PipeDelimited, true);
    let member = object(Place::Header, Style::Simple, false);
    let assigned = object(Place::Header, Style::Simple, true);
    let deep = object(Place::Query, Style::DeepObject, true);
    let json = list(Place::Header, Style::Json, false);
    for (param, value, sendable) in [
        (&header, json!(["a", "b c"]), true),
        (&header, json!(["a,b"]), false),
        (&header, json!(["a", " b"]), false),
        (&header, json!(["a", ""]), true),
        (&header, json!(["", ""]), true),
        (&header, json!([]), true),
        (&header, json!([""]), false),
        (&text("x-t", Place::Header), json!(" a"), false),
        (&text("x-t", Place::Header), json!("a, b"), true),
        (&json, json!(["", null, "a,b"]), true),
        (&member, json!({ "a": "" }), true),
        (&member, json!({ "a": "b,c" }), false),
        (&assigned, json!({ "a=": "b" }), false),
        (&path, json!(["a,b", ""]), true),
        (&label, json!(["a.b"]), true),
        (&label, json!([""]), false),
        (&dots, json!(["a.b"]), false),
        (&matrix, json!([""]), false),
        (&spread, json!([""]), true),
        (&cookie, json!(["a,b", ""]), true),
        (&cookie, json!([""]), false),
        (&bars, json!(["a", "b,c"]), true),
        (&bars, json!(["a|b"]), false),
        (&blanks, json!(["a", "b|c"]), true),
        (&blanks, json!(["a b"]), false),
        (&repeated, json!(["a|b", ""]), true),
        (&query, json!(["a,b"]), true),
        (&query, json!([""]), false),
        (&pairs, json!([""]), true),
        (&deep, json!({ "a": null }), true),
        (&form, json!(["a,b"]), false),
        (&form, json!(["a,b", "c"]), true),
        (&form, json!([""]), false),
        (&form, json!(null), true),
        (&form, json!([1, null]), true),
        (&form, json!(["a", null]), false),
    ] {
        let draft = Draft::new(Method::POST, "/x/{x-l}".to_owned());
        let draft = match param.place {
            Place::Body => draft.form(&json!({ "x-l": value }), std::slice::from_ref(param)),
            _ => draft.param(param, &value),
        };
        assert_eq!(sent(draft).await.is_ok(), sendable, "{param:?} {value}");
    }
}

#[tokio::test]
async fn what_its_schema_reads_as_another_value_is_not_sent() {
    let schemas = Schemas::parse(
        r#"{"Numbers": {"type": "array", "items": {"type": ["integer", "null"]}},
            "Words": {"type": "array", "items": {"type": ["string", "null"]}},
            "Either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}}"#,
    );
    let of = |schema, shape| Param {
        schema,
        shape,
        ..list(Place::Header, Style::Simple, false)
    };
    let spread = |schema| Param {
        schema,
        ..list(Place::Query, Style::Form, true)
    };
    let (numbers, words) = (of("Numbers", Shape::Array), of("Words", Shape::Array));
    let either = of("Either", Shape::AnyOf(&[Shape::Scalar, Shape::Array]));
    for (param, value, required, optional) in [
        (&numbers, json!([1, null]), true, true),
        (&numbers, json!([null]), false, false),
        (&numbers, json!([]), true, true),
        (&words, json!(["a", null]), false, false),
        (&words, json!(null), false, true),
        (&either, json!("a,b"), true, true),
        (&either, json!("1,2"), false, false),
        (&either, json!([1, 2]), true, true),
        (&spread("Numbers"), json!([null]), true, true),
        (&spread("Numbers"), json!([]), false, true),
        (&spread("Words"), json!([null]), false, false),
    ] {
        let draft = || Draft::new(Method::GET, "/x".to_owned());
        let always = sent(draft().required(&schemas, param, &value)).await;
        let given = sent(draft().optional(&schemas, param, &Some(&value))).await;
        assert_eq!(
            (always.is_ok(), given.is_ok()),
            (required, optional),
            "{param:?} {value}"
        );
    }
}

#[tokio::test]
async fn null_beside_strings_is_no_part_of_one_text() {
    static FIELDS: Fields = Fields {
        named: &[("words", Field::text("").joined(','))],
        matched: &[],
        rest: None,
    };
    for (value, sendable) in [
        (json!(["a", "b"]), true),
        (json!([1, null]), true),
        (json!(["a", null]), false),
    ] {
        let form = FormWriter::of(&FIELDS).text("words", &value);
        let draft = Draft::new(Method::POST, "/x".to_owned()).multipart(form);
        assert_eq!(sent(draft).await.is_ok(), sendable, "{value}");
    }
}

#[tokio::test]
async fn what_makes_no_request_is_not_sent() {
    let (path, header) = (text("id", Place::Path), text("x-id", Place::Header));
    let draft = || Draft::new(Method::GET, "/x/{id}".to_owned());
    for segment in ["", ".", ".."] {
        let error = sent(draft().param(&path, segment)).await.unwrap_err();
        let expected = Unsendable {
            at: "id",
            reason: "makes no path segment",
        };
        assert_eq!(error, ClientError::Unsendable(expected), "{segment:?}");
    }
    let error = sent(draft().param(&header, "a\nb")).await.unwrap_err();
    assert!(matches!(
        error,
        ClientError::Unsendable(Unsendable { at: "x-id", .. })
    ));
    let unkeyed = std::collections::BTreeMap::from([(vec![0], 0)]);
    let error = sent(draft().json("application/json", &unkeyed))
        .await
        .unwrap_err();
    assert!(matches!(
        error,
        ClientError::Unsendable(Unsendable { at: "body", .. })
    ));
}

#[tokio::test]
async fn a_member_that_would_be_read_as_another_parameter_is_not_sent() {
    let rest = Param {
        style: Style::Form,
        explode: true,
        shape: Shape::AnyOf(&[Shape::Scalar, Shape::Object(&["limit"])]),
        ..text("rest", Place::Query)
    };
    let page = Param {
        style: Style::DeepObject,
        ..text("page", Place::Query)
    };
    let open = Param {
        name: "open",
        schema: "Open",
        shape: Shape::Object(&[]),
        ..rest
    };
    let schemas = Schemas::parse(r#"{"Open":{"type":"object","additionalProperties":true}}"#);
    let declared = [
        text("id", Place::Path),
        text("limit", Place::Query),
        text("order", Place::Query),
        page,
        rest,
    ];
    let refused = async |declared: &[Param], members: Value| {
        let draft = Draft::new(Method::GET, "/x".to_owned());
        match sent(draft.apart(&schemas, declared, &rest, &members)).await {
            Err(ClientError::Unsendable(flaw)) => {
                let reason = "would be read from a member of another parameter";
                assert_eq!(flaw.reason, reason);
                Some(flaw.at)
            }
            _ => None,
        }
    };
    for (members, at) in [
        (json!({ "colour": 1, "id": 2, "rest": 3, "pages": 4 }), None),
        // The contract itself names it twice.
        (json!({ "limit": 1 }), None),
        (json!({ "colour": 1, "order": 2 }), Some("order")),
        (json!({ "page[a]": 1 }), Some("page")),
        (json!("order"), None),
    ] {
        assert_eq!(refused(&declared, members.clone()).await, at, "{members}");
    }
    let both = [rest, open];
    assert_eq!(refused(&both, json!({ "limit": 1 })).await, None);
    assert_eq!(refused(&both, json!({ "colour": 1 })).await, Some("open"));
}

#[tokio::test]
async fn a_default_that_its_schema_refuses_is_not_sent() {
    let schemas = Schemas::parse(r#"{"Few":{"type":"integer","minimum":5}}"#);
    let few = Param {
        schema: "Few",
        ..text("few", Place::Query)
    };
    let uri = async |value: u8| {
        let draft = Draft::new(Method::GET, "/x".to_owned());
        let sent = sent(draft.defaulted(&schemas, &few, &value, "3")).await;
        sent.unwrap().uri().to_string()
    };
    assert!(!uri(3).await.contains("few"));
    // Another value is the service's to refuse.
    assert!(uri(4).await.ends_with("?few=4"));
    assert!(uri(5).await.ends_with("?few=5"));
}

#[tokio::test]
async fn what_a_segment_would_divide_in_another_way_is_not_sent() {
    let (name, ext) = (text("name", Place::Path), text("ext", Place::Path));
    for (template, values, sendable) in [
        ("/x/{name}.{ext}", ["a", "b.c"], Some("/x/a.b.c")),
        ("/x/{name}.{ext}", ["a.b", "c"], None),
        ("/x/{name}:{ext}", ["a:b", "c"], Some("/x/a%3Ab:c")),
        ("/x/{name}.json", ["a.json", "c"], Some("/x/a.json.json")),
        ("/x/{name}/{ext}", ["a.b/", "c"], Some("/x/a.b%2F/c")),
        ("/{name}-{name}.{ext}", ["a-b", "c"], Some("/a-b-a-b.c")),
        ("/{name}{ext}", ["a", "bc"], Some("/abc")),
        ("/{name}{ext}", ["ab", "c"], None),
    ] {
        let draft = Draft::new(Method::GET, template.to_owned());
        let draft = draft.param(&name, values[0]).param(&ext, values[1]);
        let request = sent(draft).await.ok();
        let path = request.as_ref().map(|request| request.uri().path());
        assert_eq!(path, sendable, "{template} {values:?}");
    }
}

#[tokio::test]
async fn bodies_carry_their_type() {
    let draft = Draft::new(Method::POST, "/x".to_owned());
    let request = sent(draft.json("application/json", &json!({ "a": 1 })))
        .await
        .unwrap();
    assert_eq!(request.headers()["content-type"], "application/json");
    assert_eq!(request.body().as_ref(), br#"{"a":1}"#);
    let form =
        json!({ "a": [1, "x y"], "b": { "c": null, "d": true, "g": ["h"] }, "e": [{ "f": 1 }] });
    let request = sent(Draft::new(Method::POST, "/x".to_owned()).form(&form, &[]))
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
        .send(Draft::new(Method::GET, "/x".to_owned()))
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
    let gone = client.send(Draft::new(Method::GET, "/x".to_owned())).await;
    assert!(matches!(gone, Err(ClientError::Transport(_))));
}
