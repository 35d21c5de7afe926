//! The database operations of personal data.

use db::{Db, DbError, Timeouts, Writer};
use jiff::Timestamp;

use super::erasure::{self, ErasureError};
use crate::accounts::{AccountRules, sql as accounts};
use crate::members::sql as members;
use crate::oidc::sql as oidc;
use crate::passkeys::sql as passkeys;
use features::domain::ids::AccountId;

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

/// Erases an account: see [`super::erasure::erase`].
pub async fn erase_account(
    db: &Db,
    account: AccountId,
    now: Timestamp,
) -> Result<(), ErasureError> {
    let (writer, limits) = accounts::DASHBOARD;
    db.write(writer, limits, move |tx| {
        erasure::sql::erase(tx, account, now)
    })
    .await
}
