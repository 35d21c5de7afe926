//! Calls the generated service of the probe's contract, without a socket, and checks its answers.

use std::sync::LazyLock;

use api::SCHEMAS;
use api::runtime::Service;
use api::service::Dispatcher;
use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower_service::Service as _;

use crate::echo::{Echo, echo};

static SERVICE: LazyLock<Service<Dispatcher<Echo>>> = LazyLock::new(echo);
static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().expect("a runtime")
});

/// The statuses of a refusal.
const REFUSALS: [u16; 6] = [400, 404, 405, 406, 413, 415];

/// The values that the service has read from a request; `None` if it refuses the request. A refusal
/// has a status and a body of the contract, and a request that breaks a schema is told where.
pub fn call(request: Request<Body>) -> Option<Value> {
    let mut service = SERVICE.clone();
    let (status, body) = RUNTIME.block_on(async move {
        let Ok(response) = service.call(request).await;
        let status = response.status().as_u16();
        (
            status,
            response
                .into_body()
                .collect()
                .await
                .expect("a body")
                .to_bytes(),
        )
    });
    let answer: Value = serde_json::from_slice(&body).expect("an answer in JSON");
    if status == 200 {
        return Some(answer);
    }
    assert!(REFUSALS.contains(&status), "{status}: {answer}");
    assert!(SCHEMAS.is_valid("Refusal", &answer), "{answer}");
    let has_violations = answer["violations"]
        .as_array()
        .is_some_and(|all| !all.is_empty());
    assert_eq!(answer["code"] == "INVALID", has_violations, "{answer}");
    None
}
