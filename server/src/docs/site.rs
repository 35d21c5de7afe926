//! The documentation and the API as one service.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::response::Response;
use futures_util::future::Either;
use http::Request;
use tower_service::Service;

use super::{Docs, Refusal};

/// Answers what is asked of the documentation, and leaves everything else to the API `S`.
#[derive(Clone)]
pub struct Site<S> {
    docs: Arc<Docs>,
    api: S,
    word: Arc<dyn Fn(Refusal) -> Response + Send + Sync>,
}

impl<S> Site<S> {
    /// Puts `docs` before `api`; `word` words refusals in the contract's shapes.
    pub fn new(
        docs: Docs,
        api: S,
        word: impl Fn(Refusal) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self {
            docs: Arc::new(docs),
            api,
            word: Arc::new(word),
        }
    }
}

impl<S> Service<Request<Body>> for Site<S>
where
    S: Service<Request<Body>, Response = Response, Error = Infallible>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Either<Ready<Result<Response, Infallible>>, S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.api.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match self.docs.answer(&request) {
            Some(answer) => Either::Left(ready(Ok(answer.unwrap_or_else(|it| (self.word)(it))))),
            None => Either::Right(self.api.call(request)),
        }
    }
}
