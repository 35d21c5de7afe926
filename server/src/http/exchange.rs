//! What is known of one request beyond its own words.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};

use http::HeaderMap;

use super::request_id::RequestId;
use crate::access::{Caller, Decision, Outcome, RateHeaders, TrustedProxies};

/// The contract's name of an operation, such as `charities.list`.
///
/// The API's service may put it into a response's extensions to say which operation answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperationId(pub &'static str);

/// One request and its answer, as the edge sees them. The edge puts it into the request's extensions.
///
/// Whoever asks the gate about the request notes the decision here, for the log, and for the answers
/// that the edge must give itself: a request that timed out was counted all the same, and its answer
/// says so. Clones share what is noted.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The client's address, trusted proxies seen through.
    pub client: IpAddr,
    /// The request's id.
    pub request_id: RequestId,
    admission: Arc<OnceLock<Admission>>,
}

#[derive(Debug, Clone, Copy)]
struct Admission {
    operation: Option<OperationId>,
    decision: Decision,
}

impl Exchange {
    pub(super) fn open(peer: SocketAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> Self {
        Self {
            client: trusted.client(peer.ip(), headers),
            request_id: RequestId::choose(headers, trusted.contains(peer.ip())),
            admission: Arc::default(),
        }
    }

    /// Notes what was decided on the request, and which operation it is for, if any. Said once; a
    /// second word is not listened to.
    pub fn note(&self, operation: Option<OperationId>, decision: Decision) {
        let _ = self.admission.set(Admission {
            operation,
            decision,
        });
    }

    pub(super) fn operation(&self) -> Option<OperationId> {
        self.admission.get()?.operation
    }

    pub(super) fn rate(&self) -> Option<RateHeaders> {
        self.admission.get()?.decision.rate
    }

    pub(super) fn caller(&self) -> Option<Caller> {
        self.admission.get()?.decision.caller
    }

    pub(super) fn is_rate_limited(&self) -> bool {
        let outcome = self.admission.get().map(|noted| noted.decision.outcome);
        matches!(outcome, Some(Outcome::RateLimited { .. }))
    }
}
