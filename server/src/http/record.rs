//! The access log and the measurements of one request.

use std::time::Duration;

use axum::response::Response;
use http::{Method, StatusCode};

use super::access_line::AccessLine;
use super::metrics::Metrics;
use super::request_context::{OperationId, RequestContext};
use super::series::Series;
use crate::access::Principal;
use crate::projects::Tier;

/// Stands for the operation of a request that is for none.
const UNMATCHED: OperationId = OperationId("<unmatched>");
/// Stands for the status of a request whose client hung up first.
pub(super) const ABORTED: &str = "aborted";

/// A request in flight. It is recorded when it is answered, or when it is dropped unanswered because
/// its client hung up.
pub(super) struct Record<'a> {
    metrics: &'a Metrics,
    context: &'a RequestContext,
    method: &'static str,
    in_flight: usize,
    answer: Option<(StatusCode, Option<OperationId>)>,
}

impl<'a> Record<'a> {
    pub(super) fn begin(
        metrics: &'a Metrics,
        context: &'a RequestContext,
        method: &Method,
    ) -> Self {
        Self {
            in_flight: metrics.request_began(),
            metrics,
            context,
            method: known_method(method),
            answer: None,
        }
    }

    /// How many requests were in flight when it came, itself among them.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Notes the answer and records the request.
    pub(super) fn answered(mut self, response: &Response) {
        let operation = response.extensions().get::<OperationId>().copied();
        self.answer = Some((response.status(), operation));
    }

    fn operation(&self) -> &'static str {
        let named = self.answer.and_then(|(_, operation)| operation);
        let noted = || self.context.target()?.operation;
        named.or_else(noted).unwrap_or(UNMATCHED).0
    }

    fn measure(&self, operation: &'static str, status: Option<StatusCode>, took: Duration) {
        let series = Series {
            operation,
            method: self.method,
            status,
        };
        self.metrics.request_ended(series, took);
        if self.context.is_rate_limited() {
            self.metrics.rate_limited(tier(self.context.principal()));
        }
    }

    fn log(&self, operation: &'static str, status: &str, took: Duration) {
        let line = AccessLine {
            request_id: self.context.request_id().as_str(),
            operation,
            method: self.method,
            status,
            at: self.context.opened().wall_after(took),
            duration_us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            client: self.context.client(),
            principal: self.context.principal(),
        };
        line.log();
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        let took = self.context.opened().elapsed();
        let status = self.answer.map(|(status, _)| status);
        let operation = self.operation();
        self.measure(operation, status, took);
        let status = status.as_ref().map_or(ABORTED, StatusCode::as_str);
        self.log(operation, status, took);
    }
}

fn tier(principal: Option<Principal>) -> &'static str {
    match principal.map(|principal| principal.tier) {
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
