//! Pages and the API as one.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use generated::operations::BASE_PATH;
use http::Request;

use super::StaticPages;
use crate::dashboard::{self, Dashboard};
use crate::front::Front;
use crate::http::Handler;

/// The reason why there is no page.
#[derive(Debug)]
pub enum Refusal {
    /// No page has this path.
    NoSuchPage,
    /// The method is neither GET nor HEAD.
    Method,
    /// The client has as many requests at a time as it may.
    Busy,
    /// The page cannot be written.
    Failed,
}

/// Answers requests for pages, and leaves all others to the API `S`.
///
/// A request goes to the first of these that knows its path: static pages, the front door, the API.
#[derive(Clone)]
pub struct Site<S> {
    pages: Arc<StaticPages>,
    front: Arc<Front>,
    dashboard: Option<Dashboard>,
    api: S,
    word: Arc<dyn Fn(Refusal) -> Response + Send + Sync>,
}

impl<S> Site<S> {
    /// Serves `pages`, `front` and the dashboard, if there is one, before `api`; `word` makes the responses
    /// to refused requests in the contract's format.
    pub fn new(
        pages: StaticPages,
        front: Front,
        dashboard: Option<Dashboard>,
        api: S,
        word: impl Fn(Refusal) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self {
            pages: Arc::new(pages),
            front: Arc::new(front),
            dashboard,
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
        if let Some(dashboard) = &self.dashboard
            && dashboard::serves(&request)
        {
            return dashboard.answer(request).await;
        }
        let answer = if let Some(answer) = self.pages.answer(&request) {
            answer.await
        } else if let Some(route) = self.front.route(&request) {
            let (asked, _) = request.into_parts();
            self.front.answer(route, &asked).await
        } else {
            return self.api.handle(peer, request).await;
        };
        answer.unwrap_or_else(|refusal| (self.word)(refusal))
    }
}
