//! The history of accounts.

use db::{DbError, Tx, params};
use jiff::Timestamp;

use crate::accounts::{AccountAction, AccountEvent};
use features::domain::ids::AccountId;

/// Adds an event to an account's history.
pub(crate) fn record(
    tx: &Tx<'_>,
    account: AccountId,
    action: &AccountAction,
    at: Timestamp,
) -> Result<(), DbError> {
    let sql = "INSERT INTO account_event (account, action, subject, at) VALUES ($1, $2, $3, $4)";
    let params = params![account, action.name(), action.subject(), at];
    tx.execute(sql, params)?;
    Ok(())
}

/// The latest events of an account, the latest first.
pub(crate) fn events(
    tx: &Tx<'_>,
    account: AccountId,
    limit: usize,
) -> Result<Vec<AccountEvent>, DbError> {
    let sql = "SELECT id, action, subject, at FROM account_event WHERE account = $1
               ORDER BY id DESC LIMIT $2";
    tx.all(sql, params![account, limit], |row| {
        let action: String = row.get("action")?;
        let unknown = || DbError::Corrupt(format!("the action is {action}"));
        Ok(AccountEvent {
            action: AccountAction::of(&action, row.get("subject")?).ok_or_else(unknown)?,
            at: row.get("at")?,
        })
    })
}
