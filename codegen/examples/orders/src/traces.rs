//! Traces of OpenTelemetry: a span for each request, and within it one for the operation of the contract.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use orders_api::runtime::Matched;
use tracing::field::Empty;
use tracing::{Instrument as _, Subscriber, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::layer::SubscriberExt as _;

/// A subscriber that sends the spans of `tracing` to a provider's exporter.
pub fn subscriber(provider: &SdkTracerProvider) -> impl Subscriber + Send + Sync + use<> {
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("orders"));
    tracing_subscriber::registry().with(layer)
}

/// The span of any request, whether the contract has it or not. It belongs to the trace that the caller names in
/// `traceparent` (W3C Trace Context).
pub(crate) async fn request(request: Request, next: Next) -> Response {
    let span = info_span!("request", "otel.kind" = "server");
    let parent = TraceContextPropagator::new().extract(&Headers(request.headers()));
    // It fails for a span that nobody records.
    let _ = span.set_parent(parent);
    next.run(request).instrument(span).await
}

/// The span of an operation: its name is the operation's id.
pub(crate) async fn operation<F>(matched: &Matched, answering: F) -> Response<Body>
where
    F: Future<Output = Response<Body>>,
{
    let span = info_span!(
        "operation",
        "otel.name" = matched.id(),
        "http.request.method" = matched.method(),
        "http.route" = %matched.route(),
        "http.response.status_code" = Empty,
    );
    let response = answering.instrument(span.clone()).await;
    span.record(
        "http.response.status_code",
        i64::from(response.status().as_u16()),
    );
    response
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}
