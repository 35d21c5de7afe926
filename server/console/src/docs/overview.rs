//! The first page of the documentation: every guide with a sentence, and the reference.

use askama::Template;

use super::sidebar::Sidebar;
use crate::site::{Page, PageError, Shell, SiteInfo, policy};

#[derive(Template)]
#[template(path = "docs/overview.html")]
struct Overview<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
}

pub(super) fn page(info: &SiteInfo, path: &str) -> Result<Page, PageError> {
    let page = Overview {
        shell: Shell::public(info, path),
        sidebar: Sidebar::of(""),
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}
