//! The database operations of keys.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{KeyDigest, KeyId, KeyOfProject, KeyRecord, KeyRefusal, NewKey};
use crate::database::StoreError;
use crate::projects::{Actor, ProjectId};

/// The database operations of keys. See [`Database`](crate::database::Database).
#[async_trait]
pub trait KeyStore {
    /// Every key of every project: a server keeps them in memory.
    async fn all_keys(&self) -> Result<Vec<KeyRecord>, StoreError>;

    /// A project's keys, oldest first.
    async fn keys_of(&self, project: ProjectId) -> Result<Vec<KeyRecord>, StoreError>;

    /// Whether a key with this digest was ever added, expired and revoked ones included.
    async fn knows_key(&self, digest: KeyDigest) -> Result<bool, StoreError>;

    /// A key by its id.
    async fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, StoreError>;

    /// Adds a key to a project.
    async fn add_key(
        &self,
        actor: Actor,
        project: ProjectId,
        key: NewKey,
    ) -> Result<Result<(), KeyRefusal>, StoreError>;

    /// Adds a key to the project of `old`, and lets `old` expire at `expires_at` unless it does so
    /// earlier. Both or neither.
    async fn rotate_key(
        &self,
        old: KeyOfProject,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError>;

    /// Revokes a key from `now` on.
    async fn revoke_key(
        &self,
        key: KeyOfProject,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError>;
}
