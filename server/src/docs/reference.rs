//! The reference: the contract in a viewer that can try its operations.

use askama::Template;
use generated::operations::BASE_PATH;

use crate::site::{Facts, Page, PageError, Shell, VIEWER, policy};

#[derive(Template)]
#[template(path = "docs/reference.html")]
struct ReferencePage<'a> {
    shell: Shell<'a>,
    contract: &'a str,
    viewer: &'a str,
}

/// The page with the viewer, of the server that `facts` are about.
pub(super) fn page(facts: &Facts, path: &str) -> Result<Page, PageError> {
    let page = ReferencePage {
        shell: Shell::new(facts, path),
        contract: &format!("{BASE_PATH}/openapi"),
        viewer: VIEWER,
    };
    Ok(Page::html(policy::REFERENCE, page.render()?))
}
