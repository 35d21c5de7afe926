//! The database operations of personal data.

use db::{Db, DbError, Timeouts, Writer};
use jiff::Timestamp;

use super::erasure::SoleProject;
use super::export::AccountRecords;
use super::{erasure, export};
use crate::accounts::{AccountRules, sql as accounts};
use crate::domain::ids::AccountId;
use crate::members::sql as members;
use crate::oidc::sql as oidc;
use crate::passkeys::sql as passkeys;
use crate::suspensions::OwnsSuspended;

/// Deletes data that is kept for a time only and is older: sign-ins, sessions that `rules` have ended,
/// ceremonies of passkeys, browsers that were sent to the provider, and invitations.
pub async fn forget_expired(db: &Db, rules: AccountRules, now: Timestamp) -> Result<(), DbError> {
    let limits = Timeouts::Bulk;
    db.write(Writer::Unlimited, limits, move |tx| {
        accounts::forget(tx, &rules, now)?;
        passkeys::forget_ceremonies(tx, now)?;
        oidc::forget_authorizations(tx, now)?;
        members::forget_invitations(tx, now)
    })
    .await
}

/// The projects that an account alone owns, by name.
pub async fn sole_projects(db: &Db, account: AccountId) -> Result<Vec<SoleProject>, DbError> {
    db.read(move |tx| erasure::sql::sole_projects(tx, account))
        .await
}

/// Erases an account: see [`super::erasure::erase`].
pub async fn erase_account(
    db: &Db,
    account: AccountId,
    now: Timestamp,
) -> Result<Result<(), OwnsSuspended>, DbError> {
    let (writer, limits) = accounts::DASHBOARD;
    db.write(writer, limits, move |tx| {
        erasure::sql::erase(tx, account, now)
    })
    .await
}

/// The personal data of an account beside the account itself, its sessions and its projects.
pub async fn account_records(db: &Db, account: AccountId) -> Result<AccountRecords, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        export::sql::records(tx, account)
    })
    .await
}
