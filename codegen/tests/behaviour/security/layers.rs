//! Layers around operations.

use crate::host::{Guarded, Note, doors, said};
use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response};
use behaviour::send;
use security_api::HandlerError;
use security_api::operations::{OPERATIONS, OperationId};
use security_api::runtime::__private::Endpoint;
use security_api::runtime::Matched;
use security_api::service::Dispatcher;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

/// Adds its name and the status of the answer to a text, when a request passes.
#[derive(Clone)]
struct Trace(&'static str, Arc<Mutex<String>>);

#[derive(Clone)]
struct Traced<S>(S, Trace);

impl<S> tower_layer::Layer<S> for Trace {
    type Service = Traced<S>;

    fn layer(&self, inner: S) -> Traced<S> {
        Traced(inner, self.clone())
    }
}

impl<S> tower_service::Service<Request<Body>> for Traced<S>
where
    S: tower_service::Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = HandlerError;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Response<Body>, HandlerError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), HandlerError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let Trace(name, trace) = self.1.clone();
        let id = request.extensions().get::<Matched>().expect("a match").id();
        trace
            .lock()
            .expect("a lock")
            .push_str(&format!("{name} {id}, "));
        assert!(
            !request.headers().contains_key("x-panic"),
            "the layer fails"
        );
        let fails = request.headers().contains_key("x-fail");
        request.extensions_mut().insert(Note(name));
        let answering = self.0.call(request);
        Box::pin(async move {
            if fails {
                return Err(HandlerError::Unavailable { retry_after: 1 });
            }
            let Ok(response) = answering.await;
            let status = response.status().as_u16();
            trace
                .lock()
                .expect("a lock")
                .push_str(&format!("{name} {status}, "));
            Ok(response)
        })
    }
}

#[tokio::test]
async fn layers_surround_one_operation_or_all_and_know_which() {
    let trace = Arc::new(Mutex::new(String::new()));
    let layer = |name| Trace(name, Arc::clone(&trace));
    let (host, doors) = doors();
    let doors = doors
        .layer(OperationId::Body, &layer("inner"))
        .layer_all(&layer("all"))
        .layer(OperationId::Body, &layer("outer"));
    let ask = async |line: &str, headers: &[(&'static str, &'static str)]| {
        let (method, path) = line.split_once(' ').expect("a line");
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request
            .header("x-odd", "text/odd")
            .body(Bytes::from("\"b\""));
        let answer = send(&doors, request.expect("a request")).await;
        (
            said(&answer),
            std::mem::take(&mut *trace.lock().expect("a lock")),
        )
    };
    const JSON: (&str, &str) = ("content-type", "application/json");
    let good = ("x-key", "good");
    let (body, passed) = ask("POST /body", &[JSON, good]).await;
    assert_eq!(body, "key good, b, inner");
    assert_eq!(
        passed,
        "outer body, all body, inner body, inner 200, all 200, outer 200, "
    );
    // A layer sees what its operation refuses and how it fails.
    let (_, passed) = ask("POST /body", &[JSON]).await;
    assert!(
        passed.ends_with("inner 401, all 401, outer 401, "),
        "{passed}"
    );
    assert_eq!(
        ask("GET /fails", &[]).await,
        ("500".into(), "all fails, all 500, ".into())
    );
    assert_eq!(
        ask("GET /nowhere", &[]).await,
        ("404".into(), String::new())
    );
    assert_eq!(ask("GET /public", &[("x-fail", "")]).await.0, "503");
    assert_eq!(ask("GET /public", &[("x-panic", "")]).await.0, "500");
    let observed = host.observed.lock().expect("a lock");
    assert_eq!(
        observed.first().map(String::as_str),
        Some("POST /body body 200")
    );
    assert_eq!(
        observed.last().map(String::as_str),
        Some("GET /public public 500")
    );
    assert!(
        observed.contains(&"GET  <unmatched> 404".to_owned()),
        "{observed:?}"
    );
}

#[test]
fn operations_are_known_by_their_ids() {
    assert_eq!(
        OperationId::named("eitherScope"),
        Some(OperationId::EitherScope)
    );
    assert_eq!(OperationId::named("eitherscope"), None);
    assert_eq!(OperationId::EitherScope.operation().path, "/either-scope");
    for (id, operation) in OperationId::ALL.into_iter().zip(&OPERATIONS) {
        assert!(std::ptr::eq(id.operation(), operation));
        assert_eq!(OperationId::named(id.operation_id()), Some(id));
    }
    let _: fn(&Endpoint<Dispatcher<Guarded>>) -> Endpoint<Dispatcher<Guarded>> = Clone::clone;
}
