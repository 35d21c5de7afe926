//! The first page of the documentation: every guide with a sentence, and the reference.

use askama::Template;

use super::sidebar::Sidebar;
use crate::site::{Facts, Page, PageError, Shell, policy};

#[derive(Template)]
#[template(path = "docs/overview.html")]
struct Overview<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
}

/// The overview of a server.
pub(super) fn page(facts: &Facts, path: &str) -> Result<Page, PageError> {
    let page = Overview {
        shell: Shell::public(facts, path),
        sidebar: Sidebar::of(""),
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}
