//! Requests whose form is right: an operation of the contract, with texts for its parameters, cursors
//! among them, and for its key and its body. The contract documents each answer in every respect, and
//! none is a failure of the server.
//!
//! An input is the id of an operation, lines of `name=text`, an empty line, and the body. A name of no
//! parameter is one of the query. A parameter of the path without a line has its example, and a request
//! without a key has one that the server admits. Any other first line stands for some operation.

#![no_main]

#[path = "../contract.rs"]
mod contract;
#[path = "../server.rs"]
mod server;

use std::sync::LazyLock;

use axum::body::Body;
use bytes::Bytes;
use contract::{CONTRACT, Operation, Parameter};
use generated::client::{HttpTransport, Transport as _};
use generated::runtime::Retries;
use http::{Request, Response};
use http_body_util::BodyExt as _;
use server::DEMO;

static CLIENT: LazyLock<HttpTransport> = LazyLock::new(|| HttpTransport::builder().retries(Retries::NONE).build());

/// The header of the key.
const KEY: &str = "service-api-key";

/// The texts of an input, by the names of their parameters.
type Texts<'a> = Vec<(&'a str, &'a str)>;

// The start of the server is not the time of the first input.
libfuzzer_sys::fuzz_target!(init: { LazyLock::force(&DEMO); }, |input: &str| {
    let (head, body) = input.split_once("\n\n").unwrap_or((input, ""));
    let mut lines = head.lines();
    let operation = operation(lines.next().unwrap_or_default());
    let texts = lines.filter_map(|line| line.split_once('=')).collect();
    let path = path(operation, &texts);
    let uri = format!("http://{}{path}{}", DEMO.address, query(operation, &texts));
    let mut request = Request::builder().method(operation.method.as_str()).uri(&uri);
    for (name, text) in headers(operation, &texts) {
        request = request.header(name, text);
    }
    if !body.is_empty() {
        request = request.header("content-type", operation.body_type.as_str());
    }
    // A text may hold characters that no header may.
    let Ok(request) = request.body(Body::from(body.to_owned())) else {
        return;
    };
    let answer = DEMO.runtime.block_on(answer(request));
    let method = &operation.method;
    let found = CONTRACT.violations(method, &path, &answer);
    assert!(found.is_empty(), "{method} {uri}: {found:?} {answer:?}");
    assert!(
        !answer.status().is_server_error(),
        "{method} {uri}: {answer:?}"
    );
});

/// The operation of an id, or some other.
fn operation(id: &str) -> &'static Operation {
    let all = &CONTRACT.document.operations;
    let named = all.iter().find(|operation| operation.id == id);
    let sum = id.bytes().map(usize::from).sum::<usize>();
    named.unwrap_or_else(|| &all[sum % all.len()])
}

/// The path, base path included.
fn path(operation: &Operation, texts: &Texts<'_>) -> String {
    let mut path = format!("{}{}", CONTRACT.document.base, operation.path);
    for parameter in in_place(operation, "path") {
        let text = match text(texts, &parameter.name) {
            Some(text) => encoded(text),
            None => example(parameter),
        };
        path = path.replace(&format!("{{{}}}", parameter.name), &text);
    }
    path
}

/// The query, its question mark included.
fn query(operation: &Operation, texts: &Texts<'_>) -> String {
    let elsewhere = |name: &str| {
        let mut all = operation.parameters.iter();
        name == KEY || all.any(|it| it.name == name && it.place != "query")
    };
    let pairs = texts.iter().filter(|(name, _)| !elsewhere(name));
    let pairs: Vec<_> = pairs
        .map(|(name, text)| format!("{}={}", encoded(name), encoded(text)))
        .collect();
    match pairs.is_empty() {
        true => String::new(),
        false => format!("?{}", pairs.join("&")),
    }
}

/// The headers, the key among them.
fn headers<'a>(operation: &'a Operation, texts: &Texts<'a>) -> Texts<'a> {
    let key = text(texts, KEY).unwrap_or(DEMO.key.reveal());
    let parameters = in_place(operation, "header");
    let given = parameters.filter_map(|it| Some((it.name.as_str(), text(texts, &it.name)?)));
    given.chain([(KEY, key)]).collect()
}

fn in_place<'a>(operation: &'a Operation, place: &'a str) -> impl Iterator<Item = &'a Parameter> {
    operation.parameters.iter().filter(move |it| it.place == place)
}

fn text<'a>(texts: &Texts<'a>, name: &str) -> Option<&'a str> {
    let named = texts.iter().find(|(of, _)| *of == name);
    named.map(|(_, text)| *text)
}

/// The example of a parameter, as it stands in a path.
fn example(parameter: &Parameter) -> String {
    let text = parameter.example.as_str().map(encoded);
    text.unwrap_or_else(|| parameter.example.to_string())
}

async fn answer(request: Request<Body>) -> Response<Bytes> {
    let answer = CLIENT
        .send(request)
        .await
        .unwrap_or_else(|error| panic!("no answer: {error}"));
    let (head, body) = answer.into_parts();
    Response::from_parts(head, body.collect().await.expect("a whole body").to_bytes())
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}
