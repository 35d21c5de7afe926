//! The client reads the headers and the body of a response, by their declared form.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Response, StatusCode};
use runtime::__private::{Param, ParamShape, Schemas, Style, client};
use runtime::{ClientError, Place};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

type Error = ClientError<()>;

fn answer() -> Response<Bytes> {
    Response::builder()
        .status(StatusCode::CREATED)
        .header("X-Left", "5")
        .header("X-Json", "[1, 2]")
        .header("X-List", "1, 2")
        .header("X-Same", "5")
        .header("X-Same", "5")
        .header("X-Lines", "1")
        .header("X-Lines", "2, 3")
        .header(SET_COOKIE, "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT")
        .header(SET_COOKIE, "b=2")
        .body(Bytes::from_static(b"{\"a\": 1}"))
        .unwrap()
}

const fn header(name: &'static str, style: Style, shape: ParamShape) -> Param {
    Param {
        name,
        place: Place::Header,
        style,
        explode: false,
        shape,
        schema: "Either",
    }
}

#[test]
fn a_header_is_one_text() {
    let answer = answer();
    assert_eq!(
        client::header::<u8, (), Infallible>(&answer, "x-left").unwrap(),
        5
    );
    assert_eq!(
        client::header::<u8, (), Infallible>(&answer, "x-same").unwrap(),
        5
    );
    let absent = client::optional_header::<u8, (), Infallible>(&answer, "x-right");
    assert_eq!(absent.unwrap(), None);
    for name in ["x-right", "set-cookie"] {
        let read = client::header::<u8, (), Infallible>(&answer, name);
        assert!(matches!(read, Err(Error::Undecodable { .. })), "{name}");
    }
}

#[test]
fn a_header_has_the_style_and_shape_that_are_declared() {
    let answer = answer();
    let schemas = Schemas::parse(
        r#"{"Either": {"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}}"#,
    );
    let list = header("x-json", Style::Json, ParamShape::Scalar);
    let list = client::styled_header::<Vec<u8>, (), Infallible>(&answer, &schemas, list);
    assert_eq!(list.unwrap(), [1, 2]);
    let either = ParamShape::AnyOf(&[ParamShape::Scalar, ParamShape::Array]);
    for (name, expected) in [
        ("x-left", Some(json!(5))),
        ("x-list", Some(json!([1, 2]))),
        ("x-lines", Some(json!([1, 2, 3]))),
        ("x-none", None),
    ] {
        let param = header(name, Style::Simple, either);
        let read =
            client::optional_styled_header::<Value, (), Infallible>(&answer, &schemas, param);
        assert_eq!(read.unwrap(), expected, "{name}");
    }
}

#[test]
fn a_line_of_its_own_sets_each_cookie() {
    let answer = answer();
    let schemas = Schemas::parse(r#"{"Either": {"type": ["array", "string"]}}"#);
    let first = "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT";
    let one = client::header::<String, (), Infallible>(&answer, "set-cookie");
    assert_eq!(one.unwrap(), first);
    for shape in [
        ParamShape::Array,
        ParamShape::AnyOf(&[ParamShape::Scalar, ParamShape::Array]),
    ] {
        let cookies = header("set-cookie", Style::Simple, shape);
        let read = client::styled_header::<Value, (), Infallible>(&answer, &schemas, cookies);
        assert_eq!(read.unwrap(), json!([first, "b=2"]));
    }
    let none = Response::new(Bytes::new());
    let read = |name| {
        let list = header(name, Style::Simple, ParamShape::Array);
        client::styled_header::<Vec<String>, (), Infallible>(&none, &schemas, list)
    };
    assert!(read("set-cookie").unwrap().is_empty());
    assert!(matches!(read("x-list"), Err(Error::Undecodable { .. })));
}

#[test]
fn a_body_has_the_type_that_is_declared() {
    let answer = answer();
    assert_eq!(
        client::json::<Value, (), Infallible>(&answer).unwrap(),
        json!({ "a": 1 })
    );
    assert_eq!(
        client::text::<(), Infallible>(&answer).unwrap(),
        "{\"a\": 1}"
    );
    let number = client::json::<u8, (), Infallible>(&answer);
    assert!(matches!(number, Err(Error::Undecodable { .. })));
}

#[test]
fn an_answer_that_is_not_declared_stays_as_it_came() {
    let answer = client::undocumented::<(), Infallible>(answer());
    assert_eq!(answer.status(), Some(StatusCode::CREATED));
    let Error::Undocumented(response) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(response.headers["x-left"], "5");
    assert_eq!(response.body, "{\"a\": 1}");
}

#[test]
fn a_refusal_is_what_is_declared_or_stays_as_it_came() {
    type Read = fn(&Response<Bytes>) -> Result<Value, ClientError<(), Value>>;
    let read: Read = client::json;
    let refused = client::refused(answer(), &[(404, read), (201, read)]);
    let ClientError::Refused { response, refusal } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(response.status, StatusCode::CREATED);
    assert_eq!(*refusal, json!({ "a": 1 }));
    let page = Response::new(Bytes::from("<html>"));
    let refused = client::refused(page, &[(200, read)]);
    assert!(matches!(refused, ClientError::Undocumented(response) if response.body == "<html>"));
}

static READ: AtomicUsize = AtomicUsize::new(0);

/// A body that counts how often it is read, and cannot be written.
struct Counted;

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        READ.fetch_add(1, Ordering::SeqCst);
        Value::deserialize(from).map(|_| Self)
    }
}

#[test]
fn a_body_is_read_once() {
    let answer = answer();
    let body = client::encoded::<Counted, (), Infallible>(&answer).unwrap();
    assert!(body.decode().is_ok());
    assert_eq!(READ.load(Ordering::SeqCst), 1);
    assert_eq!(body.bytes().unwrap(), answer.body());
    assert!(body.clone().decode().is_ok());
    assert_eq!(READ.load(Ordering::SeqCst), 2);
    let wrong = Response::new(Bytes::from("{"));
    let wrong = client::encoded::<Counted, (), Infallible>(&wrong);
    assert!(matches!(wrong, Err(Error::Undecodable { .. })));
}
