//! The documentation of the API below `/docs/`: an overview, guides, the reference, a changelog, search, and
//! an explorer that sends requests.

mod changelog;
mod contract;
mod explorer;
mod guide;
mod markdown;
mod overview;
mod plain_text;
mod reference;
mod search;
mod sidebar;

use std::sync::Arc;

pub(crate) use self::search::{DocsIndex, MAX_QUERY};
use crate::site::{Content, Page, PageError, SiteInfo};

/// The pages of the documentation of a server, by their paths.
pub(crate) fn pages(info: &SiteInfo, index: Arc<DocsIndex>) -> Vec<(String, Content)> {
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
        pages.push(page_at(info, path.to_owned(), page));
    }
    for guide in guide::GUIDES.iter().flat_map(|group| group.guides) {
        let path = format!("/docs/guides/{}", guide.slug);
        pages.push(page_at(info, path, |info, path| guide.page(info, path)));
    }
    pages.extend(plain_text::pages(info));
    pages.extend(reference::pages(info));
    let (path, search) = search::Search::new(info, index);
    pages.push((path, Content::Queried(Box::new(search))));
    pages
}

/// A page of a server, which its first request renders, with its path.
fn page_at(
    info: &SiteInfo,
    path: String,
    render: impl Fn(&SiteInfo, &str) -> Result<Page, PageError> + Send + Sync + 'static,
) -> (String, Content) {
    let (info, own) = (info.clone(), path.clone());
    (path, Content::page(move || render(&info, &own)))
}

#[cfg(test)]
mod tests;
