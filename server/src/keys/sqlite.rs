//! Keys: issued, rotated, revoked, and read by the server that answers callers.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::{KeyChange, KeyDigest, KeyId, KeyRecord, NewKey};
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query, versions};
use crate::database::versions::Versioned;
use crate::keys::KeyStore;
use crate::projects::{ProjectId, sqlite as projects};

#[async_trait]
impl KeyStore for Sqlite {
    async fn all_keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(|db| Ok(all(db)?)).await
    }

    async fn keys_of(&self, project: ProjectId) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(move |db| Ok(of_project(db, project)?)).await
    }

    async fn knows_key(&self, digest: KeyDigest) -> Result<bool, StoreError> {
        self.read(move |db| Ok(exists(db, digest)?)).await
    }

    async fn add_key(&self, project: ProjectId, key: NewKey) -> Result<KeyChange, StoreError> {
        self.write(move |tx| add(tx, project, &key)).await
    }

    async fn rotate_key(
        &self,
        old: KeyId,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<KeyChange, StoreError> {
        self.write(move |tx| rotate(tx, old, &new, expires_at))
            .await
    }

    async fn revoke_key(&self, key: KeyId, now: Timestamp) -> Result<KeyChange, StoreError> {
        self.write(move |tx| revoke(tx, key, now)).await
    }
}

const KEYS: &str = "SELECT api_key.*, project.tier FROM api_key
                    JOIN project ON project.id = api_key.project";

/// Every key of every project.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<KeyRecord>> {
    query::all(db, KEYS, [], read_key)
}

/// A project's keys, oldest first.
pub(crate) fn of_project(db: &Connection, project: ProjectId) -> rusqlite::Result<Vec<KeyRecord>> {
    let sql = format!("{KEYS} WHERE project = ?1 ORDER BY created_at, api_key.id");
    query::all(db, &sql, [project], read_key)
}

/// Whether a key with this digest was ever added.
pub(crate) fn exists(db: &Connection, digest: KeyDigest) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM api_key WHERE digest = ?1";
    Ok(query::first(db, sql, [digest], |_| Ok(()))?.is_some())
}

/// Adds a key to a project.
pub(crate) fn add(
    db: &Connection,
    project: ProjectId,
    key: &NewKey,
) -> Result<KeyChange, StoreError> {
    if projects::find(db, project)?.is_none() {
        return Ok(KeyChange::Unknown);
    }
    insert_key(db, project, key)?;
    Ok(KeyChange::Done)
}

/// Adds a key to the project of `old`, and lets `old` expire.
pub(crate) fn rotate(
    db: &Connection,
    old: KeyId,
    new: &NewKey,
    expires_at: Timestamp,
) -> Result<KeyChange, StoreError> {
    let Some(old) = find_key(db, old)? else {
        return Ok(KeyChange::Unknown);
    };
    if !old.is_live(new.created_at) {
        return Ok(KeyChange::Dead);
    }
    let expires_at = old
        .expires_at
        .map_or(expires_at, |earlier| earlier.min(expires_at));
    let sql = "UPDATE api_key SET expires_at = ?2 WHERE id = ?1";
    query::execute(db, sql, (old.id, Millis(expires_at)))?;
    insert_key(db, old.project, new)?;
    Ok(KeyChange::Done)
}

/// Revokes a key.
pub(crate) fn revoke(db: &Connection, key: KeyId, now: Timestamp) -> Result<KeyChange, StoreError> {
    let Some(key) = find_key(db, key)? else {
        return Ok(KeyChange::Unknown);
    };
    if key.revoked_at.is_some() {
        return Ok(KeyChange::Dead);
    }
    versions::advance(db, Versioned::Keys)?;
    let sql = "UPDATE api_key SET revoked_at = ?2 WHERE id = ?1";
    query::execute(db, sql, (key.id, Millis(now)))?;
    Ok(KeyChange::Done)
}

fn find_key(db: &Connection, id: KeyId) -> rusqlite::Result<Option<KeyRecord>> {
    query::first(db, &format!("{KEYS} WHERE api_key.id = ?1"), [id], read_key)
}

fn insert_key(db: &Connection, project: ProjectId, key: &NewKey) -> Result<(), StoreError> {
    versions::advance(db, Versioned::Keys)?;
    query::execute(
        db,
        "INSERT INTO api_key VALUES (:id, :project, :digest, :prefix, :created, :expires, NULL)",
        named_params! {
            ":id": key.id,
            ":project": project,
            ":digest": key.digest,
            ":prefix": key.display_prefix,
            ":created": Millis(key.created_at),
            ":expires": key.expires_at.map(Millis),
        },
    )?;
    Ok(())
}

fn read_key(row: &Row<'_>) -> rusqlite::Result<KeyRecord> {
    Ok(KeyRecord {
        id: row.get("id")?,
        digest: row.get("digest")?,
        project: row.get("project")?,
        tier: row.get("tier")?,
        display_prefix: row.get("display_prefix")?,
        created_at: column::time(row, "created_at")?,
        expires_at: column::time_if_any(row, "expires_at")?,
        revoked_at: column::time_if_any(row, "revoked_at")?,
    })
}
