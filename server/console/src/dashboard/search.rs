//! Search over everything: the account's projects, keys, configs and webhooks, charities, pages and documentation.

use askama::Template;
use serde::Deserialize;

use super::extract::QueryParameters;
use super::page::PageResult;
use super::session::Session;
use crate::docs::MAX_QUERY;
use features::charities::{CharityFilter, search_words};
use features::search::{FoundItem, ItemKind, search_projects};

/// The most results of each kind.
const MAX_OF_KIND: usize = 10;

/// The most results of the documentation.
const MAX_DOCS: usize = 20;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SearchQuery {
    q: String,
}

#[derive(Template)]
#[template(path = "dashboard/search.html")]
struct SearchPage<'a> {
    query: &'a str,
    results: Vec<SearchResult>,
}

struct SearchResult {
    kind: &'static str,
    title: String,
    path: String,
    detail: String,
}

/// `GET /dashboard/search`
pub(super) async fn page(
    session: Session,
    QueryParameters(SearchQuery { q }): QueryParameters<SearchQuery>,
) -> PageResult {
    let query: String = q.trim().chars().take(MAX_QUERY).collect();
    let frame = session.frame().style("docs.css").query(&query);
    let mut results = Vec::new();
    if !query.is_empty() {
        let account = session.account();
        let items = search_projects(session.store(), account, &query, MAX_OF_KIND).await?;
        results.extend(items.into_iter().map(SearchResult::from));
        results.extend(charities(&session, &query, &frame.shell.root));
        let docs = session.context.docs.find(&query, MAX_DOCS);
        results.extend(docs.results.into_iter().map(|found| {
            let (before, word, after) = found.excerpt;
            SearchResult {
                kind: found.kind,
                title: found.title.to_owned(),
                path: format!("{}{}", frame.shell.root, found.path),
                detail: format!("{before}{word}{after}"),
            }
        }));
    }
    let page = SearchPage {
        query: &query,
        results,
    };
    frame.page("Search", &page)
}

fn charities(session: &Session, query: &str, root: &str) -> Vec<SearchResult> {
    let filter = CharityFilter {
        words: search_words(query),
        ..CharityFilter::default()
    };
    let snapshot = session.context.setup.api.snapshot();
    let (charities, _) = snapshot.charities.search(&filter, MAX_OF_KIND);
    let result = |charity: &features::charities::Charity| SearchResult {
        kind: "Charity",
        title: charity.name.clone(),
        path: format!("{root}charities/{}", charity.slug),
        detail: charity.country.clone(),
    };
    charities.into_iter().map(result).collect()
}

impl From<FoundItem> for SearchResult {
    fn from(item: FoundItem) -> Self {
        let root = format!("/dashboard/projects/{}", item.project.0);
        let (kind, path) = match item.kind {
            ItemKind::Project => ("Project", root),
            ItemKind::Key(_) => ("Key", root),
            ItemKind::Config(id) => ("Config", format!("{root}/configs/{id}")),
            ItemKind::Webhook(id) => ("Webhook", format!("{root}/webhooks/{}", id.0)),
        };
        let title = match item.kind {
            ItemKind::Project => item.project_name.clone(),
            _ => item.name.unwrap_or_else(|| item.detail.clone()),
        };
        let detail = match item.kind {
            ItemKind::Project => String::new(),
            _ => format!("{} · {}", item.project_name, item.detail),
        };
        Self {
            kind,
            title,
            path,
            detail,
        }
    }
}
