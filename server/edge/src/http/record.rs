//! The access log, the metrics and the usage of one request.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use http::{Method, StatusCode};
use jiff::Timestamp;

use super::access_line::{self, AccessLine};
use super::metrics::{Metrics, RequestLabels};
use super::request_context::{Caller, OperationId, Outcome, RequestContext};

/// The operation label of a request that matches no operation.
const UNMATCHED: OperationId = OperationId("<unmatched>");

/// A request with a valid key that has ended.
#[derive(Debug, Clone, Copy)]
pub struct AnsweredRequest<'a> {
    /// The caller that its key identifies.
    pub caller: Caller,
    /// When it arrived.
    pub at: Timestamp,
    pub method: &'static str,
    /// The contract's name of its operation.
    pub operation: &'static str,
    /// The status of the response; `None` if the client closed the connection before it.
    pub status: Option<StatusCode>,
    /// The error code of the response.
    pub code: Option<&'a ErrorCode>,
    pub duration: Duration,
    pub id: &'a str,
}

/// The error code in a response's body. The API adds it to the response as an extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorCode(pub Arc<str>);

/// Records a request with a valid key that has ended.
pub(super) type RecordUsage = dyn Fn(AnsweredRequest<'_>) + Send + Sync;

/// A request in flight. It is recorded when it is answered, or when it is dropped unanswered because
/// its client hung up.
pub(super) struct RequestRecord<'a> {
    metrics: &'a Metrics,
    usage: &'a RecordUsage,
    context: &'a RequestContext,
    method: &'static str,
    answer: Option<(StatusCode, Option<OperationId>)>,
    code: Option<ErrorCode>,
}

impl<'a> RequestRecord<'a> {
    pub(super) fn begin(
        metrics: &'a Metrics,
        usage: &'a RecordUsage,
        context: &'a RequestContext,
        method: &Method,
    ) -> Self {
        Self {
            metrics,
            usage,
            context,
            method: known_method(method),
            answer: None,
            code: None,
        }
    }

    /// Notes the answer and records the request.
    pub(super) fn answered(mut self, response: &Response) {
        let operation = response.extensions().get::<OperationId>().copied();
        self.answer = Some((response.status(), operation));
        self.code = response.extensions().get().cloned();
    }

    fn operation(&self) -> &'static str {
        let named = self.answer.and_then(|(_, operation)| operation);
        let noted = || self.context.target()?.operation;
        named.or_else(noted).unwrap_or(UNMATCHED).0
    }

    fn measure(&self, labels: RequestLabels, took: Duration) {
        self.metrics.request_ended(labels, took);
        match self.context.outcome() {
            Some(Outcome::RateLimited { .. }) => {
                let tier = self.context.caller().map_or("anonymous", |it| it.tier);
                self.metrics.rate_limited(tier);
            }
            Some(Outcome::TooManyInFlight) => self.metrics.edge_error("overloaded caller"),
            Some(Outcome::Admitted) | None => {}
        }
    }

    /// Counts the request as one of its key.
    fn count(&self, labels: RequestLabels, took: Duration) {
        if let Some(caller) = self.context.caller() {
            (self.usage)(AnsweredRequest {
                caller,
                at: self.context.arrived_at(),
                method: labels.method,
                operation: labels.operation,
                status: labels.status,
                code: self.code.as_ref(),
                duration: took,
                id: self.context.request_id().as_str(),
            });
        }
    }

    fn log(&self, labels: RequestLabels, took: Duration) {
        let caller = self.context.caller();
        let arrived_at = self.context.arrived_at();
        let line = AccessLine {
            timestamp: arrived_at.saturating_add(took).unwrap_or(arrived_at),
            request_id: self.context.request_id().as_str(),
            operation: labels.operation,
            method: labels.method,
            status: labels.status(),
            duration_us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            client: access_line::shown_client(self.context.client()),
            project: caller.map(|caller| caller.id),
            key: caller.map(|caller| caller.key),
        };
        line.log();
    }
}

impl Drop for RequestRecord<'_> {
    fn drop(&mut self) {
        let took = self.context.elapsed();
        let labels = RequestLabels {
            operation: self.operation(),
            method: self.method,
            status: self.answer.map(|(status, _)| status),
        };
        self.measure(labels, took);
        self.count(labels, took);
        self.log(labels, took);
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
