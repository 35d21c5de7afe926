//! What a database is asked for keys.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{KeyChange, KeyDigest, KeyId, KeyRecord, NewKey};
use crate::database::StoreError;
use crate::projects::ProjectId;

/// What a database is asked for keys. See [`Database`](crate::database::Database).
#[async_trait]
pub trait KeyStore {
    /// Every key of every project: what a server answers callers by.
    async fn all_keys(&self) -> Result<Vec<KeyRecord>, StoreError>;

    /// A project's keys, oldest first.
    async fn keys_of(&self, project: ProjectId) -> Result<Vec<KeyRecord>, StoreError>;

    /// Whether a key with this digest was ever added, in whatever state it is now.
    async fn knows_key(&self, digest: KeyDigest) -> Result<bool, StoreError>;

    /// Adds a key; [`KeyChange::Unknown`] when there is no such project.
    async fn add_key(&self, project: ProjectId, key: NewKey) -> Result<KeyChange, StoreError>;

    /// Adds a key to the project of `old`, and lets `old` expire at `expires_at` unless it does so
    /// earlier. Both or neither.
    async fn rotate_key(
        &self,
        old: KeyId,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<KeyChange, StoreError>;

    /// Revokes a key from `now` on.
    async fn revoke_key(&self, key: KeyId, now: Timestamp) -> Result<KeyChange, StoreError>;
}
