//! Layers around single operations.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::poll_fn;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum_core::BoxError;
use axum_core::body::Body;
use bytes::Bytes;
use http::{Request, Response};
use tower_layer::Layer;
use tower_service::Service;

use crate::http::captures::Captures;
use crate::http::rejection::{HandlerError, Rejection};
use crate::service::matched::Matched;
use crate::service::{Core, Dispatch, HostContext, Reply};

/// One operation as a service, which layers wrap.
///
/// [`Service::layer`](crate::Service::layer) says where layers come in.
pub struct Endpoint<D: Dispatch> {
    core: Arc<Core<D>>,
    /// The endpoint as earlier layers wrap it.
    inner: Option<Wrapping>,
}

/// The services that a layer may make of an [`Endpoint`]: with the errors of
/// handlers, and any body of bytes.
pub trait Wrapped: Clone + Send + Sync + 'static {
    /// The answer to a request.
    fn answer(self, request: Request<Body>) -> Reply;
}

impl<S, B> Wrapped for S
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Into<HandlerError>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    fn answer(mut self, request: Request<Body>) -> Reply {
        Box::pin(async move {
            let ready = poll_fn(|context| self.poll_ready(context)).await;
            ready.map_err(crate::http::rejection::failed)?;
            let answer = self.call(request).await;
            Ok(answer
                .map_err(crate::http::rejection::failed)?
                .map(Body::new))
        })
    }
}

/// A wrapped endpoint, as a function.
type Wrapping = Arc<dyn Fn(Request<Body>) -> Reply + Send + Sync>;

/// The layers of operations. Clones share them.
pub(crate) struct Layers<Id>(Arc<HashMap<Id, Wrapping>>);

impl<Id> Default for Layers<Id> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<Id> Clone for Layers<Id> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Id: Copy + Eq + Hash> Layers<Id> {
    /// The layers around an operation.
    pub(crate) fn of(&self, operation: Id) -> Option<&Wrapping> {
        self.0.get(&operation)
    }

    /// The same with one more layer around an operation.
    pub(crate) fn with<D, L>(self, core: &Arc<Core<D>>, operation: Id, layer: &L) -> Self
    where
        D: Dispatch<OperationId = Id>,
        L: Layer<Endpoint<D>>,
        L::Service: Wrapped,
    {
        let wrapped = layer.layer(Endpoint {
            core: Arc::clone(core),
            inner: self.of(operation).cloned(),
        });
        let mut all = Arc::unwrap_or_clone(self.0);
        let wrapping: Wrapping = Arc::new(move |request| wrapped.clone().answer(request));
        all.insert(operation, wrapping);
        Self(Arc::new(all))
    }
}

/// The operation and the context of a request, while it passes through layers.
#[derive(Clone)]
pub(crate) struct Routing<Id, C> {
    pub(crate) operation: Id,
    pub(crate) captures: Captures,
    pub(crate) context: C,
}

impl<Id, C> Routing<Id, C>
where
    Id: Copy + Send + Sync + 'static,
    C: Clone + Send + Sync + 'static,
{
    /// The request for layers to see.
    pub(crate) fn into_extensions(
        self,
        mut request: Request<Body>,
        matched: Matched,
    ) -> Request<Body> {
        request.extensions_mut().insert(matched);
        request.extensions_mut().insert(self);
        request
    }
}

impl<D: Dispatch> Clone for Endpoint<D> {
    fn clone(&self) -> Self {
        Self {
            core: Arc::clone(&self.core),
            inner: self.inner.clone(),
        }
    }
}

impl<D: Dispatch> Service<Request<Body>> for Endpoint<D> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let Self { core, inner } = self.clone();
        Box::pin(async move {
            let extensions = request.extensions_mut();
            let operation = extensions.get::<Matched>().and_then(Matched::operation);
            let outcome = match inner {
                Some(inner) => inner(request).await,
                None => match extensions.remove::<Routing<D::OperationId, HostContext<D>>>() {
                    Some(routing) => {
                        let (parts, body) = request.into_parts();
                        core.call(routing, parts, body).await
                    }
                    // A layer made a request of its own.
                    None => Err(Rejection::Internal),
                },
            };
            Ok(outcome.unwrap_or_else(|rejection| core.refuse(&rejection, operation)))
        })
    }
}
