//! The steps that every request to the API passes, in one place and one order:
//!
//! 1. the request gets its id and the client's address ([`RequestContext`]), and its record begins;
//! 2. a CORS preflight is answered;
//! 3. above the limit of requests in flight it is turned away (503), before it costs anything;
//! 4. the API answers, within the request timeout (503) and with panics caught (500), and while it waits
//!    for the request's body the request has no place among those in flight;
//! 5. the rest of its body is drained, the response gets its headers, the record is closed.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use futures_util::{FutureExt, poll};
use http::{Request, Uri};
use tokio::time::timeout;

use super::client_address::{SilentProxies, TrustedProxies};
use super::cors::{self, CorsRequest};
use super::drain;
use super::metrics::Metrics;
use super::record::{AnsweredRequest, RecordUsage, RequestRecord};
use super::request_context::RequestContext;
use super::request_id::X_REQUEST_ID;
use super::response_headers;
use super::serve::Handler;
use crate::reloadable::Reloadable;

/// The reason why the edge responds instead of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeError {
    /// Too many requests are in flight: 503.
    Overloaded,
    /// The API did not answer in time: 503.
    TimedOut,
    /// The API panicked: 500.
    Panicked,
}

impl EdgeError {
    /// The reason in `http_edge_errors_total`.
    fn reason(self) -> &'static str {
        match self {
            Self::Overloaded => "overloaded",
            Self::TimedOut => "timed out",
            Self::Panicked => "panicked",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeOptions {
    /// The proxies whose `X-Forwarded-For` and `X-Request-Id` are trusted.
    pub trusted_proxies: TrustedProxies,
    /// The maximum number of connections of an IPv4 address or an IPv6 /64. Trusted proxies are exempt.
    pub max_connections_per_network: usize,
    /// The maximum number of connections of an IPv6 /48. Trusted proxies are exempt.
    pub max_connections_per_48: usize,
    pub max_in_flight: usize,
    /// How long the API may take, reading the request's body included.
    pub request_timeout: Duration,
}

/// The API `S` with everything around it. Clones share all of it.
pub struct Edge<S>(Arc<Shared<S>>);

struct Shared<S> {
    api: S,
    options: Reloadable<EdgeOptions>,
    metrics: Arc<Metrics>,
    record_usage: Box<RecordUsage>,
    silent_proxies: SilentProxies,
    error_response: Box<dyn Fn(EdgeError) -> Response + Send + Sync>,
    works_without_key: Box<dyn Fn(&Uri) -> bool + Send + Sync>,
}

impl<S> Clone for Edge<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Handler> Edge<S> {
    /// Surrounds `api`. Changed `options` apply from the next request on.
    ///
    /// `record_usage` is called for every request with a valid key, when it has ended.
    /// `error_response` makes the edge's own error responses, in the contract's format.
    /// `works_without_key` returns whether a target has a GET that needs no key, whose responses other
    /// sites' scripts may read.
    pub fn new(
        api: S,
        options: Reloadable<EdgeOptions>,
        metrics: Arc<Metrics>,
        record_usage: impl Fn(AnsweredRequest<'_>) + Send + Sync + 'static,
        error_response: impl Fn(EdgeError) -> Response + Send + Sync + 'static,
        works_without_key: impl Fn(&Uri) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Shared {
            api,
            options,
            silent_proxies: SilentProxies::new(&metrics),
            metrics,
            record_usage: Box::new(record_usage),
            error_response: Box::new(error_response),
            works_without_key: Box::new(works_without_key),
        }))
    }
}

impl<S: Handler> Shared<S> {
    /// The API's response, or the edge's own if the API panics or takes longer than `deadline`.
    ///
    /// The layers of `tower-http` for both do not know that the request was counted already, which
    /// the answer must say (`a_counted_request_that_times_out_or_panics_says_that_it_was_counted`).
    async fn answer(
        &self,
        peer: SocketAddr,
        request: Request<Body>,
        deadline: Duration,
        context: &RequestContext,
    ) -> Response {
        let handling = pin!(self.api.handle(peer, request));
        let handling = AssertUnwindSafe(handling).catch_unwind();
        let mut handling = pin!(context.scope(handling));
        let answer = match poll!(&mut handling) {
            // Most requests are answered at once, and need no timer.
            Poll::Ready(answer) => Ok(answer),
            Poll::Pending => timeout(deadline, handling).await,
        };
        match answer {
            Ok(Ok(response)) => response,
            Ok(Err(_payload)) => self.fail(EdgeError::Panicked, context),
            Err(_elapsed) => self.fail(EdgeError::TimedOut, context),
        }
    }

    /// The response to a request that the API did not answer. If the request was counted before, the
    /// response has the rate limit's headers.
    fn fail(&self, error: EdgeError, context: &RequestContext) -> Response {
        self.metrics.edge_error(error.reason());
        let mut response = (self.error_response)(error);
        if let Some(rate) = context.rate() {
            response.headers_mut().extend(rate.named());
        }
        response
    }
}

impl<S: Handler> Handler for Edge<S> {
    async fn handle(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        let shared = &*self.0;
        let (max_in_flight, deadline, context) = {
            let options = shared.options.get();
            let trusted = &options.trusted_proxies;
            let context = RequestContext::new(peer, request.headers(), trusted);
            if trusted.is_silent(peer.ip(), request.headers()) {
                shared.silent_proxies.report(peer.ip());
            }
            (options.max_in_flight, options.request_timeout, context)
        };
        let record = RequestRecord::begin(
            &shared.metrics,
            &*shared.record_usage,
            &context,
            request.method(),
        );
        let in_flight = shared.metrics.in_flight();
        let place = in_flight.enter();
        let cors = CorsRequest::of(&request);
        let preflight = cors::preflight(&request, &shared.works_without_key);
        let (request, unread) = drain::share_body(request, in_flight);
        let mut response = match preflight {
            Some(response) => response,
            None if place.count > max_in_flight => shared.fail(EdgeError::Overloaded, &context),
            None => shared.answer(peer, request, deadline, &context).await,
        };
        if let Some(unread) = unread {
            unread.drain();
        }
        let operation = context.target().and_then(|known| known.operation);
        let is_public = match cors::is_of_no_operation(&response, operation) {
            true => cors.is_plain(),
            false => cors.is_public(|target| match context.target() {
                Some(known) => known.keyless,
                None => (shared.works_without_key)(target),
            }),
        };
        if is_public {
            cors::share(&mut response);
        }
        if context.target().is_some() || response.status().as_u16() >= 400 {
            response_headers::vary(&mut response);
        }
        let id = context.request_id().header_value();
        response.headers_mut().insert(X_REQUEST_ID, id);
        record.answered(&response);
        response
    }
}
