//! The start page: a description of the service, an example response, and links.

use askama::Template;
use serde_json::json;

use crate::site::{Page, PageError, Shell, SiteInfo, policy};
use features::charities::Charities;

#[derive(Template)]
#[template(path = "public_pages/home.html")]
struct Home<'a> {
    shell: Shell<'a>,
    charities: usize,
    /// A charity of the catalogue.
    example: Option<Example>,
}

/// A charity as the API responds with it.
struct Example {
    slug: String,
    name: String,
    json: String,
}

/// The start page of a catalogue.
pub(super) fn page(info: &SiteInfo, charities: &Charities) -> Result<Page, PageError> {
    let example = charities.newest().and_then(|charity| {
        Some(Example {
            json: serde_json::to_string_pretty(&charity).ok()?,
            slug: charity.slug,
            name: charity.name,
        })
    });
    let home = Home {
        shell: Shell::public(info, "/"),
        charities: charities.count(),
        example,
    };
    Ok(Page::html(policy::PAGE, home.render()?).chosen_by_accept())
}

/// The links of the start page, for programs.
pub(super) fn index(info: &SiteInfo) -> Page {
    let (api, root) = (&info.api, info.site());
    let links = json!({
        "name": info.service,
        "api": api,
        "contract": format!("{api}/openapi"),
        "documentation": format!("{root}/docs/"),
        "status": format!("{root}/status"),
    });
    Page::new("application/json", policy::FILE, links.to_string()).chosen_by_accept()
}
