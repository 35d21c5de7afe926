//! The start page: a description of the service, an example response, and links.

use askama::Template;
use serde_json::json;

use crate::charities::Charities;
use crate::site::{Facts, Page, PageError, Shell, policy};

#[derive(Template)]
#[template(path = "public_pages/home.html")]
struct Home<'a> {
    shell: Shell<'a>,
    charities: usize,
    /// A charity of the catalogue.
    example: Option<Example<'a>>,
}

/// A charity as the API responds with it.
struct Example<'a> {
    slug: &'a str,
    name: &'a str,
    json: String,
}

/// The start page of a catalogue.
pub(super) fn page(facts: &Facts, charities: &Charities) -> Result<Page, PageError> {
    let example = charities.newest().and_then(|charity| {
        Some(Example {
            slug: &charity.slug,
            name: &charity.name,
            json: serde_json::to_string_pretty(charity).ok()?,
        })
    });
    let home = Home {
        shell: Shell::public(facts, "/"),
        charities: charities.count(),
        example,
    };
    Ok(Page::html(policy::PAGE, home.render()?).chosen_by_accept())
}

/// The links of the start page, for programs.
pub(super) fn index(facts: &Facts) -> Page {
    let (api, root) = (&facts.api, facts.site());
    let links = json!({
        "name": facts.service,
        "api": api,
        "contract": format!("{api}/openapi"),
        "documentation": format!("{root}/docs/"),
        "status": format!("{root}/status"),
    });
    Page::new("application/json", policy::FILE, links.to_string()).chosen_by_accept()
}
