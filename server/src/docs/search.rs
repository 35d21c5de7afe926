//! Search over the documentation: sections of guides, operations, schemas and error codes.
//!
//! The index is made once, when the server starts. A query is answered with a page, so that search needs no
//! script; a script shows the same answers while somebody types.

mod index;

use askama::Template;
use axum::extract::Query;
use http::Uri;
use serde::Deserialize;

use self::index::{Found, Index};
use super::sidebar::Sidebar;
use crate::site::{Facts, Page, PageError, Queried, Shell, policy};

const PATH: &str = "/docs/search";

/// Longer queries are cut: no title has as many words.
const MAX_QUERY: usize = 100;

/// The most results of a page.
const MAX_RESULTS: usize = 30;

/// The search of one server.
#[derive(Debug)]
pub(super) struct Search {
    facts: Facts,
    index: Index,
}

#[derive(Template)]
#[template(path = "docs/search.html")]
struct SearchPage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    query: &'a str,
    found: Vec<Found<'a>>,
}

impl Search {
    /// The search of the server that `facts` are about, with its path.
    pub(super) fn new(facts: &Facts) -> (String, Search) {
        let search = Search {
            facts: facts.clone(),
            index: Index::of_docs(facts),
        };
        (PATH.to_owned(), search)
    }
}

impl Queried for Search {
    fn page(&self, address: &Uri) -> Result<Page, PageError> {
        let asked = asked(address);
        let page = SearchPage {
            shell: Shell::new(&self.facts, PATH),
            sidebar: Sidebar::of("search").with_query(&asked),
            query: &asked,
            found: self.index.find(&asked, MAX_RESULTS),
        };
        Ok(Page::html(policy::DOCS, page.render()?))
    }
}

/// The query of a search.
#[derive(Deserialize)]
struct Asked {
    q: String,
}

/// The words that an address asks for.
fn asked(address: &Uri) -> String {
    let Ok(Query(Asked { q })) = Query::try_from_uri(address) else {
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
        let asked = |query: &str| {
            let address: Uri = format!("{PATH}?{query}").parse().unwrap();
            super::asked(&address)
        };
        assert_eq!(asked("a=b&q=rate+limit%21"), "rate limit!");
        assert_eq!(asked("q=%20"), "");
        assert_eq!(asked(""), "");
        assert_eq!(
            asked(&format!("q={}", "%C3%A9".repeat(500)))
                .chars()
                .count(),
            100
        );
    }
}
