//! The reference: the contract in a viewer that can try its operations.

use askama::Template;
use axum::body::Body;
use axum::response::Response;
use generated::operations::BASE_PATH;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue};
use uuid::Uuid;

use super::asset::VIEWER;
use super::guide::{GUIDES, Guide};
use super::page::{Refusal, guard};
use super::{Facts, policy};

/// The page with the viewer. Each answer has a nonce of its own.
#[derive(Debug)]
pub(super) struct Reference {
    facts: Facts,
    contract: String,
}

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage<'a> {
    nonce: &'a str,
    service: &'a str,
    base: &'a str,
    contract: &'a str,
    viewer: &'a str,
    guides: &'a [Guide],
}

impl Reference {
    pub(super) fn new(facts: Facts) -> Reference {
        Reference {
            facts,
            contract: format!("{BASE_PATH}/openapi"),
        }
    }

    pub(super) fn answer(&self) -> Result<Response, Refusal> {
        // A random UUID has 122 bits from the operating system, in characters that need no escape.
        let nonce = Uuid::new_v4().simple().to_string();
        let page = ReferencePage {
            nonce: &nonce,
            service: &self.facts.service,
            base: &self.facts.api,
            contract: &self.contract,
            viewer: VIEWER,
            guides: GUIDES,
        };
        let mut response = Response::new(Body::from(page.render()?));
        let headers = response.headers_mut();
        let policy = HeaderValue::try_from(policy::reference(&nonce));
        guard(headers, policy.map_err(|_| Refusal::Failed)?);
        let fixed = |name: HeaderName, text| (name, HeaderValue::from_static(text));
        headers.extend([
            fixed(CONTENT_TYPE, "text/html; charset=utf-8"),
            fixed(CACHE_CONTROL, "no-store"),
        ]);
        Ok(response)
    }
}
