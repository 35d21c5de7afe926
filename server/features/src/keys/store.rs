//! The database operations of keys.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::lifecycle::KeyChangeError;
use super::{KeyDigest, KeyId, KeyOfProject, KeyRecord, NewKey, sql};
use crate::database::{Update, writers};
use crate::domain::email::Email;
use crate::domain::ids::AccountId;
use crate::mail::NewMail;
use crate::projects::{Actor, ProjectId};

/// The keys of projects that have changed since a copy had the version `since`, or all keys, with the version now.
pub async fn update(
    db: &Db,
    since: Option<u64>,
) -> Result<(u64, Update<ProjectId, KeyRecord>), DbError> {
    db.snapshot(Timeouts::Bulk, move |tx| sql::update(tx, since))
        .await
}

/// A project's keys, oldest first.
pub async fn keys_of(db: &Db, project: ProjectId) -> Result<Vec<KeyRecord>, DbError> {
    db.read(move |tx| sql::of_project(tx, project)).await
}

/// Whether a key with this digest was ever added, expired and revoked ones included.
pub async fn knows_key(db: &Db, digest: KeyDigest) -> Result<bool, DbError> {
    db.read(move |tx| sql::exists(tx, digest)).await
}

pub async fn key(db: &Db, id: KeyId) -> Result<Option<KeyRecord>, DbError> {
    db.read(move |tx| sql::find(tx, id)).await
}

/// The key with this digest, expired and revoked ones included.
pub async fn key_with(db: &Db, digest: KeyDigest) -> Result<Option<KeyRecord>, DbError> {
    let found = db.read(move |tx| sql::with(tx, vec![digest])).await?;
    Ok(found.into_iter().next())
}

/// The accounts that have issued keys of a project, with their addresses.
pub async fn issuers(db: &Db, project: ProjectId) -> Result<Vec<(AccountId, Email)>, DbError> {
    db.read(move |tx| sql::issuers(tx, project)).await
}

/// Revokes a key that leaked, and puts the mails into the outbox. False, and no mail, if it was
/// revoked before. Both or neither.
pub async fn revoke_leaked_key(
    db: &Db,
    key: KeyId,
    mails: Vec<NewMail>,
    now: Timestamp,
) -> Result<bool, DbError> {
    let limits = Timeouts::Request;
    db.write(writers::DASHBOARD, limits, move |tx| {
        sql::revoke_leaked(tx, key, &mails, now)
    })
    .await
}

/// Adds a key to a project.
pub async fn add_key(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    key: NewKey,
) -> Result<(), KeyChangeError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::add(tx, actor, project, &key)
    })
    .await
}

/// Adds a key to the project of `old`, and lets `old` expire at `expires_at` unless it does so
/// earlier; the owners, one of whom has chosen it, are not told of that. Both or neither. Returns when
/// `old` expires.
pub async fn rotate_key(
    db: &Db,
    old: KeyOfProject,
    new: NewKey,
    expires_at: Timestamp,
) -> Result<Timestamp, KeyChangeError> {
    db.write(old.actor.writer(), Timeouts::Request, move |tx| {
        sql::rotate(tx, old, &new, expires_at)
    })
    .await
}
