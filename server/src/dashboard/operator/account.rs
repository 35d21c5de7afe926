//! An account as an operator sees it.

use askama::Template;
use axum::extract::State;

use super::OperatorSession;
use crate::accounts::history;
use crate::dashboard::context::Context;
use crate::dashboard::extract::AccountPath;
use crate::dashboard::page::{PageResult, page};
use crate::dashboard::sidebar::Sidebar;
use crate::dashboard::time::Time;
use crate::dashboard::view::HistoryView;
use crate::operators::{self, AccountDetails};
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/operator/account.html")]
struct AccountPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    details: AccountDetails,
    created: Time,
    history: Vec<HistoryView>,
}

/// `GET /dashboard/operator/accounts/{account}`
pub(in crate::dashboard) async fn show(
    State(context): State<Context>,
    session: OperatorSession,
    AccountPath(id): AccountPath,
) -> PageResult {
    let (store, now) = (context.store(), context.now());
    let details = operators::account(store, session.actor(), id).await?;
    let events = history::of_account(store, id).await?;
    page(&AccountPage {
        shell: session.shell(&context),
        side: session.side(),
        created: Time {
            at: details.account.created_at,
            now,
        },
        details,
        history: events
            .iter()
            .map(|event| HistoryView::of(event, now))
            .collect(),
    })
}
