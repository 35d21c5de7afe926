//! The pages and files that never change while the server runs.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use axum::body::Body;
use axum::response::Response;
use edge::http::OperationId;
use http::{Method, Request, Uri};

use super::page::{self, Page, Representation};
use super::refusal::Refusal;
use super::{PageError, asset};

/// The operation of a request for a page, in metrics and the access log.
const OPERATION: OperationId = OperationId("<docs>");

/// The folders in which every path is a page or unknown.
const FOLDERS: [&str; 2] = ["/docs/", "/assets/"];

/// Pages by their paths.
#[derive(Debug)]
pub struct StaticPages(BTreeMap<String, Content>);

/// The content at a path.
#[derive(Debug)]
pub(crate) enum Content {
    Page(Box<LazyPage>),
    /// A redirect to another path, relative to the requested one.
    Redirect(&'static str),
    /// A page for each query.
    Queried(Box<dyn Queried>),
}

/// A page that is rendered on its first request, then cached, so that a server starts without rendering every
/// page.
pub(crate) struct LazyPage {
    render: Box<dyn Fn() -> Result<Page, PageError> + Send + Sync>,
    page: OnceLock<Page>,
}

/// A page that depends on the query of its address.
pub(crate) trait Queried: fmt::Debug + Send + Sync {
    /// The page at this address.
    ///
    /// # Errors
    /// When it cannot be rendered.
    fn page(&self, address: &Uri) -> Result<Page, PageError>;
}

impl Content {
    /// A page that is rendered for its first request.
    pub(crate) fn page(
        render: impl Fn() -> Result<Page, PageError> + Send + Sync + 'static,
    ) -> Content {
        Content::Page(Box::new(LazyPage {
            render: Box::new(render),
            page: OnceLock::new(),
        }))
    }
}

impl LazyPage {
    /// The page. Requests that come first at the same time may all render it.
    fn get(&self) -> Result<&Page, PageError> {
        if let Some(page) = self.page.get() {
            return Ok(page);
        }
        let rendered = (self.render)()?;
        Ok(self.page.get_or_init(|| rendered))
    }
}

impl fmt::Debug for LazyPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LazyPage").field(&self.page).finish()
    }
}

/// Addresses that people type, which lead on to pages.
pub(crate) fn short_paths() -> impl Iterator<Item = (String, Content)> {
    let paths = [
        ("/changelog", "docs/changelog"),
        ("/charities/", "../charities"),
        ("/dashboard/", "../dashboard"),
    ];
    paths
        .into_iter()
        .map(|(path, to)| (path.to_owned(), Content::Redirect(to)))
}

impl StaticPages {
    /// These pages, and the files that they are made of.
    pub(crate) fn new(pages: impl IntoIterator<Item = (String, Content)>) -> StaticPages {
        StaticPages(pages.into_iter().collect())
    }

    /// The paths of the pages for people: neither redirects, searches nor texts for programs.
    pub(crate) fn paths_for_people(&self) -> Vec<String> {
        let pages = self.0.iter();
        let pages = pages.filter(|(_, content)| matches!(content, Content::Page(_)));
        let paths = pages.map(|(path, _)| path.clone());
        paths
            .filter(|path| !path.contains('.') || path.starts_with("/docs/reference/"))
            .collect()
    }

    /// The answer to a request for one of them; `None` for every other request.
    pub(crate) fn answer<'a>(
        &'a self,
        request: &Request<Body>,
    ) -> Option<impl Future<Output = Result<Response, Refusal>> + Send + use<'a>> {
        let found = self.find(request)?;
        Some(async move {
            let mut response = match found? {
                Match::Redirect(to) => page::redirect(to),
                Match::Static(page, representation) => page.answer(representation).await,
                Match::Rendered(page, representation) => page.answer(representation).await,
            };
            response.extensions_mut().insert(OPERATION);
            Ok(response)
        })
    }

    /// Whether the answer is made for this request alone, and not in memory.
    pub(crate) fn is_made_for(&self, request: &Request<Body>) -> bool {
        let content = self.0.get(request.uri().path());
        matches!(content, Some(Content::Queried(_)))
    }

    fn find(&self, request: &Request<Body>) -> Option<Result<Match<'_>, Refusal>> {
        let path = request.uri().path();
        let asset = || asset::find(path.strip_prefix("/assets/")?);
        let found = match self.0.get(path) {
            Some(Content::Redirect(to)) => Some(Match::Redirect(to)),
            Some(Content::Page(page)) => match page.get() {
                Ok(page) => Some(Match::Static(page, negotiate(page, request))),
                Err(error) => return Some(Err(failed(error))),
            },
            Some(Content::Queried(queried)) => match queried.page(request.uri()) {
                Ok(page) => {
                    let representation = negotiate(&page, request);
                    Some(Match::Rendered(Box::new(page), representation))
                }
                Err(error) => return Some(Err(failed(error))),
            },
            None => asset().map(|page| Match::Static(page, negotiate(page, request))),
        };
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        match found {
            Some(_) if !is_read => Some(Err(Refusal::Method)),
            Some(found) => Some(Ok(found)),
            None if FOLDERS.iter().any(|folder| path.starts_with(folder)) => {
                Some(Err(Refusal::NoSuchPage))
            }
            None => None,
        }
    }

    #[cfg(test)]
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// The refusal for a page that cannot be rendered, which the tests rule out.
pub(crate) fn failed(error: PageError) -> Refusal {
    tracing::error!(%error, "cannot render a page");
    Refusal::Failed
}

/// The content that a request is for, with the representation of it.
enum Match<'a> {
    Redirect(&'static str),
    Static(&'a Page, Representation),
    Rendered(Box<Page>, Representation),
}

fn negotiate<B>(page: &Page, request: &Request<B>) -> Representation {
    page.negotiate(request.method(), request.uri(), request.headers())
}
