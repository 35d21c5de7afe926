//! Finding projects and accounts.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;

use super::OperatorSession;
use crate::claims::decision;
use crate::dashboard::context::Context;
use crate::dashboard::extract::QueryParameters;
use crate::dashboard::page::{PageResult, page};
use crate::dashboard::sidebar::Sidebar;
use crate::operators::{self, SearchResult};
use crate::site::Shell;
use crate::tier_requests;

#[derive(Template)]
#[template(path = "dashboard/operator/home.html")]
struct HomePage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    /// How many requests wait.
    waiting: usize,
    text: &'a str,
    found: Option<SearchResult>,
    /// Whether nothing was looked for.
    is_blank: bool,
    is_demo: bool,
}

#[derive(Deserialize)]
pub(in crate::dashboard) struct Search {
    q: Option<String>,
}

/// `GET /dashboard/operator`
pub(in crate::dashboard) async fn show(
    State(context): State<Context>,
    session: OperatorSession,
    QueryParameters(search): QueryParameters<Search>,
) -> PageResult {
    let (store, actor) = (context.store(), session.actor());
    let text = search.q.as_deref().unwrap_or_default().trim();
    let found = match text {
        "" => None,
        text => Some(operators::find(store, actor, text).await?),
    };
    page(&HomePage {
        shell: session.shell(&context),
        side: session.side(),
        waiting: tier_requests::open(store, actor).await?.len()
            + decision::waiting(store, actor).await?.len(),
        is_blank: search.q.is_some() && text.is_empty(),
        text,
        found,
        is_demo: session.is_demo(),
    })
}
