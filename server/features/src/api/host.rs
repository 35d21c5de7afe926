//! Admission of requests: looks up the API key, applies the rate limit and the limit of requests in flight, and tells
//! the generated service the result.

use std::net::SocketAddr;

use axum::body::Body;
use axum::response::Response;
use edge::http::{Handler, OperationId, Outcome, RateHeaders, RequestContext, Target};
use edge::limits::{Counted, Subject};
use generated::operations::SERVICE_API_KEY;
use generated::runtime::credential::{self, ApiKey};
use generated::runtime::{Demand, Matched, Operation, Service};
use generated::security::Security;
use generated::service::Dispatcher;
use generated::{Admission, AuthError, HandlerError, Host, RequestHead};
use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri};

use super::{Api, Failure, help};
use crate::access::{AdmissionRequest, Decision, Principal};
use crate::keys::Key;

/// The seconds in `Retry-After` of a caller that has too many requests in flight.
const RETRY_AFTER_IN_FLIGHT: u32 = 1;

/// The generated service, as the edge calls it.
#[derive(Clone)]
pub struct ApiHandler(pub Service<Dispatcher<Api>>);

impl Handler for ApiHandler {
    async fn handle(&self, _: SocketAddr, mut request: Request<Body>) -> Response {
        drop_empty_key(request.headers_mut());
        self.0.respond(request).await
    }
}

/// Removes an empty header `service-api-key`: explorers of APIs send it even if the user typed no key.
fn drop_empty_key(headers: &mut HeaderMap) {
    let Some(name) = &SERVICE_API_KEY.header else {
        return;
    };
    let mut values = headers.get_all(name).iter();
    if let (Some(value), None) = (values.next(), values.next())
        && value.is_empty()
    {
        headers.remove(name);
    }
}

impl Host for Api {
    /// The holder of the key, if a valid one was sent.
    type Context = Option<Principal>;
    type Error = Failure;

    async fn admit(&self, head: RequestHead<'_>) -> Admission<Option<Principal>> {
        let Some(context) = RequestContext::current() else {
            // Only the HTTP layer (`http::edge`) passes requests on, and it always sets their context.
            let failure = Failure::Internal("a request has no RequestContext".into());
            return Admission {
                outcome: Err(failure.into()),
                headers: Vec::new(),
            };
        };
        let request = AdmissionRequest {
            metered: head.operation.is_none_or(|operation| operation.metered),
            key: key(head),
            client: context.client(),
        };
        let mut decision = self.gate.admit(&request).await;
        if self.looks_up_key(&request, &decision).await {
            // The key was issued after the last refresh: the request was charged to its network, and is now charged to
            // its project.
            decision = self.gate.admit(&request).await;
        }
        let is_required = head.operation.is_some_and(Operation::is_required);
        let target = Target {
            operation: head.operation.map(|operation| OperationId(operation.id)),
            keyless: head.operation.is_some() && !is_required,
            misplaced_key: match is_required && request.key.is_none() {
                true => misplaced_key(&head.parts.headers),
                false => None,
            },
        };
        let counted = self.count(&mut decision, &context);
        context.record(edge::http::Admission {
            target,
            caller: decision.principal.map(Into::into),
            outcome: decision.outcome,
            rate: decision.rate,
            counted,
        });
        Admission {
            outcome: outcome(&decision),
            headers: headers(&decision),
        }
    }

    async fn observe<F>(&self, _: Matched, answering: F) -> Response
    where
        F: Future<Output = Response> + Send,
    {
        help::explained(&self.identity.public_base_url, answering.await).await
    }
}

impl Api {
    /// Counts an admitted request among those of its caller that are being answered, or refuses it.
    fn count(&self, decision: &mut Decision, context: &RequestContext) -> Option<Counted> {
        if decision.outcome != Outcome::Admitted {
            return None;
        }
        let project = decision.principal.map(|it| Subject::Caller(it.project.0));
        let subject = project.unwrap_or_else(|| context.client().into());
        let counted = self.concurrency.enter(subject);
        if counted.is_none() {
            decision.outcome = Outcome::TooManyInFlight;
        }
        counted
    }
}

impl Security for Api {
    type ServiceApiKey = Principal;

    /// The gate has looked the key up already, to find the project that the request is charged to.
    async fn service_api_key(
        &self,
        _: ApiKey<'_>,
        demand: Demand<'_, Option<Principal>>,
    ) -> Result<Principal, AuthError> {
        demand.context.ok_or(AuthError::CredentialInvalid)
    }
}

/// The key of a request, where the contract looks at keys.
fn key(head: RequestHead<'_>) -> Option<Key> {
    if head.operation.is_some_and(Operation::is_public) {
        return None;
    }
    let shown = credential::api_key(&SERVICE_API_KEY, head.parts).ok()?;
    Key::parse(shown.secret()).ok()
}

/// The header in which other services take keys, if the request has one.
fn misplaced_key(headers: &HeaderMap) -> Option<&'static str> {
    let others = ["Authorization", "x-api-key"];
    others.into_iter().find(|name| headers.contains_key(*name))
}

fn outcome(decision: &Decision) -> Result<Option<Principal>, AuthError> {
    match decision.outcome {
        Outcome::Admitted => Ok(decision.principal),
        Outcome::RateLimited { .. } => Err(AuthError::RateLimited),
        Outcome::TooManyInFlight => Err(AuthError::Failed(HandlerError::Unavailable {
            retry_after: RETRY_AFTER_IN_FLIGHT,
        })),
    }
}

fn headers(decision: &Decision) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = decision.rate.map_or_else(Vec::new, RateHeaders::named);
    if let Outcome::RateLimited { retry_after } = decision.outcome {
        headers.push((RETRY_AFTER, HeaderValue::from(retry_after)));
    }
    headers
}

/// For CORS: returns whether a URI has a GET that works without a key. Pages of all sites may read its responses.
pub fn works_without_key(
    service: Service<Dispatcher<Api>>,
) -> impl Fn(&Uri) -> bool + Send + Sync + 'static {
    move |uri| {
        let operation = service.operation(&Method::GET, uri, &HeaderMap::new());
        operation.is_some_and(|operation| !operation.is_required())
    }
}
