//! The documentation that the server carries with it: an overview at `/docs/`, the guides below
//! `/docs/guides/`, and the reference at `/docs/reference`.

mod guide;
mod markdown;
mod overview;
mod reference;

use crate::site::{Content, Facts, PageError};

/// The pages of the documentation of a server that `facts` are about, by their paths.
///
/// # Errors
/// When a page cannot be rendered, which the tests rule out.
pub(crate) fn pages(facts: &Facts) -> Result<Vec<(String, Content)>, PageError> {
    let mut pages = vec![
        ("/docs".to_owned(), Content::Moved("docs/")),
        ("/docs/".to_owned(), overview::page(facts, "/docs/")?.into()),
        (
            "/docs/reference".to_owned(),
            reference::page(facts, "/docs/reference")?.into(),
        ),
        ("/docs/guides".to_owned(), Content::Moved("./")),
        ("/docs/guides/".to_owned(), Content::Moved("../")),
    ];
    for guide in guide::GUIDES.iter().flat_map(|group| group.guides) {
        let path = format!("/docs/guides/{}", guide.slug);
        let page = guide.page(facts, &path)?;
        pages.push((path, page.into()));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests;
