//! The documentation and the API as one.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::Request;

use super::{Docs, Refusal};
use crate::http::Handler;

/// Answers requests for the documentation, and leaves all others to the API `S`.
#[derive(Clone)]
pub struct Site<S> {
    docs: Arc<Docs>,
    api: S,
    word: Arc<dyn Fn(Refusal) -> Response + Send + Sync>,
}

impl<S> Site<S> {
    /// Serves `docs` in front of `api`; `word` makes the responses to refused requests in the
    /// contract's format.
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

impl<S: Handler> Handler for Site<S> {
    async fn handle(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        match self.docs.answer(&request) {
            Some(answer) => answer.await.unwrap_or_else(|refusal| (self.word)(refusal)),
            None => self.api.handle(peer, request).await,
        }
    }
}
