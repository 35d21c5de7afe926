//! The reference: the contract in a viewer that can try its operations.

use askama::Template;
use generated::operations::BASE_PATH;

use super::asset::VIEWER;
use super::guide::{GUIDES, Guide};
use super::page::Page;
use super::{Facts, policy};

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage<'a> {
    service: &'a str,
    base: &'a str,
    contract: &'a str,
    viewer: &'a str,
    guides: &'a [Guide],
}

/// The page with the viewer, of the server that `facts` are about.
pub(super) fn page(facts: &Facts) -> Result<Page, askama::Error> {
    let page = ReferencePage {
        service: &facts.service,
        base: &facts.api,
        contract: &format!("{BASE_PATH}/openapi"),
        viewer: VIEWER,
        guides: GUIDES,
    };
    let html = page.render()?;
    Ok(Page::new(
        "text/html; charset=utf-8",
        policy::REFERENCE,
        html,
    ))
}
