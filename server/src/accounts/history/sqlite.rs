//! The history of accounts, in SQLite.

use jiff::Timestamp;
use rusqlite::{Connection, Row};

use crate::accounts::{AccountAction, AccountEvent, AccountId};
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;

/// Adds an event to an account's history.
pub(crate) fn record(
    db: &Connection,
    account: AccountId,
    action: &AccountAction,
    at: Timestamp,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO account_event (account, action, subject, at) VALUES (?1, ?2, ?3, ?4)";
    let params = (account, action.name(), action.subject(), Millis(at));
    query::execute(db, sql, params)?;
    Ok(())
}

/// The latest events of an account, the latest first.
pub(crate) fn events(
    db: &Connection,
    account: AccountId,
    limit: usize,
) -> rusqlite::Result<Vec<AccountEvent>> {
    let sql = "SELECT id, action, subject, at FROM account_event WHERE account = ?1
               ORDER BY id DESC LIMIT ?2";
    query::all(db, sql, (account, limit), read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<AccountEvent> {
    let action: String = row.get("action")?;
    let unknown = || rusqlite::Error::InvalidColumnName("action".to_owned());
    Ok(AccountEvent {
        action: AccountAction::of(&action, row.get("subject")?).ok_or_else(unknown)?,
        at: column::time(row, "at")?,
    })
}
