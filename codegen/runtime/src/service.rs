//! The generated service as a whole: from a request to its answer.
//!
//! The order is fixed: route, admission, 404 and 405, size (413), media type
//! (415), `Accept` (406), then the operation, which reads parameters and body
//! together. Whatever happens, every answer comes from the contract's shapes
//! and carries the headers of the admission.

use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use futures_util::FutureExt as _;
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response};
use http_body::Body as _;

use super::answer;
use super::body::{drain, lend};
use super::captures::Captures;
use super::fault::{Answer, Denial, Fault};
use super::host::{Admission, Host, Visit};
use super::media;
use super::operation::Operation;
use super::route::{Routed, Router};

/// Bounds on what a request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest request body that is held in memory, in bytes.
    pub body: u64,
    /// The longest request body that passes as a stream, in bytes.
    pub stream: u64,
    /// How much of a body that nobody wants is read, in bytes.
    pub drain: u64,
    /// For how long.
    pub drain_deadline: Duration,
}

impl Limits {
    /// The same bounds for an operation that may have its own.
    #[must_use]
    fn of(self, operation: &Operation) -> Self {
        match operation.body_limit {
            None => self,
            Some(limit) => Self {
                body: limit,
                stream: limit,
                ..self
            },
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 64 << 10,
            stream: 1 << 30,
            drain: 8 << 20,
            drain_deadline: Duration::from_secs(5),
        }
    }
}

/// An admitted request for an operation.
#[derive(Debug)]
pub struct Call<P> {
    /// The operation.
    pub operation: &'static Operation,
    /// The caller; always there where the operation requires one.
    pub principal: Option<P>,
    /// What the path gave to its parameters.
    pub captures: Captures,
    /// The head of the request.
    pub parts: Parts,
    /// The body, unread.
    pub body: Body,
    /// The bounds to read it within.
    pub limits: Limits,
}

/// The answer of an operation, in time.
pub type Reply = Pin<Box<dyn Future<Output = Result<Response<Body>, Fault>> + Send>>;

/// What the generator writes for a contract: its table of operations, its
/// shapes of faults, and the way to its handlers.
pub trait Dispatch: Send + Sync + 'static {
    /// The server that hosts the service.
    type Host: Host;

    /// The host.
    fn host(&self) -> &Self::Host;
    /// The path that all operations are below, without a slash at its end.
    fn base_path() -> &'static str;
    /// The table of operations.
    fn operations() -> &'static [Operation];
    /// The contract's answer to a fault.
    fn answer(&self, fault: &Fault) -> Answer;
    /// Reads the request, calls the handler and encodes its answer.
    fn call(&self, call: Call<<Self::Host as Host>::Principal>) -> Reply;
}

/// Attached to the answer of every request that found its operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationId(pub &'static str);

/// A contract's operations as one service.
pub struct Service<D> {
    inner: Arc<Inner<D>>,
}

struct Inner<D> {
    dispatch: D,
    router: Router,
    limits: Limits,
}

impl<D: Dispatch> Service<D> {
    /// The service of `dispatch`.
    #[must_use]
    pub fn new(dispatch: D, limits: Limits) -> Self {
        let router = Router::new(D::base_path(), D::operations());
        Self {
            inner: Arc::new(Inner {
                dispatch,
                router,
                limits,
            }),
        }
    }

    /// The contract's answer to a fault that something around this service
    /// found, such as a deadline.
    #[must_use]
    pub fn answer(&self, fault: &Fault) -> Response<Body> {
        self.inner.refuse(fault)
    }
}

impl<D> Clone for Service<D> {
    fn clone(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl<D: Dispatch> tower_service::Service<Request<Body>> for Service<D> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let inner = Arc::clone(&self.inner);
        Box::pin(async move { Ok(inner.serve(request).await) })
    }
}

/// The principal of a dispatch's host.
type Principal<D> = <<D as Dispatch>::Host as Host>::Principal;

impl<D: Dispatch> Inner<D> {
    async fn serve(&self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let is_head = parts.method == Method::HEAD;
        let expects_continue = answer::expects_continue(&parts.headers);
        let (body, lender) = lend(body);

        let routed = self.router.find(&parts.method, &parts.uri);
        let operation = routed.operation();
        let admission = self
            .admit(Visit {
                operation,
                parts: &parts,
            })
            .await;
        let outcome = match admission.outcome {
            Ok(principal) => self.handle(routed, principal, parts, body).await,
            Err(fault) => {
                drop(body);
                Err(fault)
            }
        };

        let leftover = lender.and_then(|lender| lender.take());
        if let Some(left) = leftover.filter(|left| left.begun || !expects_continue) {
            drain(left.body, self.limits.drain, self.limits.drain_deadline).await;
        }
        let mut response = outcome.unwrap_or_else(|fault| {
            let mut response = self.refuse(&fault);
            if let (Fault::MediaType, Some(operation)) = (&fault, operation) {
                answer::list_accepted(operation, response.headers_mut());
            }
            response
        });
        answer::put_all(admission.headers, response.headers_mut());
        if let Some(operation) = operation {
            response.extensions_mut().insert(OperationId(operation.id));
        }
        if is_head {
            answer::without_body(response)
        } else {
            response
        }
    }

    async fn admit(&self, visit: Visit<'_>) -> Admitted<Principal<D>> {
        let required = visit.operation.is_some_and(Operation::is_required);
        let admitting = AssertUnwindSafe(async { self.dispatch.host().admit(visit).await });
        match admitting.catch_unwind().await {
            Ok(Admission {
                outcome: Ok(None),
                headers,
            }) if required => Admitted {
                outcome: Err(Fault::Denied(Denial::CredentialMissing)),
                headers,
            },
            Ok(Admission { outcome, headers }) => Admitted {
                outcome: outcome.map_err(Fault::Denied),
                headers,
            },
            Err(_) => Admitted {
                outcome: Err(Fault::Internal),
                headers: HeaderMap::new(),
            },
        }
    }

    async fn handle(
        &self,
        routed: Routed,
        principal: Option<Principal<D>>,
        parts: Parts,
        body: Body,
    ) -> Result<Response<Body>, Fault> {
        let (operation, captures) = match routed {
            Routed::Found {
                operation,
                captures,
            } => (operation, captures),
            Routed::NoMethod { allow } => return Err(Fault::Method { allow }),
            Routed::NoRoute => return Err(Fault::Route),
        };
        let limits = self.limits.of(operation);
        negotiate(operation, limits, &parts.headers, &body)?;
        // Of several types the handler may have chosen one that was refused.
        let accept = (operation.produces.len() > 1).then(|| parts.headers.clone());
        let call = Call {
            operation,
            principal,
            captures,
            parts,
            body,
            limits,
        };
        let calling = AssertUnwindSafe(async { self.dispatch.call(call).await });
        let response = calling
            .catch_unwind()
            .await
            .unwrap_or(Err(Fault::Internal))?;
        match accept {
            Some(headers) if !answer::is_admitted(&response, &headers) => Err(Fault::NotAcceptable),
            _ => Ok(response),
        }
    }

    fn refuse(&self, fault: &Fault) -> Response<Body> {
        answer::of_fault(fault, self.dispatch.answer(fault))
    }
}

/// What the headers alone refuse.
fn negotiate(
    operation: &Operation,
    limits: Limits,
    headers: &HeaderMap,
    body: &Body,
) -> Result<(), Fault> {
    if !operation.consumes.is_empty() {
        let consumed = media::consumed(headers, operation.consumes);
        let streamed = consumed.is_some_and(|index| operation.streamed.contains(&index));
        let limit = if streamed { limits.stream } else { limits.body };
        if body.size_hint().lower() > limit {
            return Err(Fault::TooLarge { limit });
        }
        // A request without a body and without a type is not of a wrong
        // type; whether it needs a body is seen when it is read.
        let typed = headers.contains_key(http::header::CONTENT_TYPE) || !body.is_end_stream();
        if typed && consumed.is_none() {
            return Err(Fault::MediaType);
        }
    }
    let produces = operation.produces;
    if !produces.is_empty() && media::acceptable(headers, produces).is_none() {
        return Err(Fault::NotAcceptable);
    }
    Ok(())
}

/// An [`Admission`] whose denial is a fault already.
struct Admitted<P> {
    outcome: Result<Option<P>, Fault>,
    headers: HeaderMap,
}
