//! The handler of the whole site: pages, and the API below its path.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use edge::http::Handler;
use generated::operations::BASE_PATH;
use http::Request;

use crate::dashboard::{self, Dashboard};
use crate::public_pages::{PublicPages, Route};
use crate::site::{PageLimit, Refusal, StaticPages};

/// Answers requests for pages, and leaves those below the API's path to the API `S`.
///
/// A page is a static one (the documentation), of the dashboard, or one of the public pages.
#[derive(Clone)]
pub(super) struct Site<S> {
    pages: Arc<StaticPages>,
    public_pages: Arc<PublicPages>,
    dashboard: Option<Dashboard>,
    limit: Arc<PageLimit>,
    api: S,
    refuse: Arc<dyn Fn(Refusal) -> Response + Send + Sync>,
}

impl<S> Site<S> {
    /// Serves `pages`, `public_pages` and the dashboard, if there is one, beside `api`; `refuse` makes the responses
    /// to refused requests in the contract's format.
    pub(super) fn new(
        pages: StaticPages,
        public_pages: PublicPages,
        dashboard: Option<Dashboard>,
        limit: Arc<PageLimit>,
        api: S,
        refuse: impl Fn(Refusal) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self {
            pages: Arc::new(pages),
            public_pages: Arc::new(public_pages),
            dashboard,
            limit,
            api,
            refuse: Arc::new(refuse),
        }
    }
}

impl<S> Site<S> {
    /// The answer to a request for a page.
    async fn page(&self, request: Request<Body>) -> Result<Response, Refusal> {
        if self.pages.is_made_for(&request) {
            self.limit.admit().await?;
        }
        if let Some(answer) = self.pages.answer(&request) {
            return answer.await;
        }
        let route = self.public_pages.route(&request);
        if !route.as_ref().is_some_and(Route::is_in_memory) {
            self.limit.admit().await?;
        }
        match (&self.dashboard, route) {
            (Some(dashboard), _) if dashboard::serves(&request) => {
                Ok(dashboard.answer(request).await)
            }
            (_, Some(route)) => {
                let (asked, _) = request.into_parts();
                self.public_pages.answer(route, &asked).await
            }
            (_, None) => Err(Refusal::NoSuchPage),
        }
    }
}

impl<S: Handler> Handler for Site<S> {
    async fn handle(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        if request.uri().path().starts_with(BASE_PATH) {
            return self.api.handle(peer, request).await;
        }
        let answer = self.page(request).await;
        answer.unwrap_or_else(|refusal| (self.refuse)(refusal))
    }
}
