//! The generated service as a whole: from a request to its answer.
//!
//! The order is fixed: route, admission, 404 and 405, the operation's layers,
//! credentials, size (413), media type (415), `Accept` (406), then parameters
//! and body together, then the handler. Whatever happens, panics included,
//! every answer comes from the contract's shapes and carries the headers of
//! the admission.

pub(crate) mod answer;
pub mod body;
pub(crate) mod call;
pub(crate) mod challenge;
pub(crate) mod endpoint;
pub(crate) mod host;
pub(crate) mod matched;
pub(crate) mod routed_request;
pub(crate) mod router;
pub(crate) mod security;
mod stream_end;

use std::convert::Infallible;
use std::future::{Future, ready};
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum_core::body::Body;
use futures_util::FutureExt as _;
use http::header::IF_NONE_MATCH;
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response, Uri};
use tower_layer::Layer;

use crate::http::entity_tag;
use crate::http::limits::Limits;
use crate::http::operation::Operation;
use crate::http::rejection::{Answer, AuthError, HandlerError, Rejection};
use crate::service::body::drain;
use crate::service::call::Call;
use crate::service::endpoint::{Endpoint, Layers, Routing, Wrapped};
use crate::service::host::{Admission, Host, RequestHead};
use crate::service::routed_request::{ResponseContext, RoutedRequest, receive};
use crate::service::router::{Routed, Router};

/// The answer of an operation, in time.
pub type Reply = Pin<Box<dyn Future<Output = Result<Response<Body>, Rejection>> + Send>>;

/// The generated part of a service: its table of operations, its shapes of rejections, and the calls of its
/// handlers.
pub trait Dispatch: Send + Sync + 'static {
    /// The server that hosts the service.
    type Host: Host;
    /// The ids of the operations: an enum.
    type OperationId: Copy + Eq + Hash + Into<&'static Operation> + Send + Sync;

    /// Every operation.
    const OPERATIONS: &'static [Self::OperationId];

    /// The host.
    fn host(&self) -> &Self::Host;
    /// The contract's answer to a rejection.
    fn answer(&self, rejection: &Rejection) -> Answer;
    /// Calls an operation: authenticates the caller, reads the request, calls the handler and encodes its
    /// response.
    fn call(&self, operation: Self::OperationId, call: Call<HostContext<Self>>) -> Reply;
}

/// The reply of the handlers of a tag; without them, the refusal of a path that is not in the contract.
pub fn of_tag<T: ?Sized>(tag: &Option<Arc<T>>, call: impl FnOnce(Arc<T>) -> Reply) -> Reply {
    match tag {
        Some(tag) => call(Arc::clone(tag)),
        None => no_route(),
    }
}

/// The reply that no path of the contract matches.
#[must_use]
pub fn no_route() -> Reply {
    Box::pin(ready(Err(Rejection::Route)))
}

/// The context of a request that the host of a dispatch makes.
pub(crate) type HostContext<D> = <<D as Dispatch>::Host as Host>::Context;

/// A contract's operations as one service.
pub struct Service<D: Dispatch> {
    core: Arc<Core<D>>,
    layers: Layers<D::OperationId>,
}

impl<D: Dispatch> Service<D> {
    /// The service of `dispatch`.
    #[must_use]
    pub fn new(dispatch: D, limits: Limits) -> Self {
        let router = Router::new(D::OPERATIONS.iter().copied());
        Self {
            core: Arc::new(Core {
                dispatch,
                router,
                limits,
            }),
            layers: Layers::default(),
        }
    }

    /// The operation that a request with this head is for; `None` for an
    /// unknown path or method.
    #[must_use]
    pub fn operation(
        &self,
        method: &Method,
        target: &Uri,
        headers: &HeaderMap,
    ) -> Option<&'static Operation> {
        self.core.router.find(method, target, headers).operation()
    }

    /// Wraps one operation in a layer, around the layers that it has already: the last one sees a request first.
    /// A layer comes after routing and admission, and before credentials are read and anything is decoded, so it
    /// sees every refusal of these as the answer that it is. A request has its [`Matched`](crate::Matched) among
    /// its extensions; handlers that ask for extensions also get those that layers add.
    #[must_use]
    pub fn layer<L>(self, operation: D::OperationId, layer: &L) -> Self
    where
        L: Layer<Endpoint<D>>,
        L::Service: Wrapped,
    {
        let Self { core, layers } = self;
        let layers = layers.with(&core, operation, layer);
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
        let all = D::OPERATIONS.iter();
        let layers = all.fold(layers, |layers, operation| {
            layers.with(&core, *operation, layer)
        });
        Self { core, layers }
    }

    /// The answer to a request, as [`tower_service::Service::call`] gives it, but without a box and a clone.
    pub fn respond(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Response<Body>> + Send + '_ {
        let (request, context) = receive(request, &self.core.router);
        self.core.serve(request, context, &self.layers)
    }

    /// The contract's answer to a rejection that something around this service
    /// found, such as a deadline.
    #[must_use]
    pub fn answer(&self, rejection: &Rejection) -> Response<Body> {
        self.core.refuse(rejection, None)
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
        let (request, context) = receive(request, &core.router);
        Box::pin(async move { Ok(core.serve(request, context, &layers).await) })
    }
}

/// The state that the clones of a service share.
pub(crate) struct Core<D: Dispatch> {
    dispatch: D,
    router: Router<D::OperationId>,
    limits: Limits,
}

impl<D: Dispatch> Core<D> {
    async fn serve(
        &self,
        request: Box<RoutedRequest<D::OperationId>>,
        context: ResponseContext,
        layers: &Layers<D::OperationId>,
    ) -> Response<Body> {
        let response = self.observed(request, layers).await;
        let unread = context.unread.and_then(|unread| unread.take());
        let expects_continue = context.expects_continue;
        if let Some(left) = unread.filter(|left| left.begun || !expects_continue) {
            drain(left.body, self.limits.drain, self.limits.drain_deadline).await;
        }
        match context.is_head {
            true => answer::without_body(response),
            false => response,
        }
    }

    /// The answer that the host has seen on its way.
    async fn observed(
        &self,
        request: Box<RoutedRequest<D::OperationId>>,
        layers: &Layers<D::OperationId>,
    ) -> Response<Body> {
        let matched = request.matched;
        let answering = pin!(self.answer(request, layers));
        let observing = pin!(async { self.dispatch.host().observe(matched, answering).await });
        let observed = AssertUnwindSafe(observing).catch_unwind().await;
        observed.unwrap_or_else(|_| self.refuse(&Rejection::Internal, matched.operation()))
    }

    /// The answer with the headers of the admission; the body is dropped then.
    async fn answer(
        &self,
        request: Box<RoutedRequest<D::OperationId>>,
        layers: &Layers<D::OperationId>,
    ) -> Response<Body> {
        let operation = request.matched.operation();
        let head = RequestHead {
            operation,
            parts: &request.parts,
        };
        let Admission { outcome, headers } = self.admit(head).await;
        let outcome = match outcome {
            Ok(context) => {
                // Pinned before it is wrapped, which else would move all of it.
                let handling = pin!(self.handle(request, context, layers));
                let handled = AssertUnwindSafe(handling).catch_unwind().await;
                handled.unwrap_or(Err(Rejection::Internal))
            }
            Err(error) => Err(error.into()),
        };
        let mut response = outcome.unwrap_or_else(|rejection| self.refuse(&rejection, operation));
        if let Some(operation) = operation {
            answer::tell_end(operation, response.headers_mut());
        }
        for (name, value) in headers {
            response.headers_mut().insert(name, value);
        }
        response
    }

    async fn admit(&self, head: RequestHead<'_>) -> Admission<HostContext<D>> {
        let admitting = pin!(async { self.dispatch.host().admit(head).await });
        let admission = AssertUnwindSafe(admitting).catch_unwind().await;
        admission.unwrap_or_else(|_| Admission {
            outcome: Err(AuthError::Failed(HandlerError::Internal)),
            headers: Vec::new(),
        })
    }

    async fn handle(
        &self,
        request: Box<RoutedRequest<D::OperationId>>,
        context: HostContext<D>,
        layers: &Layers<D::OperationId>,
    ) -> Result<Response<Body>, Rejection> {
        let RoutedRequest {
            matched,
            routed,
            parts,
            body,
        } = *request;
        let routing = match routed {
            Routed::Found {
                operation,
                captures,
            } => Routing {
                operation,
                captures,
                context,
            },
            Routed::NoMethod { allow } => return Err(Rejection::Method { allow }),
            Routed::NoRoute => return Err(Rejection::Route),
        };
        match layers.of(routing.operation) {
            Some(wrapping) => {
                let request = Request::from_parts(parts, body);
                wrapping(routing.into_extensions(request, matched)).await
            }
            None => self.call(routing, parts, body).await,
        }
    }

    /// Calls the operation itself, below all layers. Its arguments are not in the future, unless the operation
    /// keeps them.
    pub(crate) fn call(
        &self,
        routing: Routing<D::OperationId, HostContext<D>>,
        parts: Parts,
        body: Body,
    ) -> impl Future<Output = Result<Response<Body>, Rejection>> + Send + use<D> {
        let id = routing.operation;
        let operation: &'static Operation = id.into();
        // Of several types the handler may have chosen one that was refused.
        let several = operation.produces.len() > 1 && !operation.lenient;
        let accept = several.then(|| parts.headers.clone());
        let conditions = parts.headers.get_all(IF_NONE_MATCH).iter();
        let held = operation.not_modified.map(|documented| {
            let held: Vec<_> = conditions.cloned().collect();
            (held, documented)
        });
        let ending = stream_end::asked(&parts.headers);
        let call = Call {
            operation,
            context: routing.context,
            captures: routing.captures,
            parts,
            body,
            limits: self.limits.of(operation),
        };
        let calling = catch_unwind(AssertUnwindSafe(|| self.dispatch.call(id, call)));
        async move {
            let reply = calling.map_err(|_| Rejection::Internal)?;
            let replied = AssertUnwindSafe(reply).catch_unwind().await;
            let response = replied.unwrap_or(Err(Rejection::Internal))?;
            if accept.is_some_and(|headers| !answer::is_admitted(&response, &headers)) {
                return Err(Rejection::NotAcceptable);
            }
            let response = stream_end::ending(response, ending);
            Ok(match held {
                Some((held, documented)) => entity_tag::unless_current(&held, documented, response),
                None => response,
            })
        }
    }

    /// The contract's answer to a rejection. Where it cannot be worded, something
    /// failed; where that cannot be worded either, the answer is plain.
    pub(crate) fn refuse(
        &self,
        rejection: &Rejection,
        operation: Option<&'static Operation>,
    ) -> Response<Body> {
        let word = |rejection: &Rejection| {
            let worded = catch_unwind(AssertUnwindSafe(|| self.dispatch.answer(rejection))).ok()?;
            Some(answer::of_rejection(rejection, worded, operation))
        };
        let worded = word(rejection).or_else(|| word(&Rejection::Internal));
        worded.unwrap_or_else(answer::of_nobody)
    }
}
