//! Keys: issued, rotated, revoked, and read by the server that answers callers.

use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::column::{self, Millis};
use super::{projects, query, versions};
use crate::domain::project::{KeyId, KeyRecord, NewKey, ProjectId};
use crate::store::versions::Versioned;
use crate::store::{KeyChange, StoreError};

const KEYS: &str = "SELECT api_key.*, project.tier FROM api_key
                    JOIN project ON project.id = api_key.project";

/// Every key of every project.
pub(super) fn all(db: &Connection) -> rusqlite::Result<Vec<KeyRecord>> {
    query::all(db, KEYS, [], read_key)
}

/// A project's keys, oldest first.
pub(super) fn of_project(db: &Connection, project: ProjectId) -> rusqlite::Result<Vec<KeyRecord>> {
    let sql = format!("{KEYS} WHERE project = ?1 ORDER BY created_at, api_key.id");
    query::all(db, &sql, [project], read_key)
}

/// Adds a key to a project.
pub(super) fn add(
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
pub(super) fn rotate(
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
pub(super) fn revoke(db: &Connection, key: KeyId, now: Timestamp) -> Result<KeyChange, StoreError> {
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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::project::{KeyDigest, Tier};
    use crate::store::Store;
    use crate::store::fixture::{World, at, project_id};

    fn key(n: u8) -> NewKey {
        NewKey {
            id: KeyId(Uuid::from_bytes([n; 16])),
            digest: KeyDigest([n; 32]),
            display_prefix: "sk_abcd".to_owned(),
            created_at: at(100),
            expires_at: None,
        }
    }

    #[tokio::test]
    async fn keys_are_issued_rotated_and_revoked() {
        let world = World::new().await;
        let store = &world.store;
        let (one, two) = (key(1), key(2));
        let late = NewKey {
            created_at: at(120),
            ..key(3)
        };
        assert_eq!(
            store.add_key(project_id(9), one.clone()).await.unwrap(),
            KeyChange::Unknown
        );
        assert_eq!(
            store.add_key(project_id(1), one.clone()).await.unwrap(),
            KeyChange::Done
        );
        let rotation = store
            .rotate_key(one.id, two.clone(), at(150))
            .await
            .unwrap();
        assert_eq!(rotation, KeyChange::Done);
        assert_eq!(
            store.revoke_key(two.id, at(120)).await.unwrap(),
            KeyChange::Done
        );
        assert_eq!(
            store.revoke_key(two.id, at(130)).await.unwrap(),
            KeyChange::Dead
        );
        assert_eq!(
            store.rotate_key(two.id, late, at(150)).await.unwrap(),
            KeyChange::Dead
        );
        assert_eq!(
            store.revoke_key(key(4).id, at(1)).await.unwrap(),
            KeyChange::Unknown
        );

        let keys = store.keys_of(project_id(1)).await.unwrap();
        assert_eq!(keys, store.all_keys().await.unwrap());
        let live = |second| {
            keys.iter()
                .map(|key| key.is_live(at(second)))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (live(119), live(149), live(150)),
            (vec![true, true], vec![true, false], vec![false, false])
        );
    }

    #[tokio::test]
    async fn changes_of_keys_and_tiers_are_counted() {
        let World {
            store, directory, ..
        } = World::new().await;
        let before = store.versions().await.unwrap();
        // Another process on the same file.
        let other = Store::open(&directory.path().join("catalogue.db")).unwrap();
        other.add_key(project_id(1), key(1)).await.unwrap();
        let added = store.versions().await.unwrap();
        assert_eq!(
            (added.keys, added.catalogue),
            (before.keys + 1, before.catalogue)
        );
        assert!(
            other
                .set_tier(project_id(1), Tier::Enterprise)
                .await
                .unwrap()
        );
        assert!(
            !other
                .set_tier(project_id(9), Tier::Enterprise)
                .await
                .unwrap()
        );
        assert!(store.versions().await.unwrap().keys > added.keys);
        assert_eq!(store.all_keys().await.unwrap()[0].tier, Tier::Enterprise);
    }
}
