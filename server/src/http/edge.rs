//! What surrounds every request to the API, in one place and one order:
//!
//! 1. the request gets its id and the client's address ([`Exchange`]), and its record is opened;
//! 2. a CORS preflight is answered;
//! 3. above the cap of requests in flight it is turned away (503), before it costs anything;
//! 4. the API answers, within the timeout (503) and with panics caught (500);
//! 5. what is left of its body is drained, the answer gets its headers, the record is closed.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, Request, Uri};
use tokio::time::timeout;
use tower_service::Service;
use tracing::{Instrument, field, info_span};

use super::connections::Respond;
use super::cors::{self, Sharing};
use super::drain;
use super::exchange::Exchange;
use super::in_flight::InFlight;
use super::metrics::Metrics;
use super::record::Record;
use super::request_id::X_REQUEST_ID;
use crate::access::{RateHeaders, TrustedProxies};
use crate::tuned::Tuned;

/// Why the edge answers in the API's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Too many requests are in flight: 503.
    Overloaded,
    /// The API did not answer in time: 503.
    TimedOut,
    /// The API panicked: 500.
    Panicked,
}

impl Fault {
    fn name(self) -> &'static str {
        match self {
            Self::Overloaded => "overloaded",
            Self::TimedOut => "timed out",
            Self::Panicked => "panicked",
        }
    }
}

/// How the edge treats requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeOptions {
    /// Whose `X-Forwarded-For` and `X-Request-Id` are believed.
    pub trusted_proxies: TrustedProxies,
    /// How many connections an address may hold, or a /64 of IPv6. Trusted proxies may hold more.
    pub max_connections_per_network: usize,
    /// How many requests are in flight at once.
    pub max_in_flight: usize,
    /// How long the API may take, reading the request's body included.
    pub request_timeout: Duration,
}

/// The API's service `S` with everything around it. Clones share the in-flight cap and the metrics.
#[derive(Clone)]
pub struct Edge<S> {
    api: S,
    surroundings: Arc<Surroundings>,
}

struct Surroundings {
    options: Tuned<EdgeOptions>,
    in_flight: InFlight,
    metrics: Arc<Metrics>,
    word: Box<dyn Fn(Fault) -> Response + Send + Sync>,
    works_without_key: Box<dyn Fn(&Uri) -> bool + Send + Sync>,
}

impl<S> Edge<S>
where
    S: Service<Request<Body>, Response = Response, Error = Infallible>,
    S: Clone + Send + Sync + 'static,
    S::Future: Send,
{
    /// Surrounds `api`. Changed `options` hold from the next request on.
    ///
    /// `word` words the answers that the edge gives itself, in the contract's shapes.
    /// `works_without_key` tells whether a target has a GET that needs no key, which other sites'
    /// scripts may then read.
    pub fn new(
        api: S,
        options: Tuned<EdgeOptions>,
        metrics: Arc<Metrics>,
        word: impl Fn(Fault) -> Response + Send + Sync + 'static,
        works_without_key: impl Fn(&Uri) -> bool + Send + Sync + 'static,
    ) -> Self {
        let surroundings = Surroundings {
            in_flight: InFlight::default(),
            options,
            metrics,
            word: Box::new(word),
            works_without_key: Box::new(works_without_key),
        };
        Self {
            api,
            surroundings: Arc::new(surroundings),
        }
    }

    async fn answer(&self, request: Request<Body>, exchange: &Exchange) -> Response {
        let (most, patience) = {
            let options = self.surroundings.options.now();
            (options.max_in_flight, options.request_timeout)
        };
        let Some(_slot) = self.surroundings.in_flight.enter(most) else {
            return self.fault(Fault::Overloaded, exchange);
        };
        let answer = AssertUnwindSafe(self.call(request)).catch_unwind();
        match timeout(patience, answer).await {
            Ok(Ok(response)) => response,
            Ok(Err(_payload)) => self.fault(Fault::Panicked, exchange),
            Err(_elapsed) => self.fault(Fault::TimedOut, exchange),
        }
    }

    async fn call(&self, request: Request<Body>) -> Response {
        let mut api = self.api.clone();
        let Ok(()) = poll_fn(|cx| api.poll_ready(cx)).await;
        let Ok(response) = api.call(request).await;
        response
    }

    /// The answer to a request that the API did not answer. If the request was counted before that,
    /// the answer says so.
    fn fault(&self, fault: Fault, exchange: &Exchange) -> Response {
        self.surroundings.metrics.fault(fault.name());
        let mut response = (self.surroundings.word)(fault);
        if let Some(rate) = exchange.rate() {
            response.headers_mut().extend(rate_headers(rate));
        }
        response
    }
}

impl<S> Respond for Edge<S>
where
    S: Service<Request<Body>, Response = Response, Error = Infallible>,
    S: Clone + Send + Sync + 'static,
    S::Future: Send,
{
    async fn respond(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        let Surroundings {
            options,
            metrics,
            works_without_key,
            ..
        } = &*self.surroundings;
        let exchange = Exchange::open(peer, request.headers(), &options.now().trusted_proxies);
        let record = Record::begin(metrics, &exchange, request.method());
        let sharing = Sharing::of(&request, works_without_key);
        let preflight = cors::preflight(&request, works_without_key);
        let (mut request, unread) = drain::lend(request);
        request.extensions_mut().insert(exchange.clone());
        let span = info_span!(
            "request",
            id = exchange.request_id.as_str(),
            operation = field::Empty,
        );
        let mut response = match preflight {
            Some(response) => response,
            None => self.answer(request, &exchange).instrument(span).await,
        };
        if let Some(unread) = unread {
            unread.drain();
        }
        sharing.mark(&mut response);
        response
            .headers_mut()
            .insert(X_REQUEST_ID, exchange.request_id.header_value());
        record.answered(&response);
        response
    }

    fn admits(&self, peer: IpAddr, held: usize) -> bool {
        let options = self.surroundings.options.now();
        let admitted =
            held < options.max_connections_per_network || options.trusted_proxies.contains(peer);
        if !admitted {
            self.surroundings.metrics.connection_refused();
        }
        admitted
    }
}

fn rate_headers(rate: RateHeaders) -> [(HeaderName, HeaderValue); 3] {
    [
        (
            HeaderName::from_static("x-ratelimit-limit"),
            rate.limit.into(),
        ),
        (
            HeaderName::from_static("x-ratelimit-remaining"),
            rate.remaining.into(),
        ),
        (
            HeaderName::from_static("x-ratelimit-reset"),
            rate.reset.into(),
        ),
    ]
}
