//! Requests whose form is right: a path of the contract, and the texts of its parameters, cursors
//! among them, of its body, and of a key. The contract documents each answer in every respect, and
//! none is a failure of the server.

#![no_main]

#[path = "../contract.rs"]
mod contract;
#[path = "../server.rs"]
mod server;

use std::sync::LazyLock;

use axum::body::Body;
use bytes::Bytes;
use contract::CONTRACT;
use generated::client::{HttpTransport, Transport as _};
use generated::runtime::Retries;
use http::{Request, Response};
use http_body_util::BodyExt as _;
use server::DEMO;

/// The paths; the texts of the input take the places of `*`. A parameter without one is left out.
const PATHS: [&str; 14] = [
    "GET /api/v1/charities?cursor=*&limit=*&category=*&country=*&q=*",
    "GET /api/v1/charities/*",
    "GET /api/v1/campaigns?cursor=*&limit=*",
    "GET /api/v1/campaigns/*",
    "GET /api/v1/tokens?chainId=*&cursor=*&limit=*",
    "GET /api/v1/*/tokens/*",
    "GET /api/v1/*/contracts/*/tokens/leaderboard?cursor=*&limit=*",
    "GET /api/v1/configs?cursor=*&limit=*",
    "POST /api/v1/configs",
    "GET /api/v1/analytics/series?from=*&to=*&interval=*",
    "GET /api/v1/analytics/charities?from=*&to=*&cursor=*&limit=*",
    "GET /api/v1/*?*=*&*=*",
    "GET /api/v1/charities/*/donations?cursor=*&limit=*",
    "GET /api/v1/configs/*",
];

static CLIENT: LazyLock<HttpTransport> = LazyLock::new(|| HttpTransport::builder().retries(Retries::NONE).build());

// The start of the server is not the time of the first input.
libfuzzer_sys::fuzz_target!(init: { LazyLock::force(&DEMO); }, |bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let mut texts = rest.split(|byte| *byte == b'\n');
    let template = PATHS[usize::from(*first) % PATHS.len()];
    let (method, template) = template.split_once(' ').expect("a method and a target");
    let target = target(template, || texts.next().map_or_else(String::new, encoded));
    let uri = format!("http://{}{target}", DEMO.address);
    let mut request = Request::builder().method(method).uri(uri);
    match texts.next() {
        Some(key) if !key.is_empty() => request = request.header("service-api-key", key),
        _ => request = request.header("service-api-key", DEMO.key.reveal()),
    }
    let body = texts.next().unwrap_or_default();
    if !body.is_empty() {
        request = request.header("content-type", "application/json");
    }
    // A key may hold bytes that no header may.
    let Ok(request) = request.body(Body::from(body.to_vec())) else {
        return;
    };
    let answer = DEMO.runtime.block_on(answer(request));
    let path = target.split('?').next().unwrap_or_default();
    let found = CONTRACT.violations(method, path, &answer);
    assert!(found.is_empty(), "{method} {target}: {found:?} {answer:?}");
    assert!(
        !answer.status().is_server_error(),
        "{method} {target}: {answer:?}"
    );
});

/// A path and its query, whose `*` are texts.
fn target(template: &str, mut text: impl FnMut() -> String) -> String {
    let mut filled = |part: &str| match part {
        "*" => text(),
        named => named.to_owned(),
    };
    let (path, query) = template.split_once('?').unwrap_or((template, ""));
    let path: Vec<_> = path.split('/').map(&mut filled).collect();
    let parameters = query.split('&').filter_map(|pair| pair.split_once('='));
    let parameters = parameters.map(|(name, value)| (filled(name), filled(value)));
    let parameters = parameters.filter(|(_, value)| !value.is_empty());
    let query: Vec<_> = parameters.map(|(name, value)| format!("{name}={value}")).collect();
    match query.is_empty() {
        true => path.join("/"),
        false => format!("{}?{}", path.join("/"), query.join("&")),
    }
}

async fn answer(request: Request<Body>) -> Response<Bytes> {
    let answer = CLIENT
        .send(request)
        .await
        .unwrap_or_else(|error| panic!("no answer: {error}"));
    let (head, body) = answer.into_parts();
    Response::from_parts(head, body.collect().await.expect("a whole body").to_bytes())
}

fn encoded(text: &[u8]) -> String {
    percent_encoding::percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}
