//! The personal data of an account, in SQLite.

use rusqlite::Connection;

use super::{AccountRecords, MAX_EVENTS, SignInRecord};
use crate::accounts::{AccountId, Email};
use crate::audit::sqlite as audit;
use crate::database::StoreError;
use crate::database::sqlite::{column, query};
use crate::keys::sqlite as keys;
use crate::members::sqlite as members;
use crate::tier_requests::sqlite as tier_requests;

/// The personal data of an account beside the account itself, its sessions and its projects.
pub(crate) fn records(db: &Connection, account: AccountId) -> Result<AccountRecords, StoreError> {
    let sql = "SELECT email FROM account WHERE id = ?1";
    let email: Option<Email> = query::first(db, sql, [account], |row| row.get("email"))?;
    let address = email.map(|email| email.key()).unwrap_or_default();
    let sql = "SELECT created_at, used_at, network FROM sign_in WHERE email_key = ?1
               UNION ALL
               SELECT created_at, used_at, network FROM oidc_authorization WHERE account = ?2
               ORDER BY created_at DESC";
    let sign_ins = query::all(db, sql, (&address, account), |row| {
        Ok(SignInRecord {
            created_at: column::time(row, "created_at")?,
            used_at: column::time_if_any(row, "used_at")?,
            network: row.get("network")?,
        })
    })?;
    let sql = "SELECT subject, created_at FROM outbox WHERE lower(recipient) = ?1
               ORDER BY created_at DESC";
    let mails = query::all(db, sql, [&address], |row| {
        Ok((row.get("subject")?, column::time(row, "created_at")?))
    })?;
    Ok(AccountRecords {
        sign_ins,
        invitations: members::invitations_of(db, account, &address)?,
        keys: keys::made_by(db, account)?,
        events: audit::of_account(db, account, &address, MAX_EVENTS + 1)?,
        mails,
        tier_requests: tier_requests::of_account(db, account)?,
    })
}
