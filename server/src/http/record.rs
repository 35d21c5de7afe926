//! The access log and the measurements of one request.
//!
//! A line names the operation, never the path, the query or a header: each of them may hold a key
//! that was put in the wrong place.

use std::time::{Duration, Instant};

use axum::response::Response;
use http::{Method, StatusCode};

use super::exchange::{Exchange, OperationId};
use super::metrics::Metrics;
use super::series::Series;
use crate::access::Caller;
use crate::domain::project::Tier;

/// Stands for the operation of a request that is for none.
const UNMATCHED: OperationId = OperationId("<unmatched>");
/// Stands for the status of a request whose client hung up first.
pub(super) const ABORTED: &str = "aborted";

/// A request in flight. It is recorded when it is answered, or when it is dropped unanswered because
/// its client hung up.
pub(super) struct Record<'a> {
    metrics: &'a Metrics,
    exchange: &'a Exchange,
    method: &'static str,
    started: Instant,
    answer: Option<(StatusCode, Option<OperationId>)>,
}

impl<'a> Record<'a> {
    pub(super) fn begin(metrics: &'a Metrics, exchange: &'a Exchange, method: &Method) -> Self {
        metrics.request_began();
        Self {
            metrics,
            exchange,
            method: known_method(method),
            started: Instant::now(),
            answer: None,
        }
    }

    /// Notes the answer and records the request.
    pub(super) fn answered(mut self, response: &Response) {
        let operation = response.extensions().get::<OperationId>().copied();
        self.answer = Some((response.status(), operation));
    }

    fn operation(&self) -> &'static str {
        let named = self.answer.and_then(|(_, operation)| operation);
        named.or(self.exchange.operation()).unwrap_or(UNMATCHED).0
    }

    fn measure(&self, operation: &'static str, status: Option<StatusCode>, took: Duration) {
        let series = Series {
            operation,
            method: self.method,
            status,
        };
        self.metrics.request_ended(series, took);
        if self.exchange.is_rate_limited() {
            self.metrics.rate_limited(tier(self.exchange.caller()));
        }
    }

    fn log(&self, operation: &'static str, status: &str, took: Duration) {
        let caller = self.exchange.caller();
        tracing::info!(
            target: "access",
            request_id = self.exchange.request_id.as_str(),
            operation,
            method = self.method,
            status,
            duration_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            client = %self.exchange.client,
            project = caller.map(|caller| tracing::field::display(caller.project.0)),
            key = caller.map(|caller| tracing::field::display(caller.key.0)),
        );
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        let took = self.started.elapsed();
        let status = self.answer.map(|(status, _)| status);
        let operation = self.operation();
        self.measure(operation, status, took);
        let status = status.as_ref().map_or(ABORTED, StatusCode::as_str);
        self.log(operation, status, took);
    }
}

fn tier(caller: Option<Caller>) -> &'static str {
    match caller.map(|caller| caller.tier) {
        None => "anonymous",
        Some(Tier::Free) => "free",
        Some(Tier::Pro) => "pro",
        Some(Tier::Enterprise) => "enterprise",
    }
}

/// The method's name if it is a standard one. Others are made up by clients and would be labels
/// without end.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::TRACE => "TRACE",
        Method::CONNECT => "CONNECT",
        _ => "<other>",
    }
}
