//! The parts that all HTML pages of the server share: their shell, their files, their responses and their
//! rate limit.
//!
//! A page is a template that extends `templates/layout.html` and has a field `shell: Shell`: header with
//! navigation, footer, style sheet and icon. Its answer is a `Page`. Everything is in the program; no
//! page asks for anything from elsewhere, and the policy of each page (`policy`) makes the browser
//! refuse to. Pages are no operations of the contract: they need no key, and their limit (`PageLimit`) is their own.

mod asset;
mod error_pages;
mod page;
mod page_limit;
pub(crate) mod policy;
mod refusal;
mod shell;
mod static_pages;

pub(crate) use asset::{VIEWER, find as asset};
pub(crate) use edge::http::accept::prefers_html;
pub use error_pages::ErrorPages;
pub(crate) use page::{HTML, Page};
pub use page_limit::{PageLimit, PageRejections};
pub use refusal::Refusal;
pub use shell::{Notice, Shell, SiteInfo};
pub use static_pages::StaticPages;
pub(crate) use static_pages::{Content, Queried, failed, short_paths};

/// A page cannot be rendered, which the tests rule out.
#[derive(Debug, thiserror::Error)]
#[error("cannot render a page")]
pub struct PageError(#[from] askama::Error);

#[cfg(test)]
mod tests;
