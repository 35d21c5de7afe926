//! The personal data of an account, in PostgreSQL.

use deadpool_postgres::Transaction;
use tokio_postgres::Row;

use super::{AccountRecords, MAX_EVENTS, SignInRecord};
use crate::accounts::{AccountId, Email};
use crate::audit::postgres as audit;
use crate::database::postgres::{Failure, column, query};
use crate::keys::postgres as keys;
use crate::members::postgres as members;
use crate::tier_requests::postgres as tier_requests;

/// The personal data of an account beside the account itself, its sessions and its projects.
pub(crate) async fn records(
    tx: &Transaction<'_>,
    account: AccountId,
) -> Result<AccountRecords, Failure> {
    let sql = "SELECT email FROM account WHERE id = $1";
    let read = |row: &Row| Ok(row.try_get::<_, Email>("email")?);
    let email = query::first(tx, sql, &[&account], read).await?;
    let address = email.map(|email| email.key()).unwrap_or_default();
    let sql = "SELECT created_at, used_at, network FROM sign_in WHERE email_key = $1
               UNION ALL
               SELECT created_at, used_at, network FROM oidc_authorization WHERE account = $2
               ORDER BY created_at DESC";
    let sign_in = |row: &Row| {
        Ok(SignInRecord {
            created_at: column::time(row, "created_at")?,
            used_at: column::time_if_any(row, "used_at")?,
            network: row.try_get("network")?,
        })
    };
    let sign_ins = query::all(tx, sql, &[&address, &account], sign_in).await?;
    let sql = "SELECT subject, created_at FROM outbox WHERE lower(recipient) = $1
               ORDER BY created_at DESC";
    let mail = |row: &Row| Ok((row.try_get("subject")?, column::time(row, "created_at")?));
    Ok(AccountRecords {
        sign_ins,
        mails: query::all(tx, sql, &[&address], mail).await?,
        invitations: members::invitations_of(tx, account, &address).await?,
        keys: keys::made_by(tx, account).await?,
        events: audit::of_account(tx, account, &address, MAX_EVENTS + 1).await?,
        tier_requests: tier_requests::of_account(tx, account).await?,
    })
}
