//! Finding projects and accounts: use cases for operators.

use super::{AccountDetails, AccountSummary, OperatorError, ProjectSummary, sql};
use db::Db;
use features::domain::ids::AccountId;
use features::projects::{Actor, ProjectId};

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
