//! Pages and the API as one.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use generated::operations::BASE_PATH;
use http::Request;

use super::StaticPages;
use crate::http::Handler;

/// The reason why there is no page.
#[derive(Debug)]
pub enum Refusal {
    /// No page has this path.
    NoSuchPage,
    /// The method is neither GET nor HEAD.
    Method,
}

/// Answers requests for pages, and leaves all others to the API `S`.
#[derive(Clone)]
pub struct Site<S> {
    pages: Arc<StaticPages>,
    api: S,
    word: Arc<dyn Fn(Refusal) -> Response + Send + Sync>,
}

impl<S> Site<S> {
    /// Serves `pages` in front of `api`; `word` makes the responses to refused requests in the
    /// contract's format.
    pub fn new(
        pages: StaticPages,
        api: S,
        word: impl Fn(Refusal) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self {
            pages: Arc::new(pages),
            api,
            word: Arc::new(word),
        }
    }
}

impl<S: Handler> Handler for Site<S> {
    async fn handle(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        if request.uri().path().starts_with(BASE_PATH) {
            return self.api.handle(peer, request).await;
        }
        match self.pages.answer(&request) {
            Some(answer) => answer.await.unwrap_or_else(|refusal| (self.word)(refusal)),
            None => self.api.handle(peer, request).await,
        }
    }
}
