//! What a generated service asks of the server that hosts it.

use std::future::Future;

use http::HeaderMap;
use http::request::Parts;

use super::fault::{Denial, Failure};
use super::operation::Operation;

/// A request that has been routed and nothing more.
#[derive(Debug, Clone, Copy)]
pub struct Visit<'a> {
    /// The operation; `None` for an unknown path or method.
    pub operation: Option<&'static Operation>,
    /// The head of the request.
    pub parts: &'a Parts,
}

/// What the host says of a visit.
#[derive(Debug)]
pub struct Admission<P> {
    /// The caller, `None` where nobody showed credentials, or why the request
    /// goes no further.
    pub outcome: Result<Option<P>, Denial>,
    /// Headers for the answer, whatever it will be.
    pub headers: HeaderMap,
}

/// Decides who calls and whether they may.
pub trait Host: Send + Sync + 'static {
    /// A caller who showed credentials.
    type Principal: Clone + Send + Sync + 'static;
    /// What handlers fail with, when no documented answer fits.
    type Error: Into<Failure> + Send;

    /// Admits or denies a request. Called once for every request, those for
    /// unknown paths and methods included, before anything of it is read.
    fn admit(&self, visit: Visit<'_>) -> impl Future<Output = Admission<Self::Principal>> + Send;
}
