//! What is known of one request beyond its own words.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use http::HeaderMap;
use jiff::Timestamp;
use tokio::task::futures::TaskLocalFuture;
use tracing::Span;

use super::request_id::RequestId;
use crate::access::{Decision, Outcome, Principal, RateHeaders, TrustedProxies};

tokio::task_local! {
    /// The request that the running task is answering.
    static CURRENT: RequestContext;
}

/// The contract's name of an operation, such as `charities.list`.
///
/// The API's service may put it into a response's extensions to say which operation answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperationId(pub &'static str);

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The operation, if it is for one.
    pub operation: Option<OperationId>,
    /// Whether it works without a key.
    pub keyless: bool,
}

/// One request and its answer, as the edge sees them. Whoever answers finds it with
/// [`RequestContext::current`].
///
/// Whoever asks the gate about the request notes the decision here, for the log, and for the answers
/// that the edge must give itself: a request that timed out was counted all the same, and its answer
/// says so. Clones share what is noted.
#[derive(Debug, Clone)]
pub struct RequestContext(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    opened: Opened,
    client: IpAddr,
    request_id: RequestId,
    admission: OnceLock<Admission>,
}

#[derive(Debug, Clone, Copy)]
struct Admission {
    target: Target,
    decision: Decision,
}

/// When a request's head was there, by the machine's clocks. Nothing is decided by it: limits and the
/// lives of keys have a clock of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opened {
    at: Instant,
    wall: Timestamp,
}

impl Opened {
    fn now() -> Self {
        Self {
            at: Instant::now(),
            wall: Timestamp::now(),
        }
    }

    /// How long ago that was.
    pub(super) fn elapsed(&self) -> Duration {
        self.at.elapsed()
    }

    /// What the wall clock showed `later`, had it not been stepped since.
    pub(super) fn wall_after(&self, later: Duration) -> Timestamp {
        self.wall.saturating_add(later).unwrap_or(self.wall)
    }
}

impl RequestContext {
    pub(super) fn open(peer: SocketAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> Self {
        let opened = Opened::now();
        Self(Arc::new(Shared {
            opened,
            client: trusted.client(peer.ip(), headers),
            request_id: RequestId::choose(headers, trusted.contains(peer.ip()), opened.wall),
            admission: OnceLock::new(),
        }))
    }

    /// The request that the running task is answering; `None` outside of one.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// Answers the request in `answering`.
    pub(super) fn scope<F: Future>(&self, answering: F) -> TaskLocalFuture<Self, F> {
        CURRENT.scope(self.clone(), answering)
    }

    /// When the request's head was there.
    pub(super) fn opened(&self) -> Opened {
        self.0.opened
    }

    /// The client's address, trusted proxies seen through.
    pub fn client(&self) -> IpAddr {
        self.0.client
    }

    /// The request's id.
    pub fn request_id(&self) -> &RequestId {
        &self.0.request_id
    }

    /// Notes what the request is for, and what was decided on it. Said once; a second word is not
    /// listened to.
    pub fn note(&self, target: Target, decision: Decision) {
        let _ = self.0.admission.set(Admission { target, decision });
    }

    /// What the request is for, once that was noted.
    pub(super) fn target(&self) -> Option<Target> {
        self.0.admission.get().map(|noted| noted.target)
    }

    pub(super) fn rate(&self) -> Option<RateHeaders> {
        self.0.admission.get()?.decision.rate
    }

    pub(super) fn principal(&self) -> Option<Principal> {
        self.0.admission.get()?.decision.principal
    }

    pub(super) fn is_rate_limited(&self) -> bool {
        let outcome = self.0.admission.get().map(|noted| noted.decision.outcome);
        matches!(outcome, Some(Outcome::RateLimited { .. }))
    }
}

/// The span to log in, whatever there is to say of the request that the running task is answering.
/// Hardly any has something said of it, so that none has a span before.
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
