//! The database operations of signing in by a provider.

use db::{Db, DbError};
use jiff::Timestamp;

use super::{
    IdentityRecord, IdentitySignIn, NewAuthorization, NewIdentity, OidcError, PendingAuthorization,
};
use crate::accounts::SecretDigest;
use crate::oidc::sql;
use features::domain::ids::{AccountId, IdentityId};
use features::mail::NewMail;

/// Notes that a browser is sent to the provider, unless too many are there. Those of more than a day
/// ago are deleted.
pub async fn begin_authorization(
    db: &Db,
    authorization: NewAuthorization,
) -> Result<(), OidcError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| sql::begin(tx, &authorization))
        .await
}

/// Uses up the purpose that a browser was sent for, if it is awaited: of concurrent callers one gets it.
pub async fn take_authorization(
    db: &Db,
    browser: SecretDigest,
    now: Timestamp,
) -> Result<Option<PendingAuthorization>, DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| sql::take(tx, browser, now))
        .await
}

/// An account's identities, oldest first.
pub async fn identities_of(db: &Db, account: AccountId) -> Result<Vec<IdentityRecord>, DbError> {
    db.read(move |tx| sql::of_account(tx, account)).await
}

/// Begins a session of the account of an identity. The first sign-in of an identity makes an account
/// of its address, with its mail, unless an account has the address or too many were made. All or
/// nothing.
pub async fn sign_in_by_identity(db: &Db, sign_in: IdentitySignIn) -> Result<AccountId, OidcError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| sql::sign_in(tx, &sign_in))
        .await
}

/// Links an identity with an account, and puts its mail into the outbox. Both or neither.
pub async fn link_identity(
    db: &Db,
    account: AccountId,
    identity: NewIdentity,
    mail: NewMail,
) -> Result<(), OidcError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| {
        sql::link(tx, account, &identity, &mail)
    })
    .await
}

/// Unlinks an identity of an account, ends the sessions that it signed in, and puts a mail into the
/// outbox. All or nothing.
pub async fn unlink_identity(
    db: &Db,
    account: AccountId,
    id: IdentityId,
    mail: NewMail,
) -> Result<(), OidcError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| {
        sql::unlink(tx, account, id, &mail)
    })
    .await
}
