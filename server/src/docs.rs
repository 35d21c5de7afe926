//! The documentation that the server carries with it: the reference at `/docs/`, the guides below
//! `/docs/guides/`, and the files that they are made of.
//!
//! Everything is in the program; no page asks for anything from elsewhere, and the policy of each
//! page (Content Security Policy Level 3) makes the browser refuse to. The pages are no operations of
//! the contract: they need no key and are never counted.

mod asset;
mod guide;
mod page;
mod policy;
mod reference;
mod site;

use std::collections::BTreeMap;

use axum::body::Body;
use axum::response::Response;
use generated::operations::BASE_PATH;
use http::{Method, Request};

use page::{Form, Page};

pub use page::Refusal;
pub use site::Site;

use crate::config::ServiceIdentity;
use crate::http::OperationId;

/// The operation of a request for documentation, in metrics and the access log.
const OPERATION: OperationId = OperationId("<docs>");
/// The path of the documentation.
const ROOT: &str = "/docs";

/// The documentation of one server, in memory.
#[derive(Debug)]
pub struct Docs {
    /// By the path below [`ROOT`].
    pages: BTreeMap<String, Page>,
}

/// Documentation that cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot write a page of the documentation")]
pub struct DocsError(#[from] askama::Error);

/// Facts about the server, for the pages.
#[derive(Debug, Clone)]
struct Facts {
    /// The service's name.
    service: String,
    /// The absolute URL of the API, for programs.
    api: String,
}

impl Docs {
    /// The documentation of a server with this identity.
    ///
    /// # Errors
    /// When a page cannot be rendered, which the tests rule out.
    pub fn new(identity: &ServiceIdentity) -> Result<Docs, DocsError> {
        let facts = Facts {
            service: identity.name.clone(),
            api: format!("{}{BASE_PATH}", identity.public_base_url),
        };
        let mut pages = BTreeMap::from([("/".to_owned(), reference::page(&facts)?)]);
        for (name, page) in asset::all() {
            pages.insert(format!("/assets/{name}"), page);
        }
        for guide in guide::GUIDES {
            pages.insert(format!("/guides/{}", guide.slug), guide.page(&facts)?);
        }
        Ok(Docs { pages })
    }

    /// The answer to a request for documentation; `None` for every other request.
    pub fn answer<'a>(
        &'a self,
        request: &Request<Body>,
    ) -> Option<impl Future<Output = Result<Response, Refusal>> + Send + use<'a>> {
        let below = request.uri().path().strip_prefix(ROOT)?;
        if !below.is_empty() && !below.starts_with('/') {
            return None;
        }
        let found = self.find(below, request);
        let is_head = request.method() == Method::HEAD;
        Some(async move {
            let mut response = match found? {
                Found::Moved(to) => page::moved(to),
                Found::Page(page, form) => page.answer(form).await,
            };
            if is_head {
                *response.body_mut() = Body::empty();
            }
            response.extensions_mut().insert(OPERATION);
            Ok(response)
        })
    }

    fn find(&self, below: &str, request: &Request<Body>) -> Result<Found<'_>, Refusal> {
        let found = match below {
            "" => Found::Moved("docs/"),
            "/guides" => Found::Moved("guides/quick-start"),
            "/guides/" => Found::Moved("quick-start"),
            _ => {
                let page = self.pages.get(below).ok_or(Refusal::NoSuchPage)?;
                Found::Page(page, page.form(request.headers()))
            }
        };
        match *request.method() {
            Method::GET | Method::HEAD => Ok(found),
            _ => Err(Refusal::Method),
        }
    }
}

/// The content at a path.
enum Found<'a> {
    /// A redirect to another path, relative to the requested one.
    Moved(&'static str),
    Page(&'a Page, Form),
}

#[cfg(test)]
mod tests;
