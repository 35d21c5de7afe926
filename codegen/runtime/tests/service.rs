//! From a request to its response: the order of refusals, and the rules for
//! every response.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::header::ETAG;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::BodyExt as _;
use runtime::__private::{
    Answer, Call, Dispatch, Reply, Scheme, SchemeKind, SchemeUse, body, respond,
};
use runtime::{
    Admission, AuthError, HandlerError, Host, Limits, Matched, Operation, Place, Rejection,
    RequestHead, Service,
};
use tower_service::Service as _;

static KEY: Scheme = Scheme {
    name: "key",
    kind: SchemeKind::ApiKey {
        place: Place::Header,
        name: "service-api-key",
    },
    header: Some(HeaderName::from_static("service-api-key")),
    challenge: "",
};
static KEYED: [SchemeUse; 1] = [SchemeUse {
    scheme: &KEY,
    scopes: &[],
}];

const fn operation(
    id: &'static str,
    method: Method,
    path: &'static str,
    security: &'static [&'static [SchemeUse]],
    consumes: &'static [&'static str],
) -> Operation {
    let produces = &["application/json"];
    Operation {
        id,
        method,
        base_path: "/v1",
        path,
        rivals: &[],
        served: true,
        matchers: &[],
        tag: "",
        security,
        deprecation: None,
        sunset: None,
        not_modified: None,
        metered: true,
        lenient: false,
        consumes,
        streamed: &[],
        body_limit: None,
        body_required: true,
        produces,
    }
}

/// The operation with the dates of its end.
const fn ending(mut operation: Operation) -> Operation {
    operation.deprecation = Some("@1795478400");
    operation.sunset = Some("Wed, 24 Nov 2027 00:00:00 GMT");
    operation
}

/// The operation with an answer 304, which has these header fields.
const fn conditional(mut operation: Operation, fields: &'static [&'static str]) -> Operation {
    operation.not_modified = Some(fields);
    operation
}

static OPERATIONS: [Operation; 5] = [
    conditional(
        operation("read", Method::GET, "/read", &[], &[]),
        &["x-version"],
    ),
    operation(
        "write",
        Method::POST,
        "/write",
        &[&KEYED],
        &["application/json"],
    ),
    operation(
        "ignore",
        Method::POST,
        "/ignore",
        &[&[], &KEYED],
        &["application/json"],
    ),
    ending(operation("panic", Method::GET, "/panic", &[], &[])),
    operation("busy", Method::GET, "/busy", &[], &[]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum OperationId {
    Read,
    Write,
    Ignore,
    Panic,
    Busy,
}

impl OperationId {
    const ALL: [Self; 5] = [
        Self::Read,
        Self::Write,
        Self::Ignore,
        Self::Panic,
        Self::Busy,
    ];
}

impl From<OperationId> for &'static Operation {
    fn from(id: OperationId) -> Self {
        &OPERATIONS[id as usize]
    }
}

struct Gate;

impl Host for Gate {
    type Context = Option<String>;
    type Error = HandlerError;

    async fn admit(&self, visit: RequestHead<'_>) -> Admission<Option<String>> {
        let name = HeaderName::from_static("x-ratelimit-limit");
        let headers = vec![(name, HeaderValue::from_static("20"))];
        let key = visit
            .parts
            .headers
            .get("service-api-key")
            .map(|key| key.to_str().unwrap());
        let outcome = match key {
            None => Ok(None),
            Some("wrong") => Err(AuthError::CredentialInvalid),
            Some("greedy") => Err(AuthError::RateLimited),
            Some("panic") => panic!("the host fails"),
            Some("offline") => Err(HandlerError::Unavailable { retry_after: 9 }.into()),
            Some(key) => Ok(Some(key.to_owned())),
        };
        Admission { outcome, headers }
    }

    async fn observe<F>(&self, matched: Matched, answering: F) -> Response<Body>
    where
        F: Future<Output = Response<Body>> + Send,
    {
        if matched.method() == "PATCH" {
            // It has waited long enough.
            return Response::new(Body::empty());
        }
        let mut response = answering.await;
        let seen = format!("{} {} {}", matched.method(), matched.id(), matched.route());
        response
            .headers_mut()
            .insert("x-seen", HeaderValue::try_from(seen).unwrap());
        response
    }
}

struct Api {
    host: Gate,
}

impl Dispatch for Api {
    type Host = Gate;
    type OperationId = OperationId;

    const OPERATIONS: &'static [OperationId] = &OperationId::ALL;

    fn host(&self) -> &Gate {
        &self.host
    }

    fn answer(&self, rejection: &Rejection) -> Answer {
        let status = match rejection {
            Rejection::Route => 404,
            Rejection::Method { .. } => 405,
            Rejection::NotAcceptable => 406,
            Rejection::TooLarge { .. } => 413,
            Rejection::MediaType { .. } => 415,
            Rejection::Json { .. } | Rejection::Invalid(_) | Rejection::CredentialMissing => 400,
            Rejection::CredentialInvalid | Rejection::ScopeInsufficient => 403,
            Rejection::RateLimited => 429,
            Rejection::Internal => 500,
            Rejection::Unavailable { .. } => 503,
        };
        Answer::json(
            StatusCode::from_u16(status).unwrap(),
            &serde_json::json!({ "status": status }),
        )
    }

    fn call(&self, operation: OperationId, call: Call<Option<String>>) -> Reply {
        Box::pin(async move {
            if operation == OperationId::Write && call.context.is_none() {
                return Err(Rejection::CredentialMissing);
            }
            call.negotiate()?;
            match operation {
                OperationId::Panic => panic!("the handler fails"),
                OperationId::Busy => Err(Rejection::Unavailable { retry_after: 7 }),
                OperationId::Ignore => respond(StatusCode::NO_CONTENT).empty(),
                OperationId::Read | OperationId::Write => {
                    let body = body::read(call.body, call.limits.body).await?;
                    let who = call.context.unwrap_or_default();
                    let body = [who.as_bytes(), b":", &body].concat();
                    respond(StatusCode::OK)
                        .header(HeaderName::from_static("x-ratelimit-limit"), "own")
                        .header(HeaderName::from_static("x-version"), "3")
                        .header(HeaderName::from_static("x-page"), "next")
                        .header(ETAG, "\"1\"")
                        .bytes("text/plain", body)
                }
            }
        })
    }
}

/// A body that counts how many of its chunks are read.
struct Chunks {
    left: usize,
    read: Arc<AtomicUsize>,
    stalls: bool,
}

impl http_body::Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.left == 0 {
            return if self.stalls {
                Poll::Pending
            } else {
                Poll::Ready(None)
            };
        }
        self.left -= 1;
        self.read.fetch_add(1, Ordering::Relaxed);
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b' '; 1024])))))
    }
}

fn chunks(count: usize, stalls: bool) -> (Body, Arc<AtomicUsize>) {
    let read = Arc::new(AtomicUsize::new(0));
    (
        Body::new(Chunks {
            left: count,
            read: Arc::clone(&read),
            stalls,
        }),
        read,
    )
}

async fn serve(request: Request<Body>) -> Response<Body> {
    let limits = Limits {
        body: 4096,
        drain: 64 << 10,
        drain_deadline: Duration::from_secs(5),
        ..Limits::default()
    };
    Service::new(Api { host: Gate }, limits)
        .call(request)
        .await
        .unwrap()
}

async fn ask(line: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Response<Body> {
    let (method, path) = line.split_once(' ').unwrap();
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    serve(request.body(body.into()).unwrap()).await
}

async fn text(response: Response<Body>) -> String {
    String::from_utf8(
        response
            .into_body()
            .collect()
            .await
            .unwrap()
            .to_bytes()
            .to_vec(),
    )
    .unwrap()
}

const JSON: (&str, &str) = ("content-type", "application/json");
const ALICE: (&str, &str) = ("service-api-key", "alice");

#[tokio::test]
async fn a_request_reaches_its_handler_with_its_principal() {
    let response = ask("POST /v1/write", &[JSON, ALICE], "[1]").await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["x-seen"], "POST write /v1/write");
    // The admission's headers replace the handler's.
    assert_eq!(response.headers()["x-ratelimit-limit"], "20");
    assert_eq!(text(response).await, "alice:[1]");
    assert_eq!(text(ask("GET /v1/read", &[], "").await).await, ":");
}

#[tokio::test]
async fn refusals_come_in_order_and_in_the_contracts_shapes() {
    const PNG: (&str, &str) = ("accept", "image/png");
    const TEXT: (&str, &str) = ("content-type", "text/plain");
    const WRONG: (&str, &str) = ("service-api-key", "wrong");
    const GREEDY: (&str, &str) = ("service-api-key", "greedy");
    const PANIC: (&str, &str) = ("service-api-key", "panic");
    let long = "x".repeat(4097);
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str, u16);
    let cases: [Case<'_>; 17] = [
        ("GET /v1/nowhere", &[WRONG], "", 403),
        ("GET /v1/nowhere", &[GREEDY], "", 429),
        ("GET /v1/nowhere", &[], "", 404),
        ("PUT /v1/write", &[GREEDY], "", 429),
        ("PUT /v1/write", &[], "", 405),
        ("POST /v1/write", &[TEXT, PNG], &long, 400),
        ("POST /v1/write", &[TEXT, PNG, ALICE], &long, 413),
        ("POST /v1/write", &[TEXT, PNG, ALICE], "x", 415),
        ("POST /v1/write", &[TEXT, PNG, ALICE], "", 415),
        ("POST /v1/write", &[PNG, ALICE], "x", 415),
        ("POST /v1/write", &[JSON, PNG, ALICE], "x", 406),
        ("POST /v1/write", &[ALICE], "", 200),
        ("GET /v1/read", &[PNG], "", 406),
        ("GET /v1/read", &[TEXT], &long, 413),
        ("GET /v1/read", &[PANIC], "", 500),
        ("GET /v1/panic", &[], "", 500),
        ("GET /v1/busy", &[], "", 503),
    ];
    for (line, headers, body, status) in cases {
        let response = ask(line, headers, body.to_owned()).await;
        assert_eq!(response.status(), status, "{line} {headers:?}");
        let panicked = headers.contains(&PANIC);
        assert_eq!(
            response.headers().contains_key("x-ratelimit-limit"),
            !panicked,
            "{line}"
        );
        if status != 200 {
            assert_eq!(response.headers()["content-type"], "application/json");
            assert_eq!(text(response).await, format!("{{\"status\":{status}}}"));
        }
    }
}

#[tokio::test]
async fn some_statuses_have_headers_of_their_own() {
    let response = ask("DELETE /v1/read", &[], "").await;
    assert_eq!(response.headers()["allow"], "GET, HEAD");
    assert_eq!(response.headers()["x-seen"], "DELETE <unmatched> ");
    let response = ask("GET /v1/busy", &[], "").await;
    assert_eq!(response.headers()["retry-after"], "7");
    assert_eq!(response.headers()["x-seen"], "GET busy /v1/busy");
    let response = ask("BREW /v1/read", &[("service-api-key", "offline")], "").await;
    assert_eq!(response.headers()["retry-after"], "9");
    assert_eq!(response.headers()["x-seen"], "<other> <unmatched> ");
}

#[tokio::test]
async fn every_answer_of_a_deprecated_operation_tells_its_end() {
    for (line, status) in [("GET /v1/panic", 500), ("HEAD /v1/panic", 500)] {
        let response = ask(line, &[], Body::empty()).await;
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()["deprecation"], "@1795478400");
        assert_eq!(
            response.headers()["sunset"],
            "Wed, 24 Nov 2027 00:00:00 GMT"
        );
    }
    let other = ask("GET /v1/read", &[], Body::empty()).await;
    assert!(!other.headers().contains_key("deprecation"));
}

#[tokio::test]
async fn an_unchanged_answer_has_the_header_fields_that_the_contract_gives_it() {
    let held = [("if-none-match", "\"1\"")];
    let answer = ask("GET /v1/read", &held, Body::empty()).await;
    assert_eq!(answer.status(), StatusCode::NOT_MODIFIED);
    let mut names: Vec<_> = answer.headers().keys().map(HeaderName::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["etag", "x-ratelimit-limit", "x-seen", "x-version"]);
    assert_eq!(text(answer).await, "");
    let held = [("if-none-match", "\"2\"")];
    let answer = ask("GET /v1/read", &held, Body::empty()).await;
    assert_eq!(answer.headers()["x-page"], "next");
}

#[tokio::test]
async fn head_has_the_length_and_not_the_body() {
    for (line, status, length) in [("HEAD /v1/read", 200, "1"), ("HEAD /v1/nowhere", 404, "14")] {
        let response = ask(line, &[], "").await;
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()["content-length"], length);
        assert_eq!(text(response).await, "");
    }
}

#[tokio::test]
async fn what_nobody_read_is_drained() {
    for (path, headers) in [
        ("/v1/nowhere", &[][..]),
        ("/v1/write", &[JSON]),
        ("/v1/ignore", &[JSON]),
    ] {
        let (body, read) = chunks(20, false);
        ask(&format!("POST {path}"), headers, body).await;
        assert_eq!(read.load(Ordering::Relaxed), 20, "{path}");
    }
    // Nor is it kept by an answering that the host does not wait for.
    let (body, read) = chunks(20, false);
    ask("PATCH /v1/write", &[JSON, ALICE], body).await;
    assert_eq!(read.load(Ordering::Relaxed), 20);
}

#[tokio::test]
async fn a_body_that_turns_out_too_large_is_refused_and_drained() {
    let (body, read) = chunks(20, false);
    let response = ask("POST /v1/write", &[JSON, ALICE], body).await;
    assert_eq!(
        (response.status().as_u16(), read.load(Ordering::Relaxed)),
        (413, 20)
    );
    let (body, _) = chunks(4, false);
    assert_eq!(
        ask("POST /v1/write", &[JSON, ALICE], body).await.status(),
        200
    );
}

#[tokio::test]
async fn draining_ends_at_its_limit() {
    let (body, read) = chunks(1_000, false);
    ask("POST /v1/nowhere", &[], body).await;
    assert_eq!(read.load(Ordering::Relaxed), 65);
}

#[tokio::test(start_paused = true)]
async fn draining_ends_at_its_deadline() {
    let (body, read) = chunks(3, true);
    let response = ask("POST /v1/nowhere", &[], body).await;
    assert_eq!(
        (response.status().as_u16(), read.load(Ordering::Relaxed)),
        (404, 3)
    );
}

#[tokio::test]
async fn a_body_that_waits_to_be_asked_for_is_not_asked_for() {
    let (body, read) = chunks(3, false);
    let response = ask("POST /v1/write", &[JSON, ("expect", "100-Continue")], body).await;
    assert_eq!(
        (response.status().as_u16(), read.load(Ordering::Relaxed)),
        (400, 0)
    );
    // Once it was asked for, it comes, and has to be read.
    let (body, read) = chunks(20, false);
    let response = ask(
        "POST /v1/write",
        &[JSON, ALICE, ("expect", "100-continue")],
        body,
    )
    .await;
    assert_eq!(
        (response.status().as_u16(), read.load(Ordering::Relaxed)),
        (413, 20)
    );
}

/// Allocations for a request should be of the small sizes that allocators keep
/// at hand, and touch few lines of the cache.
#[test]
fn a_request_takes_little_room_on_its_way() {
    let service = Service::new(Api { host: Gate }, Limits::default());
    let answering = service.respond(Request::new(Body::empty()));
    assert!(
        size_of_val(&answering) <= 1024,
        "{} bytes",
        size_of_val(&answering)
    );
}
