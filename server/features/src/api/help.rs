//! The link from an error to the page that explains its code (RFC 8288): its body says which that is.

use axum::body::Body;
use axum::response::Response;
use futures_util::FutureExt as _;
use generated::runtime::{Rejection, Service};
use generated::service::Dispatcher;
use http::HeaderValue;
use http::header::LINK;
use http_body_util::{BodyExt as _, Collected};
use serde::Deserialize;

use super::Api;
use crate::domain::service_identity::BaseUrl;

/// The member that errors of every form have.
#[derive(Deserialize)]
struct Coded<'a> {
    code: &'a str,
}

/// The response; with the link, if it is an error.
pub(super) async fn explained(base: &BaseUrl, response: Response) -> Response {
    if response.status().as_u16() < 400 {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // Errors are in memory, where nothing fails.
    let body = body.collect().await.map(Collected::to_bytes);
    let body = body.unwrap_or_default();
    let link = serde_json::from_slice(&body)
        .ok()
        .and_then(|error: Coded<'_>| {
            let link = format!("<{base}/docs/guides/errors#{}>; rel=\"help\"", error.code);
            HeaderValue::try_from(link).ok()
        });
    if let Some(link) = link {
        parts.headers.insert(LINK, link);
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
