//! The database operations of keys.

use async_trait::async_trait;
use jiff::Timestamp;

use super::expiry::{ExpiringKey, ExpiryNotice};
use super::{KeyDigest, KeyId, KeyOfProject, KeyRecord, KeyRefusal, KeySwitch, NewKey};
use crate::accounts::{AccountId, Email};
use crate::database::StoreError;
use crate::mail::NewMail;
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

    /// The keys with these digests.
    async fn keys_with(&self, digests: Vec<KeyDigest>) -> Result<Vec<KeyRecord>, StoreError>;

    /// The accounts that have issued keys of a project, with their addresses.
    async fn issuers(&self, project: ProjectId) -> Result<Vec<(AccountId, Email)>, StoreError>;

    /// The keys that end after one time and up to another, are not revoked, and whose owners were told
    /// less than `notice`.
    async fn keys_to_announce(
        &self,
        notice: ExpiryNotice,
        after: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<KeyRecord>, StoreError>;

    /// Notes that the owners of a key are told of its end, and puts the mails into the outbox. False, and
    /// no mail, if they were told before, or the key has changed. Both or neither.
    async fn announce_expiry(
        &self,
        key: ExpiringKey,
        mails: Vec<NewMail>,
    ) -> Result<bool, StoreError>;

    /// Revokes a key that leaked, and puts the mails into the outbox. False, and no mail, if it was
    /// revoked before. Both or neither.
    async fn revoke_leaked_key(
        &self,
        key: KeyId,
        mails: Vec<NewMail>,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Adds a key to a project.
    async fn add_key(
        &self,
        actor: Actor,
        project: ProjectId,
        key: NewKey,
    ) -> Result<Result<(), KeyRefusal>, StoreError>;

    /// Adds a key to the project of `old`, and lets `old` expire at `expires_at` unless it does so
    /// earlier; the owners, one of whom has chosen it, are not told of that. Both or neither. Returns when
    /// `old` expires.
    async fn rotate_key(
        &self,
        old: KeyOfProject,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<Result<Timestamp, KeyRefusal>, StoreError>;

    /// Revokes a key from `now` on.
    async fn revoke_key(
        &self,
        key: KeyOfProject,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError>;

    /// Gives a key another label, or none.
    async fn rename_key(
        &self,
        key: KeyOfProject,
        label: Option<String>,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError>;

    /// Disables a key, or enables it again.
    async fn switch_key(
        &self,
        key: KeyOfProject,
        to: KeySwitch,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError>;
}
