//! Forms with files: the server reads those that the client writes.

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
use http::{Method, Request, Response};
use http_body_util::BodyExt as _;
use runtime::__private::{
    Captures, Field, Fields, Form, Reader, RequestBuilder, Schemas, client::Client,
};
use runtime::{File, FormWriter, Rejection, Transport};
use serde_json::{Value, json};

const SCHEMAS: &str = r##"{
    "Text": {"type": "string", "maxLength": 5},
    "Numbers": {"type": "array", "items": {"type": "integer"}},
    "Reference": {"oneOf": [{"type": "string"}, {"$ref": "#/Size"}]},
    "References": {"type": "array", "items": {"type": "object"}},
    "Size": {"type": "object", "properties": {"width": {"type": "integer", "minimum": 1}}}
}"##;

static FIELDS: Fields = Fields {
    named: &[
        ("title", Field::text("Text")),
        ("years", Field::text("Numbers")),
        ("ids[]", Field::text("Numbers")),
        ("absent", Field::text("Text")),
        ("crop", Field::text("Size")),
        ("size", Field::json("Size")),
        ("meta", Field::json("Size")),
        ("one", Field::json("Reference")),
        ("list", Field::json("References")),
        ("cover", Field::file()),
        ("front", Field::file()),
        ("pages", Field::file()),
    ],
    matched: &[],
    rest: None,
};

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

async fn sent(form: FormWriter) -> Request<Bytes> {
    let recorder = Recorder::default();
    let request = RequestBuilder::new(Method::POST, "/".into()).multipart(form);
    let client = Client::new("http://localhost", &recorder);
    client
        .send::<std::convert::Infallible>(request)
        .await
        .unwrap();
    recorder.0.into_inner().unwrap().unwrap()
}

/// Reads a request as a form; the value of `read`, or the issues, place by place.
fn read<T>(
    request: Request<Bytes>,
    read: impl FnOnce(Form<'_, '_>) -> T,
) -> Result<Option<T>, Vec<String>> {
    let schemas = Schemas::parse(SCHEMAS);
    let (parts, body) = request.into_parts();
    let captures = Captures::default();
    let mut reader = Reader::new(&parts, &captures, &schemas, &[]);
    let value = Form::open(&mut reader, &FIELDS, &parts.headers, &body).map(read);
    match reader.finish() {
        Ok(()) => Ok(value),
        Err(Rejection::Invalid(issues)) => {
            let issues = issues.iter();
            Err(issues
                .map(|issue| format!("{} {}: {}", issue.at, issue.keyword, issue.message))
                .collect())
        }
        Err(other) => panic!("{other:?}"),
    }
}

fn raw(boundary: &str, body: impl Into<Bytes>) -> Request<Bytes> {
    Request::post("/")
        .header(
            "content-type",
            format!("multipart/form-data; boundary={boundary}"),
        )
        .body(body.into())
        .unwrap()
}

fn any<T>(_: &T) -> bool {
    true
}

#[tokio::test]
async fn what_is_written_is_read_back() {
    let file = File {
        name: Some("a \"b\" \\ c.png".into()),
        content_type: Some("image/png".into()),
        bytes: Bytes::from_static(b"\r\n--form-boundary\r\n\0\xFF"),
    };
    let form = FormWriter::new()
        .text("title", "caf\u{e9}")
        .text("years", &[1, 2])
        .text("ids[]", &[3])
        .text("absent", &None::<u8>)
        .text("crop", &json!({ "width": 3 }))
        .json("size", &json!({ "width": 4 }))
        .files("cover", [&file])
        .files("pages", [&file, &File::default()]);
    let request = sent(form).await;
    let kept = file.clone();
    let value = read(request, |mut form| {
        assert_eq!(
            form.required::<String>("title", any).as_deref(),
            Some("café")
        );
        assert_eq!(form.required("years", any), Some(vec![1, 2]));
        assert_eq!(form.required("ids[]", any), Some(vec![3]));
        assert_eq!(form.optional::<String>("absent", any), Some(None));
        let width = |value: Option<Value>| value.unwrap()["width"].clone();
        assert_eq!(width(form.required("crop", any)), json!(3));
        assert_eq!(width(form.required("size", any)), json!(4));
        assert_eq!(form.required_file("cover"), Some(kept.clone()));
        assert_eq!(
            form.required_files("pages", 1, 2),
            Some(vec![kept, File::default()])
        );
        form.close();
    });
    assert_eq!(value, Ok(Some(())));
}

#[tokio::test]
async fn one_part_is_a_list_only_where_it_cannot_be_the_value() {
    let one = json!({ "width": 1 });
    let form = FormWriter::new()
        .json("one", &one)
        .json("list", &json!([one]));
    let value = read(sent(form).await, |mut form| {
        ["one", "list"].map(|field| form.required::<Value>(field, any))
    });
    assert_eq!(value, Ok(Some([Some(one.clone()), Some(json!([one]))])));
}

#[test]
fn every_violation_is_told_with_its_place() {
    let request = raw(
        "x",
        "--x\r\nContent-Disposition: form-data; name=title\r\n\r\ntoo long\r\n\
         --x\r\ncontent-disposition: form-data; name=\"size\"\r\n\r\n{\"width\": 0}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"meta\"\r\n\r\n{\r\n\
         --x\r\nContent-Disposition: form-data; name=\"cover\"\r\n\r\n1\r\n\
         --x\r\nContent-Disposition: form-data; name=\"cover\"\r\n\r\n2\r\n\
         --x\r\nContent-Disposition: form-data; name=\"a/b\"\r\n\r\n\r\n--x--",
    );
    let short = |text: &String| text.len() < 6;
    let outcome = read(request, |mut form| {
        form.required::<String>("title", short);
        form.required::<Value>("size", |_| false);
        form.required::<Value>("meta", any);
        form.required::<Value>("absent", any);
        form.optional_file("cover");
        form.required_file("front");
        form.required_files("pages", 1, 2);
        form.close();
    });
    let expected = [
        "/title maxLength: must have at most 5 characters",
        "/size/width minimum: must be at least 1",
        "/meta contentMediaType: must be JSON",
        "/absent required: is required",
        "/cover type: must not be repeated",
        "/front required: is required",
        "/pages required: is required",
        "/a~1b additionalProperties: is not a field of this form",
    ];
    assert_eq!(outcome, Err(expected.map(str::to_owned).to_vec()));
}

#[test]
fn what_is_no_form_is_refused() {
    for (boundary, body) in [
        ("x", ""),
        ("x", "--x"),
        ("x", "--y\r\n--y--"),
        (
            "x",
            "--x\r\nContent-Disposition: form-data; name=a\r\n\r\nb",
        ),
        (
            "x",
            "--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--",
        ),
        ("x", "--x\r\n\r\nb\r\n--x--"),
        ("\"x", "--x--"),
    ] {
        let outcome = read(raw(boundary, body), |_| ());
        let expected = " type: is not a form as its Content-Type says".to_owned();
        assert_eq!(outcome, Err(vec![expected]), "{body:?}");
    }
    assert_eq!(
        read(raw("\"a b\"", "preamble--a b--\r\n"), |form| form.close()),
        Ok(Some(()))
    );
}

#[test]
fn a_hostile_head_or_boundary_is_refused_in_little_time() {
    let names = (0..40_000).map(|name| format!("h{name}:\r\n"));
    let disposition = "Content-Disposition: form-data; name=absent";
    let many: String = names.collect();
    let many = format!("--x\r\n{disposition}\r\n{many}\r\nb\r\n--x--");
    let again = format!(
        "--x\r\n{disposition}{}\r\n\r\nb\r\n--x--",
        "\r\nn:1".repeat(100)
    );
    let long = "-".repeat(71);
    let hyphens = "-".repeat(1 << 20);
    for (boundary, body) in [
        ("x", many),
        ("x", again),
        (long.as_str(), hyphens),
        ("\"\"", "----".into()),
    ] {
        let outcome = read(raw(boundary, body), |_| ());
        let expected = " type: is not a form as its Content-Type says".to_owned();
        assert_eq!(outcome, Err(vec![expected]));
    }
    let longest = "b".repeat(70);
    let body = format!("--{longest}--");
    let outcome = read(raw(&longest, body), |form| form.close());
    assert_eq!(outcome, Ok(Some(())));
}
