//! Issuing, listing, rotating, disabling and revoking keys: use cases for the command line and the dashboard.

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use super::{
    InvalidLabel, Key, KeyId, KeyLabels, KeyOfProject, KeyRecord, KeyRejection, KeySwitch, NewKey,
    change, sql, store as keys,
};
use crate::projects::{self, Actor, ProjectId};
use crate::suspensions::OwnsSuspended;
use db::{Db, DbError, Timeouts};
use edge::clock::after;

/// A key to be made.
#[derive(Debug, Clone)]
pub struct KeyRequest {
    /// Its id. A page names it in its form, so that a form that is sent twice issues one key.
    pub id: KeyId,
    /// A successor inherits absent labels from its predecessor.
    pub labels: KeyLabels,
    /// The time after which it expires; `None` for never.
    pub expires_in: Option<Duration>,
    /// The most keys that its project may have; `None` for as many as an operator issues.
    pub quota: Option<u32>,
}

/// The reason why keys could not be listed or changed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyChangeError {
    #[error(transparent)]
    Rejected(#[from] KeyRejection),
    #[error(transparent)]
    Label(#[from] InvalidLabel),
    /// The operating system gives no random bytes for a key.
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<OwnsSuspended> for KeyChangeError {
    fn from(rejection: OwnsSuspended) -> Self {
        Self::Rejected(rejection.into())
    }
}

impl KeyRequest {
    /// A key without a label that expires after a time, if ever.
    pub fn lasting(expires_in: Option<Duration>) -> Self {
        Self {
            id: KeyId(Uuid::now_v7()),
            labels: KeyLabels::default(),
            expires_in,
            quota: None,
        }
    }
}

/// A new key. Its text is stored nowhere else.
#[derive(Debug)]
pub struct IssuedKey {
    pub id: KeyId,
    pub key: Key,
}

#[derive(Debug)]
pub struct RotatedKey {
    pub successor: IssuedKey,
    pub ends: Timestamp,
}

/// Issues a key to a project.
///
/// # Errors
/// When the actor manages no such project, or the key cannot be made or stored.
pub async fn issue(
    store: &Db,
    actor: Actor,
    project: ProjectId,
    request: KeyRequest,
    now: Timestamp,
) -> Result<IssuedKey, KeyChangeError> {
    let (issued, record) = generate(request, now)?;
    keys::add_key(store, actor, project, record).await?;
    Ok(issued)
}

/// A project's keys, oldest first.
///
/// # Errors
/// When the actor manages no such project, or the database fails.
pub async fn list(
    store: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Vec<KeyRecord>, KeyChangeError> {
    let managed = projects::store::project(store, actor, project).await?;
    change::addition(project, managed.as_ref(), None)?;
    Ok(keys::keys_of(store, project).await?)
}

/// Issues a successor to a key. The old key stays valid for `overlap`, unless it expires before.
///
/// # Errors
/// When the project has no such key, the key is expired, revoked or rotated already, or the database fails.
pub async fn rotate(
    store: &Db,
    old: KeyOfProject,
    overlap: Duration,
    successor: KeyRequest,
    now: Timestamp,
) -> Result<RotatedKey, KeyChangeError> {
    let (successor, record) = generate(successor, now)?;
    let ends = keys::rotate_key(store, old, record, after(now, overlap)).await?;
    Ok(RotatedKey { successor, ends })
}

/// Revokes a key at once.
///
/// # Errors
/// When the project has no such key or it is revoked already, or the database fails.
pub async fn revoke(store: &Db, key: KeyOfProject, now: Timestamp) -> Result<(), KeyChangeError> {
    let (writer, limits) = (key.actor.writer(), Timeouts::Request);
    let revoke = store.write(writer, limits, move |tx| sql::revoke(tx, key, now));
    revoke.await
}

/// Gives a key that is not revoked another label.
///
/// # Errors
/// When the label is unfit, the project has no such key, the key is revoked, or the database fails.
pub async fn rename(
    store: &Db,
    key: KeyOfProject,
    label: &str,
    now: Timestamp,
) -> Result<(), KeyChangeError> {
    let label = KeyLabels::with_label(label).checked()?.label;
    let (writer, limits) = (key.actor.writer(), Timeouts::Request);
    let rename = store.write(writer, limits, move |tx| {
        sql::rename(tx, key, label.as_deref(), now)
    });
    rename.await
}

/// Disables a key, or enables it again. One that is so already stays so.
///
/// # Errors
/// When the project has no such key, the key is expired or revoked, or the database fails.
pub async fn switch(
    store: &Db,
    key: KeyOfProject,
    to: KeySwitch,
    now: Timestamp,
) -> Result<(), KeyChangeError> {
    let (writer, limits) = (key.actor.writer(), Timeouts::Request);
    let switch = store.write(writer, limits, move |tx| sql::switch(tx, key, to, now));
    switch.await
}

/// A key as an operator names it, by its id alone.
///
/// # Errors
/// When there is no such key, or the database fails.
pub async fn for_operator(store: &Db, key: KeyId) -> Result<KeyOfProject, KeyChangeError> {
    let found = keys::key(store, key).await?;
    let found = found.ok_or(KeyRejection::UnknownKey(key))?;
    Ok(KeyOfProject {
        actor: Actor::Operator,
        project: found.project,
        key,
    })
}

/// A key as an operator names it who has only the key itself; `None` if no project has it.
///
/// # Errors
/// When the database fails.
pub async fn find_for_operator(store: &Db, key: &Key) -> Result<Option<KeyOfProject>, DbError> {
    let found = keys::key_with(store, key.digest()).await?;
    Ok(found.map(|found| KeyOfProject {
        actor: Actor::Operator,
        project: found.project,
        key: found.id,
    }))
}

/// A new key, and its record, which is not stored yet.
///
/// # Errors
/// When the label is unfit, or the operating system gives no random bytes.
pub fn generate(
    request: KeyRequest,
    now: Timestamp,
) -> Result<(IssuedKey, NewKey), KeyChangeError> {
    let KeyRequest {
        id,
        labels,
        expires_in,
        quota,
    } = request;
    let key = Key::generate()?;
    let record = NewKey {
        labels: labels.checked()?,
        expires_at: expires_in.map(|time| after(now, time)),
        quota,
        ..NewKey::issued(id, key.digest(), key.display_prefix(), now)
    };
    Ok((IssuedKey { id, key }, record))
}
