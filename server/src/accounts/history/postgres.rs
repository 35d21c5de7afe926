//! The history of accounts, in PostgreSQL.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;

use crate::accounts::{AccountAction, AccountEvent, AccountId};
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, query};

/// Adds an event to an account's history.
pub(crate) async fn record(
    tx: &Transaction<'_>,
    account: AccountId,
    action: &AccountAction,
    at: Timestamp,
) -> Result<(), Failure> {
    let sql = "INSERT INTO account_event (account, action, subject, at) VALUES ($1, $2, $3, $4)";
    let params: query::Params<'_> = &[&account, &action.name(), &action.subject(), &Millis(at)];
    query::execute(tx, sql, params).await?;
    Ok(())
}

/// The latest events of an account, the latest first.
pub(crate) async fn events(
    db: &impl GenericClient,
    account: AccountId,
    limit: usize,
) -> Result<Vec<AccountEvent>, Failure> {
    let sql = "SELECT id, action, subject, at FROM account_event WHERE account = $1
               ORDER BY id DESC LIMIT $2";
    query::all(db, sql, &[&account, &query::limit(limit)], |row| {
        let action: String = row.try_get("action")?;
        let unknown = || StoreError::Corrupt(format!("the action is {action}"));
        Ok(AccountEvent {
            action: AccountAction::of(&action, row.try_get("subject")?).ok_or_else(unknown)?,
            at: column::time(row, "at")?,
        })
    })
    .await
}
