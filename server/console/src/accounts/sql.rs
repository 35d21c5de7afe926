//! Accounts, sign-ins and sessions.

use db::{DbError, Row, Timeouts, Tx, Writer, params};
use jiff::Timestamp;

use super::{Account, AccountRules, KNOWN_BROWSER_LIFE};
use edge::clock::before;
use features::database::writers;
use features::domain::day::DAY;
use features::domain::email::Email;
use features::domain::ids::AccountId;

/// The author and the limits of every write here.
pub(crate) const DASHBOARD: (Writer, Timeouts) = (writers::DASHBOARD, Timeouts::Request);

pub(crate) fn forget(tx: &Tx<'_>, rules: &AccountRules, now: Timestamp) -> Result<(), DbError> {
    let sql = "DELETE FROM sign_in WHERE created_at < $1";
    tx.execute(sql, params![before(now, DAY)])?;
    let sql = "DELETE FROM session WHERE last_seen_at <= $1";
    tx.execute(sql, params![before(now, rules.session_idle)])?;
    let sql = "DELETE FROM session WHERE created_at <= $1";
    tx.execute(sql, params![before(now, rules.session_life)])?;
    let sql = "DELETE FROM known_browser WHERE used_at <= $1";
    tx.execute(sql, params![before(now, KNOWN_BROWSER_LIFE)])?;
    // Emails of another epoch are never sent.
    let sql = "DELETE FROM outbox WHERE send_until <= $1";
    tx.execute(sql, params![before(now, DAY)])?;
    Ok(())
}

/// Whether there is an account that is not erased. It is not before the end of the transaction.
pub(crate) fn exists(tx: &Tx<'_>, account: AccountId) -> Result<bool, DbError> {
    let sql = "SELECT 1 FROM account WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE";
    tx.exists(sql, params![account])
}

/// The account of an address, which is made with the id `new` if there is none.
pub(crate) fn find_or_make(
    tx: &Tx<'_>,
    email: &Email,
    new: AccountId,
    now: Timestamp,
) -> Result<AccountId, DbError> {
    let sql = "INSERT INTO account (id, email, email_key, created_at) VALUES ($1, $2, $3, $4)
               ON CONFLICT (email_key) DO NOTHING";
    tx.execute(sql, params![new, email, email.key(), now])?;
    Ok(find_by_email(tx, email)?.unwrap_or(new))
}

pub(crate) fn find_by_email(tx: &Tx<'_>, email: &Email) -> Result<Option<AccountId>, DbError> {
    let sql = "SELECT id FROM account WHERE email_key = $1";
    tx.first(sql, params![email.key()], |row| row.get("id"))
}

/// Reads the columns `id`, `email` and `created_at` of an account.
pub(crate) fn read_account(row: &Row<'_>) -> Result<Account, DbError> {
    Ok(Account {
        id: row.get("id")?,
        email: row.get("email")?,
        created_at: row.get("created_at")?,
    })
}
