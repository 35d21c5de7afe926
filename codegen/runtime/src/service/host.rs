//! The trait of the server that hosts a generated service.

use std::fmt;
use std::future::{Future, ready};

use axum_core::body::Body;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Response};

use crate::http::operation::Operation;
use crate::http::rejection::{AuthError, HandlerError};
use crate::service::matched::Matched;

/// A request that has been routed and nothing more.
#[derive(Clone, Copy)]
pub struct RequestHead<'a> {
    /// The operation; `None` for an unknown path or method.
    pub operation: Option<&'static Operation>,
    /// The head of the request.
    pub parts: &'a Parts,
}

/// Shows no part of the request: each may hold a credential.
impl fmt::Debug for RequestHead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestHead")
            .field("operation", &self.operation.map(|operation| operation.id))
            .finish_non_exhaustive()
    }
}

/// The decision of the host about a request.
#[derive(Debug)]
pub struct Admission<C> {
    /// The host's context of the request, for authentication, or why the
    /// request goes no further.
    pub outcome: Result<C, AuthError>,
    /// Headers for the response, in place of all of the same name there.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// The host of a service: admits and observes every request, of any operation.
pub trait Host: Send + Sync + 'static {
    /// The context that [`Host::admit`] makes of a request; `()` for none.
    type Context: Default + Clone + Send + Sync + 'static;
    /// The error of handlers, for when no documented answer fits.
    type Error: Into<HandlerError> + Send;

    /// Admits or turns away a request: the place of limits. Called once for
    /// every request, those for unknown paths and methods included, before
    /// credentials or anything else of it are read. Everybody is admitted
    /// unless the host says otherwise.
    fn admit(
        &self,
        head: RequestHead<'_>,
    ) -> impl Future<Output = Admission<Self::Context>> + Send {
        let _ = head;
        ready(Admission {
            outcome: Ok(Self::Context::default()),
            headers: Vec::new(),
        })
    }

    /// Surrounds the answering of a request, from after its routing until its
    /// answer's head: the place of spans, clocks and counters. The answer is
    /// that of `answering`, which does nothing unless it is awaited. The rest
    /// of the request's body is drained afterwards.
    fn observe<F>(
        &self,
        matched: Matched,
        answering: F,
    ) -> impl Future<Output = Response<Body>> + Send
    where
        F: Future<Output = Response<Body>> + Send,
    {
        let _ = matched;
        answering
    }
}
