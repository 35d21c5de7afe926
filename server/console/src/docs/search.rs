//! Search: over sections of guides, operations, schemas, error codes and the pages of the dashboard.
//!
//! The first query creates the index. The response to a query is a page, so that search needs no script; a script shows
//! the same results while the user types.

mod entry;
mod index;
mod words;

use std::sync::{Arc, OnceLock};

use askama::Template;
use axum::extract::Query;
use http::Uri;
use serde::Deserialize;

pub(crate) use self::index::Found;
use self::index::Index;
use super::sidebar::Sidebar;
use crate::site::{HTML, Page, PageError, Queried, Shell, SiteInfo, policy};

const PATH: &str = "/docs/search";

/// The most characters of a query; longer ones are cut.
pub(crate) const MAX_QUERY: usize = 100;

/// The most results of a page.
const MAX_RESULTS: usize = 30;

/// The index of a server's documentation, which the first query creates.
#[derive(Debug)]
pub(crate) struct DocsIndex {
    info: SiteInfo,
    index: OnceLock<Index>,
}

impl DocsIndex {
    pub(crate) fn new(info: &SiteInfo) -> Self {
        Self {
            info: info.clone(),
            index: OnceLock::new(),
        }
    }

    /// The entries that have all words of a query, or else those that have the most of them.
    pub(crate) fn find(&self, query: &str, most: usize) -> Found<'_> {
        let index = self.index.get_or_init(|| Index::of_docs(&self.info));
        index.find(query, most)
    }
}

/// The page of results.
#[derive(Debug)]
pub(super) struct Search {
    info: SiteInfo,
    index: Arc<DocsIndex>,
}

#[derive(Template)]
#[template(path = "docs/search.html")]
struct SearchPage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    query: &'a str,
    found: Found<'a>,
}

impl Search {
    /// The search of a server, with its path.
    pub(super) fn new(info: &SiteInfo, index: Arc<DocsIndex>) -> (String, Search) {
        let info = info.clone();
        let search = Search { info, index };
        (PATH.to_owned(), search)
    }
}

impl Queried for Search {
    fn page(&self, address: &Uri) -> Result<Page, PageError> {
        let query = query_of(address);
        let page = SearchPage {
            shell: Shell::new(&self.info, PATH),
            sidebar: Sidebar::of("search").with_query(&query),
            query: &query,
            found: self.index.find(&query, MAX_RESULTS),
        };
        let html = page.render()?.into();
        Ok(Page::uncompressed(HTML, policy::DOCS, html))
    }
}

#[derive(Deserialize)]
struct SearchQuery {
    q: String,
}

/// The query of an address, trimmed and cut.
fn query_of(address: &Uri) -> String {
    let Ok(Query(SearchQuery { q })) = Query::try_from_uri(address) else {
        return String::new();
    };
    let words: String = q.chars().take(MAX_QUERY).collect();
    words.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_decoded_and_bounded() {
        let read = |query: &str| {
            let address: Uri = format!("{PATH}?{query}").parse().unwrap();
            query_of(&address)
        };
        assert_eq!(read("a=b&q=rate+limit%21"), "rate limit!");
        assert_eq!(read("q=%20"), "");
        assert_eq!(read(""), "");
        assert_eq!(
            read(&format!("q={}", "%C3%A9".repeat(500))).chars().count(),
            100
        );
    }
}
