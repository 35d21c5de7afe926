//! The explorer: the contract in a viewer that sends requests to this server.

use askama::Template;
use generated::operations::BASE_PATH;

use super::sidebar::Sidebar;
use crate::site::{Page, PageError, Shell, SiteInfo, VIEWER, policy};

#[derive(Template)]
#[template(path = "docs/explorer.html")]
struct ExplorerPage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    contract: &'a str,
    viewer: &'a str,
}

/// The page with the viewer, of a server.
pub(super) fn page(info: &SiteInfo, path: &str) -> Result<Page, PageError> {
    let page = ExplorerPage {
        shell: Shell::new(info, path),
        sidebar: Sidebar::of("explorer"),
        contract: &format!("{BASE_PATH}/openapi"),
        viewer: VIEWER,
    };
    Ok(Page::html(policy::EXPLORER, page.render()?))
}
