//! Search over everything: the account's projects, keys, configs and webhooks, charities, pages and documentation.

use askama::Template;
use serde::Deserialize;

use super::extract::QueryParameters;
use super::page::PageResult;
use super::projects;
use super::session::Session;
use super::sidebar::project_pages;
use crate::docs::MAX_QUERY;
use crate::public_pages::country;
use db::DbError;
use features::charities::{CharityFilter, search_words};
use features::projects::store;
use features::search::{FoundItem, ItemKind, search_projects};

/// The most results of each kind.
const MAX_OF_KIND: usize = 10;

/// The fewest characters of a query that names a page of a project.
const MIN_PAGE_QUERY: usize = 3;

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
        results.extend(pages(&session, &query).await?);
        results.extend(charities(&session, &query, &frame.shell.root));
        let docs = session.context.docs.find(&query, MAX_DOCS);
        // Similar words are a guess, which results for the words themselves make unnecessary.
        let guesses = docs.is_corrected && !results.is_empty();
        let docs = docs.results.into_iter().filter(|_| !guesses);
        results.extend(docs.map(|found| {
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

/// The pages of the account's projects that a query names.
async fn pages(session: &Session, query: &str) -> Result<Vec<SearchResult>, DbError> {
    if query.chars().count() < MIN_PAGE_QUERY {
        return Ok(Vec::new());
    }
    let own = store::projects_of(session.store(), session.account()).await?;
    let pages = own.into_iter().flat_map(|own| {
        let found = project_pages(query, &projects::path(own.project.id));
        found.into_iter().map(move |(text, path)| SearchResult {
            kind: "Page",
            title: text.to_owned(),
            path,
            detail: own.project.name.clone(),
        })
    });
    Ok(pages.take(MAX_OF_KIND).collect())
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
        detail: country::name(&charity.country).to_owned(),
    };
    charities.into_iter().map(result).collect()
}

impl From<FoundItem> for SearchResult {
    fn from(item: FoundItem) -> Self {
        let root = format!("/dashboard/projects/{}", item.project.0);
        let (kind, path) = match item.kind {
            ItemKind::Project => ("Project", root),
            ItemKind::Key(_) => ("Key", format!("{root}/keys")),
            ItemKind::Config(id) => ("Config", format!("{root}/configs/{id}")),
            ItemKind::Webhook(id) => ("Webhook", format!("{root}/webhooks/{}", id.0)),
        };
        let shown = match item.kind {
            ItemKind::Key(_) => format!("{}…", item.detail),
            _ => item.detail,
        };
        let (title, detail) = match (item.kind, item.name) {
            (ItemKind::Project, _) => (item.project_name, String::new()),
            (_, Some(name)) => (name, format!("{} · {shown}", item.project_name)),
            (_, None) => (shown, item.project_name),
        };
        Self {
            kind,
            title,
            path,
            detail,
        }
    }
}
