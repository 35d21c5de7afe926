//! The generated service as a whole: from a request to its answer.
//!
//! The order is fixed: route, admission, 404 and 405, the operation's layers,
//! credentials, size (413), media type (415), `Accept` (406), then parameters
//! and body together, then the handler. Whatever happens, panics included,
//! every answer comes from the contract's shapes and carries the headers of
//! the admission.

use std::convert::Infallible;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use futures_util::FutureExt as _;
use http::request::Parts;
use http::{Request, Response};
use tower_layer::Layer;

use super::answer;
use super::arrival::{Arrival, Remembered, arrive};
use super::body::drain;
use super::call::Call;
use super::endpoint::{Endpoint, Layers, Routing, Wrapped};
use super::fault::{Answer, Denial, Failure, Fault};
use super::host::{Admission, Host, Visit};
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

/// The answer of an operation, in time.
pub type Reply = Pin<Box<dyn Future<Output = Result<Response<Body>, Fault>> + Send>>;

/// What the generator writes for a contract: its table of operations, its
/// shapes of faults, and the way to its handlers.
pub trait Dispatch: Send + Sync + 'static {
    /// The server that hosts the service.
    type Host: Host;
    /// The operations by their ids.
    type OperationId: Into<&'static Operation>;

    /// The host.
    fn host(&self) -> &Self::Host;
    /// The table of operations.
    fn operations() -> &'static [Operation];
    /// The contract's answer to a fault.
    fn answer(&self, fault: &Fault) -> Answer;
    /// Finds out who calls, reads the request, calls the handler and encodes
    /// its answer.
    fn call(&self, call: Call<Visitor<Self>>) -> Reply;
}

/// What the host of a dispatch remembers of a visitor.
pub(super) type Visitor<D> = <<D as Dispatch>::Host as Host>::Visitor;

/// A contract's operations as one service.
pub struct Service<D: Dispatch> {
    core: Arc<Core<D>>,
    layers: Layers,
}

impl<D: Dispatch> Service<D> {
    /// The service of `dispatch`.
    #[must_use]
    pub fn new(dispatch: D, limits: Limits) -> Self {
        let router = Router::new(D::operations());
        Self {
            core: Arc::new(Core {
                dispatch,
                router,
                limits,
            }),
            layers: Layers::default(),
        }
    }

    /// Wraps one operation in a layer, around the layers that it has already:
    /// the last one sees a request first. [`Endpoint`] says where layers come
    /// in.
    #[must_use]
    pub fn layer<L>(self, operation: D::OperationId, layer: &L) -> Self
    where
        L: Layer<Endpoint<D>>,
        L::Service: Wrapped,
    {
        let Self { core, layers } = self;
        let layers = layers.with(&core, operation.into().index, layer);
        Self { core, layers }
    }

    /// Wraps each operation in a layer, as [`Service::layer`] wraps one.
    #[must_use]
    pub fn layer_all<L>(self, layer: &L) -> Self
    where
        L: Layer<Endpoint<D>>,
        L::Service: Wrapped,
    {
        let Self { core, layers } = self;
        let all = D::operations().iter();
        let layers = all.fold(layers, |layers, operation| {
            layers.with(&core, operation.index, layer)
        });
        Self { core, layers }
    }

    /// The answer to a request: what [`tower_service::Service::call`] gives,
    /// without a box and a clone.
    pub fn respond(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Response<Body>> + Send + '_ {
        let (arrival, remembered) = arrive(request, &self.core.router);
        self.core.serve(arrival, remembered, &self.layers)
    }

    /// The contract's answer to a fault that something around this service
    /// found, such as a deadline.
    #[must_use]
    pub fn answer(&self, fault: &Fault) -> Response<Body> {
        self.core.refuse(fault, None)
    }
}

impl<D: Dispatch> Clone for Service<D> {
    fn clone(&self) -> Self {
        Self {
            core: Arc::clone(&self.core),
            layers: self.layers.clone(),
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
        let Self { core, layers } = self.clone();
        let (arrival, remembered) = arrive(request, &core.router);
        Box::pin(async move { Ok(core.serve(arrival, remembered, &layers).await) })
    }
}

/// What the clones of a service share.
pub(super) struct Core<D> {
    dispatch: D,
    router: Router,
    limits: Limits,
}

impl<D: Dispatch> Core<D> {
    async fn serve(
        &self,
        arrival: Box<Arrival>,
        remembered: Remembered,
        layers: &Layers,
    ) -> Response<Body> {
        let response = self.observed(arrival, layers).await;
        let leftover = remembered.lender.and_then(|lender| lender.take());
        let expects_continue = remembered.expects_continue;
        if let Some(left) = leftover.filter(|left| left.begun || !expects_continue) {
            drain(left.body, self.limits.drain, self.limits.drain_deadline).await;
        }
        match remembered.is_head {
            true => answer::without_body(response),
            false => response,
        }
    }

    /// The answer that the host has seen on its way.
    async fn observed(&self, arrival: Box<Arrival>, layers: &Layers) -> Response<Body> {
        let matched = arrival.matched;
        let answering = pin!(self.answer(arrival, layers));
        let observing = pin!(async { self.dispatch.host().observe(matched, answering).await });
        let observed = AssertUnwindSafe(observing).catch_unwind().await;
        observed.unwrap_or_else(|_| self.refuse(&Fault::Internal, matched.operation()))
    }

    /// The answer with the headers of the admission; the body is dropped then.
    async fn answer(&self, arrival: Box<Arrival>, layers: &Layers) -> Response<Body> {
        let operation = arrival.matched.operation();
        let visit = Visit {
            operation,
            parts: &arrival.parts,
        };
        let Admission { outcome, headers } = self.admit(visit).await;
        let outcome = match outcome {
            Ok(visitor) => {
                // Pinned before it is wrapped, which else would move all of it.
                let handling = pin!(self.handle(arrival, visitor, layers));
                let handled = AssertUnwindSafe(handling).catch_unwind().await;
                handled.unwrap_or(Err(Fault::Internal))
            }
            Err(denial) => Err(denial.into()),
        };
        let mut response = outcome.unwrap_or_else(|fault| self.refuse(&fault, operation));
        if let Some(operation) = operation {
            answer::tell_end(operation, response.headers_mut());
        }
        response.headers_mut().reserve(headers.len());
        for (name, value) in headers {
            response.headers_mut().insert(name, value);
        }
        response
    }

    async fn admit(&self, visit: Visit<'_>) -> Admission<Visitor<D>> {
        let admitting = pin!(async { self.dispatch.host().admit(visit).await });
        let admission = AssertUnwindSafe(admitting).catch_unwind().await;
        admission.unwrap_or_else(|_| Admission {
            outcome: Err(Denial::Failed(Failure::Internal)),
            headers: Vec::new(),
        })
    }

    async fn handle(
        &self,
        arrival: Box<Arrival>,
        visitor: Visitor<D>,
        layers: &Layers,
    ) -> Result<Response<Body>, Fault> {
        let Arrival {
            matched,
            routed,
            parts,
            body,
        } = *arrival;
        let routing = match routed {
            Routed::Found {
                operation,
                captures,
            } => Routing {
                operation,
                captures,
                visitor,
            },
            Routed::NoMethod { allow } => return Err(Fault::Method { allow }),
            Routed::NoRoute => return Err(Fault::Route),
        };
        match layers.of(routing.operation.index) {
            Some(wrapping) => {
                let request = Request::from_parts(parts, body);
                wrapping(routing.stow(request, matched)).await
            }
            None => self.call(routing, parts, body).await,
        }
    }

    /// Calls the operation itself, below all layers. What it is called with is
    /// no part of the future, but where the operation keeps it.
    pub(super) fn call(
        &self,
        routing: Routing<Visitor<D>>,
        parts: Parts,
        body: Body,
    ) -> impl Future<Output = Result<Response<Body>, Fault>> + Send + use<D> {
        // Of several types the handler may have chosen one that was refused.
        let several = routing.operation.produces.len() > 1;
        let accept = several.then(|| parts.headers.clone());
        let call = Call {
            operation: routing.operation,
            visitor: routing.visitor,
            captures: routing.captures,
            parts,
            body,
            limits: self.limits.of(routing.operation),
        };
        let calling = catch_unwind(AssertUnwindSafe(|| self.dispatch.call(call)));
        async move {
            let reply = calling.map_err(|_| Fault::Internal)?;
            let replied = AssertUnwindSafe(reply).catch_unwind().await;
            let response = replied.unwrap_or(Err(Fault::Internal))?;
            match accept {
                Some(headers) if !answer::is_admitted(&response, &headers) => {
                    Err(Fault::NotAcceptable)
                }
                _ => Ok(response),
            }
        }
    }

    /// The contract's answer to a fault. Where it cannot be worded, something
    /// failed; where that cannot be worded either, the answer is plain.
    pub(super) fn refuse(
        &self,
        fault: &Fault,
        operation: Option<&'static Operation>,
    ) -> Response<Body> {
        let word = |fault: &Fault| {
            let worded = catch_unwind(AssertUnwindSafe(|| self.dispatch.answer(fault))).ok()?;
            Some(answer::of_fault(fault, worded, operation))
        };
        let worded = word(fault).or_else(|| word(&Fault::Internal));
        worded.unwrap_or_else(answer::of_nobody)
    }
}
