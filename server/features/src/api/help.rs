//! The code of an error: read from its body, linked to the page that explains it (RFC 8288), and passed on to the log
//! of requests.

use axum::body::Body;
use axum::response::Response;
use edge::http::ErrorCode;
use futures_util::FutureExt as _;
use generated::runtime::{Rejection, Service};
use generated::service::Dispatcher;
use http::HeaderValue;
use http::header::LINK;
use http_body_util::{BodyExt as _, Collected};
use serde::Deserialize;

use super::Api;
use crate::domain::service_identity::BaseUrl;

/// The property that errors of every shape have.
#[derive(Deserialize)]
struct Coded<'a> {
    code: &'a str,
}

/// Returns the response; with the link and its [`ErrorCode`] if it is an error.
pub(super) async fn explained(base: &BaseUrl, response: Response) -> Response {
    if response.status().as_u16() < 400 {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // Errors are in memory, where nothing fails.
    let body = body.collect().await.map(Collected::to_bytes);
    let body = body.unwrap_or_default();
    if let Ok(Coded { code }) = serde_json::from_slice(&body) {
        let link = format!("<{base}/docs/guides/errors#{code}>; rel=\"help\"");
        if let Ok(link) = HeaderValue::try_from(link) {
            parts.headers.insert(LINK, link);
        }
        parts.extensions.insert(ErrorCode(code.into()));
    }
    Response::from_parts(parts, Body::from(body))
}

/// The errors of the contract that something around the API finds.
#[derive(Clone)]
pub struct ContractErrors {
    service: Service<Dispatcher<Api>>,
    base: BaseUrl,
}

impl ContractErrors {
    /// The errors of a service whose documentation is below this URL.
    pub fn new(service: Service<Dispatcher<Api>>, base: BaseUrl) -> Self {
        Self { service, base }
    }

    pub fn answer(&self, rejection: &Rejection) -> Response {
        let explaining = explained(&self.base, self.service.answer(rejection));
        let explained = explaining.now_or_never();
        // It is in memory, and so there at once.
        explained.unwrap_or_else(|| self.service.answer(rejection))
    }
}
