//! The context of one request: its id, client, time of arrival, operation and admission decision.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use http::HeaderMap;
use jiff::Timestamp;
use tokio::task::futures::TaskLocalFuture;
use tracing::Span;
use uuid::Uuid;

use super::client_address::TrustedProxies;
use super::rate_headers::RateHeaders;
use super::request_id::RequestId;
use crate::limits::Counted;

tokio::task_local! {
    /// The request that the running task is answering.
    static CURRENT: RequestContext;
}

/// The contract's name of an operation, such as `charities.list`.
///
/// The API's service may put it into a response's extensions to say which operation answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperationId(pub &'static str);

/// The operation that a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    pub operation: Option<OperationId>,
    /// Whether it works without a key.
    pub keyless: bool,
    /// The header in which a key came that belongs into another one.
    pub misplaced_key: Option<&'static str>,
}

/// The caller that a valid key identifies, as limits, logs, metrics and usage see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The id that its requests are counted by; `project` in access lines.
    pub id: Uuid,
    /// The id of the key that was used; `key` in access lines.
    pub key: Uuid,
    /// The label `tier` of `rate_limit_rejections_total`.
    pub tier: &'static str,
}

/// Whether a request goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is within the limit.
    Admitted,
    /// It is above the limit, which is reported before any other error. It was not counted.
    RateLimited {
        /// The whole seconds after which a retry is admitted.
        retry_after: u64,
    },
    /// As many requests of its caller are being answered as may be.
    TooManyInFlight,
}

/// The admission of a request.
#[derive(Debug)]
pub struct Admission {
    pub target: Target,
    /// The caller, if a valid key was sent.
    pub caller: Option<Caller>,
    /// Whether the request goes on.
    pub outcome: Outcome,
    /// The state of the limit for the response's headers; `None` if the request is not metered.
    pub rate: Option<RateHeaders>,
    /// Counts the request among its caller's until it is answered.
    pub counted: Option<Counted>,
}

/// The context of one request at the edge. The code that answers the request gets it with
/// [`RequestContext::current`].
///
/// The API records the request's admission here, for the log and for the edge's own responses: a request that
/// timed out was counted, and its response has the rate limit's headers. Clones share it.
#[derive(Debug, Clone)]
pub struct RequestContext(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// When the request's head had arrived.
    arrived: Instant,
    /// The same by the wall clock.
    arrived_at: Timestamp,
    client: IpAddr,
    request_id: RequestId,
    admission: OnceLock<Admission>,
}

impl RequestContext {
    /// The context of a request that has just arrived from `peer` with `headers`.
    pub(super) fn new(peer: SocketAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> Self {
        let arrived_at = Timestamp::now();
        let from_proxy = trusted.contains(peer.ip());
        Self(Arc::new(Shared {
            arrived: Instant::now(),
            arrived_at,
            client: trusted.client(peer.ip(), headers),
            request_id: RequestId::choose(headers, from_proxy, arrived_at),
            admission: OnceLock::new(),
        }))
    }

    /// The request that the running task is answering; `None` outside of one.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// Makes this the current request of `answering`.
    pub(super) fn scope<F: Future>(&self, answering: F) -> TaskLocalFuture<Self, F> {
        CURRENT.scope(self.clone(), answering)
    }

    /// The time since the request arrived.
    pub(super) fn elapsed(&self) -> Duration {
        self.0.arrived.elapsed()
    }

    /// When the request arrived, by the wall clock.
    pub(super) fn arrived_at(&self) -> Timestamp {
        self.0.arrived_at
    }

    /// The client's address, trusted proxies seen through.
    pub fn client(&self) -> IpAddr {
        self.0.client
    }

    pub fn request_id(&self) -> &RequestId {
        &self.0.request_id
    }

    /// Records the admission of the request, until it is answered. A second call changes nothing.
    pub fn record(&self, admission: Admission) {
        let _ = self.0.admission.set(admission);
    }

    /// The operation of the request, once it was recorded.
    pub(super) fn target(&self) -> Option<Target> {
        self.0.admission.get().map(|noted| noted.target)
    }

    /// The header in which a key came that belongs into another one.
    pub fn misplaced_key(&self) -> Option<&'static str> {
        self.target()?.misplaced_key
    }

    /// The state of the limit that the request was counted towards.
    pub(super) fn rate(&self) -> Option<RateHeaders> {
        self.0.admission.get()?.rate
    }

    /// The caller that the request's key identifies.
    pub(super) fn caller(&self) -> Option<Caller> {
        self.0.admission.get()?.caller
    }

    /// The outcome of admission, once it was recorded.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.0.admission.get().map(|noted| noted.outcome)
    }
}

/// A span with the id of the current request, for log events. It is created when an event is logged,
/// which is rare, and not for every request.
pub fn request_span() -> Span {
    let Some(context) = RequestContext::current() else {
        return Span::none();
    };
    let operation = context.target().and_then(|target| target.operation);
    tracing::info_span!(
        "request",
        id = context.request_id().as_str(),
        operation = operation.map(|operation| operation.0),
    )
}
