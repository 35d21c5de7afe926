//! Issuing, listing, rotating and revoking keys: use cases for the command line or a dashboard.

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use super::{Key, KeyId, KeyOfProject, KeyRecord, KeyRefusal, NewKey};
use crate::database::{Database, StoreError};
use crate::projects::{Actor, ProjectId};

/// The reason why keys could not be listed or changed.
#[derive(Debug, thiserror::Error)]
pub enum KeyChangeError {
    /// The change is refused.
    #[error(transparent)]
    Refused(#[from] KeyRefusal),
    /// The operating system gives no random bytes for a key.
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A new key. Its text is stored nowhere else.
#[derive(Debug)]
pub struct IssuedKey {
    /// Its public id.
    pub id: KeyId,
    /// The key in plain text.
    pub key: Key,
}

/// Issues a key to a project.
///
/// # Errors
/// When the actor manages no such project, or the key cannot be made or stored.
pub async fn issue(
    store: &dyn Database,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
    expires_in: Option<Duration>,
) -> Result<IssuedKey, KeyChangeError> {
    let (issued, record) = generate(now, expires_in)?;
    store.add_key(actor, project, record).await??;
    Ok(issued)
}

/// A project's keys, oldest first.
///
/// # Errors
/// When the actor manages no such project, or the database fails.
pub async fn list(
    store: &dyn Database,
    actor: Actor,
    project: ProjectId,
) -> Result<Vec<KeyRecord>, KeyChangeError> {
    let known = store.project(project).await?;
    super::change::addition(actor, project, known.as_ref())?;
    Ok(store.keys_of(project).await?)
}

/// Issues a successor to a key. The old key stays valid for `overlap`, unless it expires before.
///
/// # Errors
/// When the project has no such key, the key is expired or revoked, or the database fails.
pub async fn rotate(
    store: &dyn Database,
    old: KeyOfProject,
    now: Timestamp,
    overlap: Duration,
    expires_in: Option<Duration>,
) -> Result<IssuedKey, KeyChangeError> {
    let (issued, record) = generate(now, expires_in)?;
    store.rotate_key(old, record, after(now, overlap)).await??;
    Ok(issued)
}

/// Revokes a key at once.
///
/// # Errors
/// When the project has no such key or it is revoked already, or the database fails.
pub async fn revoke(
    store: &dyn Database,
    key: KeyOfProject,
    now: Timestamp,
) -> Result<(), KeyChangeError> {
    Ok(store.revoke_key(key, now).await??)
}

/// A key as an operator names it, by its id alone.
///
/// # Errors
/// When there is no such key, or the database fails.
pub async fn for_operator(
    store: &dyn Database,
    key: KeyId,
) -> Result<KeyOfProject, KeyChangeError> {
    let found = store.key(key).await?.ok_or(KeyRefusal::UnknownKey(key))?;
    Ok(KeyOfProject {
        actor: Actor::Operator,
        project: found.project,
        key,
    })
}

/// A new key, and its record, which is not stored yet.
///
/// # Errors
/// When the operating system gives no random bytes.
pub fn generate(
    now: Timestamp,
    expires_in: Option<Duration>,
) -> Result<(IssuedKey, NewKey), getrandom::Error> {
    let key = Key::generate()?;
    let id = KeyId(Uuid::now_v7());
    let record = NewKey {
        id,
        digest: key.digest(),
        display_prefix: key.display_prefix().to_owned(),
        created_at: now,
        expires_at: expires_in.map(|time| after(now, time)),
    };
    Ok((IssuedKey { id, key }, record))
}

fn after(now: Timestamp, time: Duration) -> Timestamp {
    now.saturating_add(time).unwrap_or(Timestamp::MAX)
}
