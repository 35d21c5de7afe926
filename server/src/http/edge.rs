//! What surrounds every request to the API, in one place and one order:
//!
//! 1. the request gets its id and the client's address ([`RequestContext`]), and its record is opened;
//! 2. a CORS preflight is answered;
//! 3. above the cap of requests in flight it is turned away (503), before it costs anything;
//! 4. the API answers, within the timeout (503) and with panics caught (500);
//! 5. what is left of its body is drained, the answer gets its headers, the record is closed.

use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use futures_util::FutureExt;
use http::{Request, Uri};
use tokio::time::timeout;

use super::connections::Respond;
use super::cors::{self, Reading};
use super::drain;
use super::metrics::Metrics;
use super::record::Record;
use super::request_context::RequestContext;
use super::request_id::X_REQUEST_ID;
use crate::access::TrustedProxies;
use crate::reloadable::Reloadable;

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

/// The API `S` with everything around it. Clones share all of it.
pub struct Edge<S>(Arc<Surrounded<S>>);

struct Surrounded<S> {
    api: S,
    options: Reloadable<EdgeOptions>,
    metrics: Arc<Metrics>,
    word: Box<dyn Fn(Fault) -> Response + Send + Sync>,
    works_without_key: Box<dyn Fn(&Uri) -> bool + Send + Sync>,
}

impl<S> Clone for Edge<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Respond> Edge<S> {
    /// Surrounds `api`. Changed `options` hold from the next request on.
    ///
    /// `word` words the answers that the edge gives itself, in the contract's shapes.
    /// `works_without_key` tells whether a target has a GET that needs no key, which other sites'
    /// scripts may then read.
    pub fn new(
        api: S,
        options: Reloadable<EdgeOptions>,
        metrics: Arc<Metrics>,
        word: impl Fn(Fault) -> Response + Send + Sync + 'static,
        works_without_key: impl Fn(&Uri) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Surrounded {
            api,
            options,
            metrics,
            word: Box::new(word),
            works_without_key: Box::new(works_without_key),
        }))
    }
}

impl<S: Respond> Surrounded<S> {
    async fn answer(
        &self,
        peer: SocketAddr,
        request: Request<Body>,
        patience: Duration,
        context: &RequestContext,
    ) -> Response {
        // Pinned before they are wrapped, which else would move all of it.
        let answer = pin!(self.api.respond(peer, request));
        let mut answer = pin!(AssertUnwindSafe(answer).catch_unwind());
        // Most answers are there at once, and need no timer.
        let at_once = poll_fn(|cx| Poll::Ready(answer.as_mut().poll(cx))).await;
        let answered = match at_once {
            Poll::Ready(answered) => Ok(answered),
            Poll::Pending => timeout(patience, answer).await,
        };
        match answered {
            Ok(Ok(response)) => response,
            Ok(Err(_payload)) => self.fault(Fault::Panicked, context),
            Err(_elapsed) => self.fault(Fault::TimedOut, context),
        }
    }

    /// The answer to a request that the API did not answer. If the request was counted before that,
    /// the answer says so.
    fn fault(&self, fault: Fault, context: &RequestContext) -> Response {
        self.metrics.fault(fault.name());
        let mut response = (self.word)(fault);
        if let Some(rate) = context.rate() {
            response.headers_mut().extend(rate.named());
        }
        response
    }
}

impl<S: Respond> Respond for Edge<S> {
    async fn respond(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        let surrounded = &*self.0;
        let Surrounded {
            options,
            metrics,
            works_without_key,
            ..
        } = surrounded;
        let (most, patience, context) = {
            let options = options.get();
            let proxies = &options.trusted_proxies;
            let context = RequestContext::open(peer, request.headers(), proxies);
            (options.max_in_flight, options.request_timeout, context)
        };
        let record = Record::begin(metrics, &context, request.method());
        let reading = Reading::of(&request);
        let preflight = cors::preflight(&request, works_without_key);
        let (request, unread) = drain::lend(request);
        let mut response = match preflight {
            Some(response) => response,
            None if record.in_flight() > most => surrounded.fault(Fault::Overloaded, &context),
            None => {
                let answering = pin!(surrounded.answer(peer, request, patience, &context));
                context.scope(answering).await
            }
        };
        if let Some(unread) = unread {
            unread.drain();
        }
        let sharing = reading.sharing(|target| match context.target() {
            Some(known) => known.keyless,
            None => works_without_key(target),
        });
        sharing.mark(&mut response);
        response
            .headers_mut()
            .insert(X_REQUEST_ID, context.request_id().header_value());
        record.answered(&response);
        response
    }

    fn admits(&self, peer: IpAddr, held: usize) -> bool {
        let options = self.0.options.get();
        let admitted =
            held < options.max_connections_per_network || options.trusted_proxies.contains(peer);
        if !admitted {
            self.0.metrics.connection_refused();
        }
        admitted
    }
}
