//! The handler of the whole site: pages, and the API below its path.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use edge::http::Handler;
use features::api::ContractErrors;
use generated::Rejection;
use generated::operations::BASE_PATH;
use http::{Request, header};

use crate::dashboard::{self, Dashboard};
use crate::public_pages::{PublicPages, Route};
use crate::site::{PageLimit, Refusal, StaticPages};

/// The seconds in `Retry-After` when a page is not available.
const RETRY_AFTER: u32 = 1;

/// Responds to requests for pages, and leaves those below the API's path to the API `S`.
///
/// A page is static (the documentation), part of the dashboard, or one of the public pages.
#[derive(Clone)]
pub struct Site<S> {
    pub(super) pages: Arc<StaticPages>,
    pub(super) public_pages: Arc<PublicPages>,
    pub(super) dashboard: Option<Dashboard>,
    pub(super) limit: Arc<PageLimit>,
    pub(super) api: S,
    pub(super) errors: ContractErrors,
}

impl<S> Site<S> {
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
        let response = self.page(request).await;
        response.unwrap_or_else(|refusal| rejected(&self.errors, refusal))
    }
}

/// The response to a rejected request for a page, in the contract's format.
fn rejected(errors: &ContractErrors, refusal: Refusal) -> Response {
    let (rejection, wait) = match refusal {
        Refusal::NoSuchPage => (Rejection::Route, None),
        Refusal::Method => {
            let allow = "GET, HEAD".to_owned();
            (Rejection::Method { allow }, None)
        }
        Refusal::TooMany { retry_after } => (Rejection::RateLimited, Some(retry_after)),
        Refusal::Busy => {
            let retry_after = RETRY_AFTER;
            (Rejection::Unavailable { retry_after }, None)
        }
        Refusal::Failed => (Rejection::Internal, None),
    };
    let mut response = errors.answer(&rejection);
    if let Some(wait) = wait {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, wait.into());
    }
    response
}
