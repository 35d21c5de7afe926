//! Keys: issued, rotated, revoked, and read by the server that answers callers, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::expiry::{ExpiringKey, ExpiryNotice};
use super::{
    KeyDigest, KeyId, KeyOfProject, KeyRecord, KeyRefusal, KeyStore, KeySwitch, NewKey, change,
};
use crate::accounts::{AccountId, DAY, Email};
use crate::audit::AuditAction;
use crate::database::sqlite::column::{self, Millis, before};
use crate::database::sqlite::{Sqlite, query, versions};
use crate::database::versions::Versioned;
use crate::database::{StoreError, TimeoutClass, Writer};
use crate::mail::{NewMail, sqlite as mail};
use crate::projects::{Actor, ProjectId, sqlite as projects};
use crate::suspensions::sqlite as suspensions;
use crate::webhooks::audience::sqlite as webhooks;

#[async_trait]
impl KeyStore for Sqlite {
    async fn all_keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.read_within(TimeoutClass::Bulk, |db| Ok(all(db)?))
            .await
    }

    async fn keys_of(&self, project: ProjectId) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(move |db| Ok(of_project(db, project)?)).await
    }

    async fn knows_key(&self, digest: KeyDigest) -> Result<bool, StoreError> {
        self.read(move |db| Ok(exists(db, digest)?)).await
    }

    async fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, StoreError> {
        self.read(move |db| Ok(find(db, id)?)).await
    }

    async fn keys_with(&self, digests: Vec<KeyDigest>) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(move |db| {
            let sql = format!("{KEYS} WHERE api_key.digest = ?1");
            let found = digests.iter().map(|it| query::first(db, &sql, [*it], read));
            let found: rusqlite::Result<Vec<_>> = found.collect();
            Ok(found?.into_iter().flatten().collect())
        })
        .await
    }

    async fn issuers(&self, project: ProjectId) -> Result<Vec<(AccountId, Email)>, StoreError> {
        self.read(move |db| {
            let sql = "SELECT DISTINCT account.id, account.email
                       FROM api_key JOIN account ON account.id = api_key.made_by
                       WHERE api_key.project = ?1";
            let read = |row: &Row<'_>| Ok((row.get("id")?, row.get("email")?));
            Ok(query::all(db, sql, [project], read)?)
        })
        .await
    }

    async fn keys_to_announce(
        &self,
        notice: ExpiryNotice,
        after: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(move |db| {
            let sql = format!(
                "{KEYS} WHERE expires_at > ?1 AND expires_at <= ?2 AND revoked_at IS NULL
                   AND expiry_notice < ?3 AND expiry_notice < 3"
            );
            let params = (Millis(after), Millis(until), notice.number());
            Ok(query::all(db, &sql, params, read)?)
        })
        .await
    }

    async fn announce_expiry(
        &self,
        key: ExpiringKey,
        mails: Vec<NewMail>,
    ) -> Result<bool, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            let sql = "UPDATE api_key SET expiry_notice = ?2
                       WHERE id = ?1 AND expiry_notice < ?2 AND expires_at = ?3
                         AND revoked_at IS NULL";
            let params = (key.key, key.notice.number(), Millis(key.expires_at));
            let is_first = query::execute(tx, sql, params)? > 0;
            for mail in mails.iter().filter(|_| is_first) {
                mail::enqueue_to_account(tx, mail)?;
            }
            if let (true, Some(at), Some(found)) = (is_first, key.told_at, find(tx, key.key)?) {
                webhooks::tell_of_key(tx, &found, at)?;
            }
            Ok(is_first)
        })
        .await
    }

    async fn revoke_leaked_key(
        &self,
        key: KeyId,
        mails: Vec<NewMail>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            let found = find(tx, key)?.filter(|key| key.revoked_at.is_none());
            let Some(found) = found else {
                return Ok(false);
            };
            set_revoked(tx, key, now)?;
            let leaked = AuditAction::KeyLeaked(found.display_prefix);
            projects::record_event(tx, Actor::Operator, found.project, leaked, now)?;
            for mail in &mails {
                mail::enqueue_to_account(tx, mail)?;
            }
            Ok(true)
        })
        .await
    }

    async fn add_key(
        &self,
        actor: Actor,
        project: ProjectId,
        key: NewKey,
    ) -> Result<Result<(), KeyRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| add(tx, actor, project, &key))
            .await
    }

    async fn rotate_key(
        &self,
        old: KeyOfProject,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<Result<Timestamp, KeyRefusal>, StoreError> {
        self.write(old.actor.writer(), move |tx| {
            rotate(tx, old, &new, expires_at)
        })
        .await
    }

    async fn revoke_key(
        &self,
        key: KeyOfProject,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError> {
        self.write(key.actor.writer(), move |tx| revoke(tx, key, now))
            .await
    }

    async fn rename_key(
        &self,
        key: KeyOfProject,
        label: Option<String>,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError> {
        self.write(key.actor.writer(), move |tx| {
            rename(tx, key, label.as_deref(), now)
        })
        .await
    }

    async fn switch_key(
        &self,
        key: KeyOfProject,
        to: KeySwitch,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError> {
        self.write(key.actor.writer(), move |tx| switch(tx, key, to, now))
            .await
    }
}

const KEYS: &str = "SELECT api_key.id, api_key.digest, api_key.project, project.tier,
                      api_key.display_prefix, api_key.label, api_key.made_by,
                      api_key.created_at, api_key.expires_at, api_key.revoked_at,
                      api_key.disabled_at, api_key.successor,
                      EXISTS (SELECT 1 FROM suspension WHERE suspension.project = project.id)
                        AS is_suspended
                    FROM api_key JOIN project ON project.id = api_key.project";

/// Every key of every project.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<KeyRecord>> {
    query::all(db, KEYS, [], read)
}

/// A project's keys, oldest first.
pub(crate) fn of_project(db: &Connection, project: ProjectId) -> rusqlite::Result<Vec<KeyRecord>> {
    let sql = format!("{KEYS} WHERE project = ?1 ORDER BY created_at, api_key.id");
    query::all(db, &sql, [project], read)
}

/// The keys that an account issued, oldest first.
pub(crate) fn made_by(db: &Connection, account: AccountId) -> rusqlite::Result<Vec<KeyRecord>> {
    let sql = format!("{KEYS} WHERE made_by = ?1 ORDER BY created_at, api_key.id");
    query::all(db, &sql, [account], read)
}

/// Whether a key with this digest was ever added.
pub(crate) fn exists(db: &Connection, digest: KeyDigest) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM api_key WHERE digest = ?1";
    query::exists(db, sql, [digest])
}

fn add(
    db: &Connection,
    actor: Actor,
    project: ProjectId,
    key: &NewKey,
) -> Result<Result<(), KeyRefusal>, StoreError> {
    let managed = projects::managed(db, actor, project)?;
    let same = find(db, key.id)?;
    let addition = change::addition(project, managed.as_ref(), same.as_ref());
    if let Err(refusal) = addition.and(key.fits(counted(db, project, key.created_at)?)) {
        return Ok(Err(refusal));
    }
    if let Err(refusal) = suspensions::admit(db, actor)? {
        return Ok(Err(refusal.into()));
    }
    insert(db, actor, project, key)?;
    Ok(Ok(()))
}

/// The number of a project's keys that count towards its quota.
fn counted(db: &Connection, project: ProjectId, now: Timestamp) -> rusqlite::Result<i64> {
    let sql = "SELECT count(*) AS keys FROM api_key
               WHERE project = ?1
                 AND (created_at > ?2
                      OR revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?3))";
    let params = (project, before(now, DAY), Millis(now));
    db.prepare_cached(sql)?
        .query_one(params, |row| row.get("keys"))
}

fn rotate(
    db: &Connection,
    old: KeyOfProject,
    new: &NewKey,
    until: Timestamp,
) -> Result<Result<Timestamp, KeyRefusal>, StoreError> {
    let KeyOfProject {
        actor,
        project,
        key,
    } = old;
    let managed = projects::managed(db, actor, project)?;
    let (found, same) = (find(db, key)?, find(db, new.id)?);
    let stored = (found.as_ref(), same.as_ref());
    let rotation = old.rotation(managed.as_ref(), stored, new, until);
    let counted = counted(db, project, new.created_at)?;
    let rotation = match rotation.and_then(|it| new.fits(counted).map(|()| it)) {
        Ok(rotation) => rotation,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Err(refusal) = suspensions::admit(db, actor)? {
        return Ok(Err(refusal.into()));
    }
    let rotated = AuditAction::KeyRotated(rotation.display_prefix);
    projects::record_event(db, actor, project, rotated, new.created_at)?;
    insert(db, actor, project, &rotation.new)?;
    let sql =
        "UPDATE api_key SET expires_at = ?2, expiry_notice = ?3, successor = ?4 WHERE id = ?1";
    let (ends, told) = (Millis(rotation.expires_at), ExpiryNotice::Ended.number());
    query::execute(db, sql, (key, ends, told, new.id))?;
    Ok(Ok(rotation.expires_at))
}

fn revoke(
    db: &Connection,
    key: KeyOfProject,
    now: Timestamp,
) -> Result<Result<(), KeyRefusal>, StoreError> {
    let managed = projects::managed(db, key.actor, key.project)?;
    let found = find(db, key.key)?;
    let revoked = match key.revocation(managed.as_ref(), found.as_ref()) {
        Ok(revoked) => AuditAction::KeyRevoked(revoked.display_prefix.clone()),
        Err(refusal) => return Ok(Err(refusal)),
    };
    set_revoked(db, key.key, now)?;
    projects::record_event(db, key.actor, key.project, revoked, now)?;
    Ok(Ok(()))
}

fn rename(
    db: &Connection,
    key: KeyOfProject,
    label: Option<&str>,
    now: Timestamp,
) -> Result<Result<(), KeyRefusal>, StoreError> {
    let managed = projects::managed(db, key.actor, key.project)?;
    let found = find(db, key.key)?;
    let renamed = match key.revocation(managed.as_ref(), found.as_ref()) {
        Ok(renamed) => AuditAction::KeyRenamed(renamed.display_prefix.clone()),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE api_key SET label = ?2 WHERE id = ?1";
    query::execute(db, sql, (key.key, label))?;
    projects::record_event(db, key.actor, key.project, renamed, now)?;
    Ok(Ok(()))
}

fn switch(
    db: &Connection,
    key: KeyOfProject,
    to: KeySwitch,
    now: Timestamp,
) -> Result<Result<(), KeyRefusal>, StoreError> {
    let managed = projects::managed(db, key.actor, key.project)?;
    let found = find(db, key.key)?;
    let switched = match key.switching(managed.as_ref(), found.as_ref(), to, now) {
        Ok(Some(switched)) => switched,
        Ok(None) => return Ok(Ok(())),
        Err(refusal) => return Ok(Err(refusal)),
    };
    versions::advance(db, Versioned::Keys)?;
    let sql = "UPDATE api_key SET disabled_at = ?2 WHERE id = ?1";
    query::execute(db, sql, (key.key, to.disabled_at(now).map(Millis)))?;
    projects::record_event(db, key.actor, key.project, switched, now)?;
    Ok(Ok(()))
}

fn set_revoked(db: &Connection, key: KeyId, now: Timestamp) -> Result<(), StoreError> {
    versions::advance(db, Versioned::Keys)?;
    let sql = "UPDATE api_key SET revoked_at = ?2 WHERE id = ?1";
    query::execute(db, sql, (key, Millis(now)))?;
    Ok(())
}

/// Revokes the keys of a project that are not revoked yet.
pub(crate) fn revoke_all(
    db: &Connection,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    versions::advance(db, Versioned::Keys)?;
    let sql = "UPDATE api_key SET revoked_at = ?2 WHERE project = ?1 AND revoked_at IS NULL";
    query::execute(db, sql, (project, Millis(now)))?;
    Ok(())
}

fn find(db: &Connection, id: KeyId) -> rusqlite::Result<Option<KeyRecord>> {
    query::first(db, &format!("{KEYS} WHERE api_key.id = ?1"), [id], read)
}

fn insert(
    db: &Connection,
    actor: Actor,
    project: ProjectId,
    key: &NewKey,
) -> Result<(), StoreError> {
    versions::advance(db, Versioned::Keys)?;
    query::execute(
        db,
        "INSERT INTO api_key (id, project, digest, display_prefix, label, made_by, created_at,
           expires_at)
         VALUES (:id, :project, :digest, :prefix, :label, :made_by, :created, :expires)",
        named_params! {
            ":id": key.id,
            ":project": project,
            ":digest": key.digest,
            ":prefix": key.display_prefix,
            ":label": key.label,
            ":made_by": actor.account(),
            ":created": Millis(key.created_at),
            ":expires": key.expires_at.map(Millis),
        },
    )?;
    let issued = AuditAction::KeyIssued(key.display_prefix.clone());
    projects::record_event(db, actor, project, issued, key.created_at)
}

fn read(row: &Row<'_>) -> rusqlite::Result<KeyRecord> {
    Ok(KeyRecord {
        id: row.get("id")?,
        digest: row.get("digest")?,
        project: row.get("project")?,
        tier: row.get("tier")?,
        is_suspended: row.get("is_suspended")?,
        display_prefix: row.get("display_prefix")?,
        label: row.get("label")?,
        made_by: row.get("made_by")?,
        created_at: column::time(row, "created_at")?,
        expires_at: column::time_if_any(row, "expires_at")?,
        revoked_at: column::time_if_any(row, "revoked_at")?,
        disabled_at: column::time_if_any(row, "disabled_at")?,
        successor: row.get("successor")?,
    })
}
