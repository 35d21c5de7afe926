//! Admission: the contract's security and metering, asked of the gate.

use generated::operations::{BASE_PATH, OPERATIONS};
use generated::runtime::operation::Operation;
use generated::runtime::route::{Routed, Router};
use generated::{Admission, Denial, Host, Visit};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};

use super::{Api, Failure};
use crate::access::{self, Caller, Decision, KeyPolicy, Outcome, Presented, RateHeaders};
use crate::http::{Exchange, OperationId};

impl Host for Api {
    type Principal = Caller;
    type Error = Failure;

    async fn admit(&self, visit: Visit<'_>) -> Admission<Caller> {
        let exchange = visit.parts.extensions.get::<Exchange>();
        let Some(exchange) = exchange else {
            // Only the edge makes requests, and it never leaves its exchange out.
            tracing::error!("a request did not come through the edge");
            return Admission {
                outcome: Err(Denial::CredentialInvalid),
                headers: HeaderMap::new(),
            };
        };
        let decision = self.gate.admit(&access::Visit {
            policy: policy(visit.operation),
            metered: visit.operation.is_none_or(|operation| operation.metered),
            presented: Presented::in_headers(&visit.parts.headers),
            client: exchange.client,
        });
        exchange.note(
            visit.operation.map(|operation| OperationId(operation.id)),
            decision,
        );
        Admission {
            outcome: outcome(&decision),
            headers: headers(&decision),
        }
    }
}

fn policy(operation: Option<&Operation>) -> KeyPolicy {
    match operation {
        None => KeyPolicy::NoRoute,
        Some(operation) if operation.is_public() => KeyPolicy::Public,
        Some(operation) if operation.is_optional() => KeyPolicy::Optional,
        Some(_) => KeyPolicy::Required,
    }
}

fn outcome(decision: &Decision) -> Result<Option<Caller>, Denial> {
    match decision.outcome {
        Outcome::Admitted => Ok(decision.caller),
        Outcome::MissingKey => Err(Denial::CredentialMissing),
        Outcome::InvalidKey => Err(Denial::CredentialInvalid),
        Outcome::RateLimited { .. } => Err(Denial::RateLimited),
    }
}

fn headers(decision: &Decision) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(RateHeaders {
        limit,
        remaining,
        reset,
    }) = decision.rate
    {
        let name = HeaderName::from_static;
        headers.insert(name("x-ratelimit-limit"), HeaderValue::from(limit));
        headers.insert(name("x-ratelimit-remaining"), HeaderValue::from(remaining));
        headers.insert(name("x-ratelimit-reset"), HeaderValue::from(reset));
    }
    if let Outcome::RateLimited { retry_after } = decision.outcome {
        headers.insert(http::header::RETRY_AFTER, HeaderValue::from(retry_after));
    }
    headers
}

/// A predicate on paths: whether a path has a GET that needs no key, which pages of other sites may
/// then read.
pub fn works_without_key() -> impl Fn(&str) -> bool + Send + Sync + 'static {
    let router = Router::new(BASE_PATH, &OPERATIONS);
    move |path| {
        let Ok(uri) = path.parse::<Uri>() else {
            return false;
        };
        match router.find(&Method::GET, &uri) {
            Routed::Found { operation, .. } => !operation.is_required(),
            Routed::NoMethod { .. } | Routed::NoRoute => false,
        }
    }
}
