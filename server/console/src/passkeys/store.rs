//! The database operations of passkeys.

use db::{Db, DbError};
use jiff::Timestamp;

use super::{
    CeremonyId, CredentialChange, NewCeremony, NewPasskey, PasskeyError, PasskeyOwner,
    PasskeyRecord,
};
use crate::accounts::NewSession;
use crate::passkeys::sql;
use features::domain::ids::{AccountId, PasskeyId};
use features::mail::NewMail;

/// Stores a ceremony, unless too many are waiting. Those that are over are deleted in any case.
pub async fn begin_ceremony(db: &Db, ceremony: NewCeremony) -> Result<(), PasskeyError> {
    let (writer, limits) = sql::DASHBOARD;
    let begun = db.write(writer, limits, move |tx| sql::begin(tx, &ceremony));
    Ok(begun.await??)
}

/// Deletes a ceremony and gives its state, if it is not over: of concurrent callers one gets it.
/// `account` is the account that a passkey is made for.
pub async fn take_ceremony(
    db: &Db,
    id: CeremonyId,
    account: Option<AccountId>,
    now: Timestamp,
) -> Result<Option<String>, DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| sql::take(tx, id, account, now))
        .await
}

/// An account's passkeys, oldest first.
pub async fn passkeys_of(db: &Db, account: AccountId) -> Result<Vec<PasskeyRecord>, DbError> {
    db.read(move |tx| sql::of_account(tx, account)).await
}

pub async fn passkey(db: &Db, credential_id: Vec<u8>) -> Result<Option<PasskeyRecord>, DbError> {
    db.read(move |tx| sql::of_credential(tx, credential_id))
        .await
}

/// Adds a passkey to an account, and its mail to the outbox. Both or neither.
pub async fn add_passkey(
    db: &Db,
    owner: PasskeyOwner,
    passkey: NewPasskey,
    mail: NewMail,
) -> Result<(), PasskeyError> {
    let (writer, limits) = sql::DASHBOARD;
    let added = db.write(writer, limits, move |tx| {
        sql::add(tx, owner, &passkey, &mail)
    });
    Ok(added.await??)
}

/// Removes a passkey of an account, ends the sessions that it signed in, and puts a mail into the
/// outbox. All or nothing.
pub async fn remove_passkey(
    db: &Db,
    owner: PasskeyOwner,
    id: PasskeyId,
    mail: NewMail,
) -> Result<(), PasskeyError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| sql::remove(tx, owner, id, &mail))
        .await
}

/// Notes the use of a passkey and begins a session of its account, unless the passkey was used or
/// removed since it was verified.
pub async fn sign_in_by_passkey(
    db: &Db,
    change: CredentialChange,
    session: NewSession,
) -> Result<AccountId, PasskeyError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| {
        sql::sign_in(tx, &change, &session)
    })
    .await
}
