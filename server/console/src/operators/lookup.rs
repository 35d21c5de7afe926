//! Finding projects and accounts: use cases for operators.

use jiff::Timestamp;

use super::{AccountDetails, AccountSummary, OperatorError, Overview, ProjectSummary, sql};
use db::Db;
use features::domain::ids::AccountId;
use features::mail::{self, OutboxState};
use features::projects::{Actor, ProjectId};
use features::usage::{Minute, sql as usage};
use features::webhooks::{self, Backlog};

/// The most projects, and the most accounts, that are found.
const MAX_FOUND: usize = 50;

/// The projects and accounts that match a text of an operator.
#[derive(Debug)]
pub struct SearchResult {
    /// The projects, by name.
    pub projects: Vec<ProjectSummary>,
    /// The accounts, by address.
    pub accounts: Vec<AccountSummary>,
    /// Whether there are more of either.
    pub is_cut: bool,
}

/// Finds projects by id, name, owner's address, and by the id, label or first characters of a key; accounts
/// by id and address. Upper and lower case are the same.
///
/// # Errors
/// When the actor is no operator, or the database fails.
pub async fn find(store: &Db, actor: Actor, text: &str) -> Result<SearchResult, OperatorError> {
    let text = text.trim().to_owned();
    let find = store.read(move |tx| {
        let projects = sql::find_projects(tx, actor, &text, MAX_FOUND + 1)?;
        let accounts = sql::find_accounts(tx, actor, &text, MAX_FOUND + 1)?;
        Ok::<_, OperatorError>((projects, accounts))
    });
    let (projects, accounts) = find.await?;
    let mut found = SearchResult {
        is_cut: projects.len() > MAX_FOUND || accounts.len() > MAX_FOUND,
        projects,
        accounts,
    };
    found.projects.truncate(MAX_FOUND);
    found.accounts.truncate(MAX_FOUND);
    Ok(found)
}

/// The most projects and webhooks of an overview.
const MAX_LISTED: usize = 5;

/// The state of the service at `now`.
///
/// # Errors
/// When the actor is no operator, or the database fails.
pub async fn overview(store: &Db, actor: Actor, now: Timestamp) -> Result<Overview, OperatorError> {
    let read = store.read(move |tx| {
        let (projects, failing) = sql::latest(tx, actor, MAX_LISTED)?;
        Ok::<_, OperatorError>(Overview {
            traffic: usage::requests_of_last_day(tx, Minute::of(now))?,
            projects,
            failing,
            emails: OutboxState::default(),
            deliveries: Backlog::default(),
        })
    });
    let overview = read.await?;
    Ok(Overview {
        emails: mail::store::outbox(store).await?,
        deliveries: webhooks::queue::webhook_backlog(store, now).await?,
        ..overview
    })
}

/// A project with its owners.
///
/// # Errors
/// When the actor is no operator, there is no such project, or the database fails.
pub async fn project(
    store: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<ProjectSummary, OperatorError> {
    store.read(move |tx| sql::summary(tx, actor, project)).await
}

/// An account with its parts.
///
/// # Errors
/// When the actor is no operator, there is no such account, or the database fails.
pub async fn account(
    store: &Db,
    actor: Actor,
    account: AccountId,
) -> Result<AccountDetails, OperatorError> {
    store.read(move |tx| sql::details(tx, actor, account)).await
}
