//! Calls the generated service of the probe's contract, without a socket.

use std::sync::LazyLock;

use api::runtime::Service;
use api::service::Dispatcher;
use axum::body::Body;
use http::Request;
use tower_service::Service as _;

use crate::echo::{Echo, echo};

static SERVICE: LazyLock<Service<Dispatcher<Echo>>> = LazyLock::new(echo);
static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().expect("a runtime")
});

/// Calls the service; a request is answered or refused, and never an error of the service.
pub fn call(request: Request<Body>) {
    let mut service = SERVICE.clone();
    let response = RUNTIME.block_on(async move {
        let Ok(response) = service.call(request).await;
        response
    });
    assert!(response.status() != 500, "{response:?}");
}
