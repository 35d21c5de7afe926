//! The personal data of an account.

use db::{DbError, Row, Tx, params};

use super::{AccountRecords, MAX_EVENTS, SignInRecord};
use crate::members::sql as members;
use crate::tier_requests::sql as tier_requests;
use features::audit::sql as audit;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::keys::sql as keys;

/// The personal data of an account beside the account itself, its sessions and its projects.
pub(crate) fn records(tx: &Tx<'_>, account: AccountId) -> Result<AccountRecords, DbError> {
    let sql = "SELECT email FROM account WHERE id = $1";
    let read = |row: &Row<'_>| row.get::<Email>("email");
    let email = tx.first(sql, params![account], read)?;
    let address = email.map(|email| email.key()).unwrap_or_default();
    let sql = "SELECT created_at, used_at, network FROM sign_in WHERE email_key = $1
               UNION ALL
               SELECT created_at, used_at, network FROM oidc_authorization WHERE account = $2
               ORDER BY created_at DESC";
    let sign_in = |row: &Row<'_>| {
        Ok(SignInRecord {
            created_at: row.get("created_at")?,
            used_at: row.get("used_at")?,
            network: row.get("network")?,
        })
    };
    let sign_ins = tx.all(sql, params![address, account], sign_in)?;
    let sql = "SELECT used_at FROM known_browser WHERE account = $1 ORDER BY used_at DESC";
    let known_browsers = tx.all(sql, params![account], |row| row.get("used_at"))?;
    let sql = "SELECT subject, created_at FROM outbox WHERE lower(recipient) = $1
               ORDER BY created_at DESC";
    let mail = |row: &Row<'_>| Ok((row.get("subject")?, row.get("created_at")?));
    Ok(AccountRecords {
        sign_ins,
        known_browsers,
        mails: tx.all(sql, params![address], mail)?,
        invitations: members::invitations_of(tx, account, &address)?,
        keys: keys::made_by(tx, account)?,
        events: audit::of_account(tx, account, &address, MAX_EVENTS + 1)?,
        tier_requests: tier_requests::of_account(tx, account)?,
    })
}
