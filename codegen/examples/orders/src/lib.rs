//! An application of axum that has routes, state and layers of its own, and serves a contract beside them.

mod operations;
mod orders;
pub mod traces;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::get;
use orders_api::operations::OperationId;
use orders_api::service::service;
use std::sync::Arc;
use std::time::Duration;
use tower::limit::ConcurrencyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use operations::Operations;
use orders::Orders;

/// The time that any request has.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How many orders are placed at once; others wait.
const PLACED_AT_ONCE: usize = 16;

/// The application: the operations of the contract, below `/api`, and pages that it does not have.
pub fn app() -> Router {
    let orders = Arc::new(Orders::default());
    let operations = Arc::new(Operations {
        orders: Arc::clone(&orders),
    });
    let contract = service(operations, Default::default()).layer(
        OperationId::OrdersPlace,
        &ConcurrencyLimitLayer::new(PLACED_AT_ONCE),
    );
    Router::new()
        .route("/health", get(|| async { "ok" }))
        .route("/count", get(count))
        .with_state(orders)
        .fallback_service(contract)
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            TIMEOUT,
        ))
        .layer(middleware::from_fn(traces::request))
}

/// A page from before the contract.
async fn count(State(orders): State<Arc<Orders>>) -> String {
    format!("{} orders\n", orders.count())
}
