//! The documentation that the server carries with it, below `/docs/`: an overview, guides, the reference, a
//! changelog, search over all of it, and the explorer, which sends requests.

mod changelog;
mod contract;
mod explorer;
mod guide;
mod markdown;
mod overview;
mod reference;
mod search;
mod sidebar;

use crate::site::{Content, Facts, PageError};

/// The pages of the documentation of a server that `facts` are about, by their paths.
///
/// # Errors
/// When a page cannot be rendered, which the tests rule out.
pub(crate) fn pages(facts: &Facts) -> Result<Vec<(String, Content)>, PageError> {
    let mut pages = vec![
        ("/docs".to_owned(), Content::Moved("docs/")),
        ("/docs/guides".to_owned(), Content::Moved("./")),
        ("/docs/guides/".to_owned(), Content::Moved("../")),
        (
            "/docs/reference/".to_owned(),
            Content::Moved("../reference"),
        ),
    ];
    for (path, page) in [
        ("/docs/", overview::page as fn(&Facts, &str) -> _),
        ("/docs/explorer", explorer::page),
        ("/docs/changelog", changelog::page),
    ] {
        pages.push((path.to_owned(), page(facts, path)?.into()));
    }
    for guide in guide::GUIDES.iter().flat_map(|group| group.guides) {
        let path = format!("/docs/guides/{}", guide.slug);
        let page = guide.page(facts, &path)?;
        pages.push((path, page.into()));
    }
    for (path, page) in reference::pages(facts)? {
        pages.push((path, page.into()));
    }
    let (path, search) = search::Search::new(facts);
    pages.push((path, Content::Queried(Box::new(search))));
    Ok(pages)
}

#[cfg(test)]
mod tests;
