//! The bytes that a client sees.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::net::SocketAddr;

use axum::body::Body;
use http::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use runtime::__private::{Answer, Call, Dispatch, Reply, respond};
use runtime::{HandlerError, Host, Limits, Operation, Rejection, Service};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tower_service::Service as _;

static OPERATIONS: [Operation; 1] = [Operation {
    id: "read",
    method: Method::GET,
    base_path: "",
    path: "/read",
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
}];

/// The only operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct OperationId;

impl From<OperationId> for &'static Operation {
    fn from(OperationId: OperationId) -> Self {
        &OPERATIONS[0]
    }
}

struct Api;

impl Host for Api {
    type Context = ();
    type Error = HandlerError;
}

impl Dispatch for Api {
    type Host = Self;
    type OperationId = OperationId;

    const OPERATIONS: &'static [OperationId] = &[OperationId];

    fn host(&self) -> &Self {
        self
    }

    fn answer(&self, _: &Rejection) -> Answer {
        Answer::json(StatusCode::NOT_FOUND, "nothing here")
    }

    fn call(&self, OperationId: OperationId, _: Call<()>) -> Reply {
        Box::pin(async { respond(StatusCode::OK).bytes("text/plain", "hello") })
    }
}

async fn start() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let service = Service::new(Api, Limits::default());
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let service = service.clone();
            let service =
                hyper::service::service_fn(move |request: Request<hyper::body::Incoming>| {
                    service.clone().call(request.map(Body::new))
                });
            let connection = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(socket), service);
            tokio::spawn(connection);
        }
    });
    address
}

/// Sends everything before it reads anything, as simple clients do.
async fn exchange(head: &str, body: &[u8]) -> String {
    let mut socket = TcpStream::connect(start().await).await.unwrap();
    socket
        .write_all(head.replace('\n', "\r\n").as_bytes())
        .await
        .unwrap();
    socket.write_all(body).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_refused_client_that_sends_it_all_can_read_why() {
    let body = vec![b'x'; 5 << 20];
    let head = format!(
        "POST /nowhere HTTP/1.1\nHost: h\nConnection: close\nContent-Length: {}\n\n",
        body.len()
    );
    let answer = exchange(&head, &body).await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    assert!(answer.ends_with("\r\n\r\n\"nothing here\""), "{answer}");
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    for version in ["HTTP/1.1", "HTTP/1.0"] {
        let ask =
            |method: &str| format!("{method} /read {version}\nHost: h\nConnection: close\n\n");
        let (head, get) = (
            exchange(&ask("HEAD"), b"").await,
            exchange(&ask("GET"), b"").await,
        );
        let stable = |answer: &str| {
            let lines = answer.lines().filter(|line| !line.starts_with("date:"));
            let mut lines: Vec<_> = lines.map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert!(head.contains("content-length: 5"), "{head}");
        assert!(get.ends_with("hello"), "{get}");
        assert_eq!(stable(&head), stable(get.trim_end_matches("hello")));
    }
}

#[tokio::test]
async fn a_body_that_waits_is_not_asked_for() {
    let head = "POST /nowhere HTTP/1.1\nHost: h\nExpect: 100-continue\nContent-Length: 9\n\n";
    let answer = exchange(head, b"").await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
}
