//! The documentation of the API below `/docs/`: an overview, guides, the reference, a changelog, search, and
//! an explorer that sends requests.

mod changelog;
mod contract;
mod explorer;
mod guide;
mod markdown;
mod overview;
mod reference;
mod search;
mod sidebar;

use crate::site::{Content, PageError, SiteInfo};

/// The pages of the documentation of a server, by their paths.
///
/// # Errors
/// When a page cannot be rendered, which the tests rule out.
pub(crate) fn pages(info: &SiteInfo) -> Result<Vec<(String, Content)>, PageError> {
    let mut pages = vec![
        ("/docs".to_owned(), Content::Redirect("docs/")),
        ("/docs/guides".to_owned(), Content::Redirect("./")),
        ("/docs/guides/".to_owned(), Content::Redirect("../")),
        (
            "/docs/reference/".to_owned(),
            Content::Redirect("../reference"),
        ),
    ];
    for (path, page) in [
        ("/docs/", overview::page as fn(&SiteInfo, &str) -> _),
        ("/docs/explorer", explorer::page),
        ("/docs/changelog", changelog::page),
    ] {
        pages.push((path.to_owned(), page(info, path)?.into()));
    }
    for guide in guide::GUIDES.iter().flat_map(|group| group.guides) {
        let path = format!("/docs/guides/{}", guide.slug);
        let page = guide.page(info, &path)?;
        pages.push((path, page.into()));
    }
    for (path, page) in reference::pages(info)? {
        pages.push((path, page.into()));
    }
    let (path, search) = search::Search::new(info);
    pages.push((path, Content::Queried(Box::new(search))));
    Ok(pages)
}

#[cfg(test)]
mod tests;
