//! Keys: issued, rotated, revoked, and read by the servers that answer callers.

use std::collections::BTreeSet;

use db::{Batch, DbError, Row, Tx, params};
use jiff::Timestamp;
use uuid::Uuid;

use super::expiry::{ExpiringKey, ExpiryNotice};
use super::lifecycle::KeyChangeError;
use super::{
    KeyDigest, KeyId, KeyLabels, KeyOfProject, KeyRecord, KeySwitch, NewKey, change, events,
};
use crate::audit::{AuditAction, sql as audit};
use crate::database::{Update, Versioned, Versions};
use crate::domain::day::DAY;
use crate::domain::email::Email;
use crate::domain::ids::AccountId;
use crate::mail::{NewMail, sql as mail};
use crate::projects::{Actor, ProjectId, sql as projects};
use crate::suspensions::sql as suspensions;
use edge::clock::{before, latest};

const KEYS: &str = "SELECT api_key.id, api_key.digest, api_key.project, project.tier,
                      api_key.display_prefix, api_key.label, api_key.made_by,
                      api_key.created_at, api_key.expires_at, api_key.revoked_at,
                      api_key.disabled_at, api_key.successor,
                      EXISTS (SELECT 1 FROM suspension WHERE suspension.project = project.id)
                        AS is_suspended
                    FROM api_key JOIN project ON project.id = api_key.project";

/// Every key of every project.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<KeyRecord>, DbError> {
    tx.all(&format!("{KEYS} ORDER BY api_key.id"), &[], read)
}

/// The keys of projects that have changed since a copy had the version `since`, or all keys, with the version now.
pub(crate) fn update(
    tx: &Tx<'_>,
    since: Option<u64>,
) -> Result<(u64, Update<ProjectId, KeyRecord>), DbError> {
    let now = Versions::read(tx)?.keys;
    let project = |item: &[u8]| Uuid::from_slice(item).ok().map(ProjectId);
    let update = Update::read(tx, (Versioned::Keys, since, now), project, of_projects, all)?;
    Ok((now, update))
}

/// The keys of some projects.
pub(crate) fn of_projects(
    tx: &Tx<'_>,
    projects: &BTreeSet<ProjectId>,
) -> Result<Vec<KeyRecord>, DbError> {
    let sql = format!("{KEYS} WHERE api_key.project IN (SELECT batch.id FROM batch(id uuid))");
    tx.all_of_batch(&sql, &Batch::of_column(projects), &[], read)
}

/// A project's keys, oldest first.
pub(crate) fn of_project(tx: &Tx<'_>, project: ProjectId) -> Result<Vec<KeyRecord>, DbError> {
    let sql = format!("{KEYS} WHERE api_key.project = $1 ORDER BY api_key.created_at, api_key.id");
    tx.all(&sql, params![project], read)
}

/// The keys that an account issued, oldest first.
pub fn made_by(tx: &Tx<'_>, account: AccountId) -> Result<Vec<KeyRecord>, DbError> {
    let sql = format!("{KEYS} WHERE api_key.made_by = $1 ORDER BY api_key.created_at, api_key.id");
    tx.all(&sql, params![account], read)
}

/// Whether a key with this digest was ever added.
pub(crate) fn exists(tx: &Tx<'_>, digest: KeyDigest) -> Result<bool, DbError> {
    tx.exists("SELECT 1 FROM api_key WHERE digest = $1", params![digest])
}

pub(crate) fn add(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    key: &NewKey,
) -> Result<(), KeyChangeError> {
    let managed = projects::lock_managed(tx, actor, project)?;
    let same = find(tx, key.id)?;
    let addition = change::addition(project, managed.as_ref(), same.as_ref());
    let counted = counted(tx, project, key.created_at)?;
    addition.and(key.fits(counted))?;
    suspensions::admit::<KeyChangeError>(tx, actor)?;
    insert(tx, actor, project, key)?;
    Versioned::Keys.changed(tx, &project.0);
    Ok(())
}

/// The number of a project's keys that count towards its quota.
fn counted(tx: &Tx<'_>, project: ProjectId, now: Timestamp) -> Result<i64, DbError> {
    let sql = "SELECT count(*) AS keys FROM api_key
               WHERE project = $1
                 AND (created_at > $2 AND created_at <= $4
                      OR revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3))";
    let params = params![project, before(now, DAY), now, latest(now)];
    tx.one(sql, params, |row| row.get("keys"))
}

pub(crate) fn rotate(
    tx: &Tx<'_>,
    old: KeyOfProject,
    new: &NewKey,
    until: Timestamp,
) -> Result<Timestamp, KeyChangeError> {
    let KeyOfProject {
        actor,
        project,
        key,
    } = old;
    let managed = projects::lock_managed(tx, actor, project)?;
    let found = lock(tx, key)?;
    let same = find(tx, new.id)?;
    let stored = (found.as_ref(), same.as_ref());
    let rotation = old.rotation(managed.as_ref(), stored, new, until);
    let counted = counted(tx, project, new.created_at)?;
    let rotation = rotation.and_then(|it| new.fits(counted).map(|()| it))?;
    suspensions::admit::<KeyChangeError>(tx, actor)?;
    let rotated = AuditAction::KeyRotated(rotation.display_prefix);
    audit::record_event(tx, actor, project, rotated, new.created_at)?;
    insert(tx, actor, project, &rotation.new)?;
    let sql =
        "UPDATE api_key SET expires_at = $2, expiry_notice = $3, successor = $4 WHERE id = $1";
    let (ends, told) = (rotation.expires_at, i64::from(ExpiryNotice::Ended.number()));
    tx.execute(sql, params![key, ends, told, new.id])?;
    Versioned::Keys.changed(tx, &project.0);
    Ok(rotation.expires_at)
}

pub(crate) fn revoke(tx: &Tx<'_>, key: KeyOfProject, now: Timestamp) -> Result<(), KeyChangeError> {
    let managed = projects::lock_managed(tx, key.actor, key.project)?;
    let found = lock(tx, key.key)?;
    let revoked = key.revocation(managed.as_ref(), found.as_ref())?;
    let revoked = AuditAction::KeyRevoked(revoked.display_prefix.clone());
    set_revoked(tx, key.key, now)?;
    audit::record_event(tx, key.actor, key.project, revoked, now)?;
    Versioned::Keys.changed(tx, &key.project.0);
    Ok(())
}

pub(crate) fn rename(
    tx: &Tx<'_>,
    key: KeyOfProject,
    label: Option<&str>,
    now: Timestamp,
) -> Result<(), KeyChangeError> {
    let managed = projects::lock_managed(tx, key.actor, key.project)?;
    let found = lock(tx, key.key)?;
    let renamed = key.revocation(managed.as_ref(), found.as_ref())?;
    let renamed = AuditAction::KeyRenamed(renamed.display_prefix.clone());
    let sql = "UPDATE api_key SET label = $2 WHERE id = $1";
    tx.execute(sql, params![key.key, label])?;
    audit::record_event(tx, key.actor, key.project, renamed, now)?;
    Ok(())
}

pub(crate) fn switch(
    tx: &Tx<'_>,
    key: KeyOfProject,
    to: KeySwitch,
    now: Timestamp,
) -> Result<(), KeyChangeError> {
    let managed = projects::lock_managed(tx, key.actor, key.project)?;
    let found = lock(tx, key.key)?;
    let Some(switched) = key.switching(managed.as_ref(), found.as_ref(), to, now)? else {
        return Ok(());
    };
    let sql = "UPDATE api_key SET disabled_at = $2 WHERE id = $1";
    tx.execute(sql, params![key.key, to.disabled_at(now)])?;
    audit::record_event(tx, key.actor, key.project, switched, now)?;
    Versioned::Keys.changed(tx, &key.project.0);
    Ok(())
}

pub(crate) fn with(tx: &Tx<'_>, digests: Vec<KeyDigest>) -> Result<Vec<KeyRecord>, DbError> {
    let sql =
        format!("{KEYS} WHERE api_key.digest IN (SELECT batch.digest FROM batch(digest bytea))");
    tx.all_of_batch(&sql, &Batch::of_column(digests), &[], read)
}

pub(crate) fn issuers(tx: &Tx<'_>, project: ProjectId) -> Result<Vec<(AccountId, Email)>, DbError> {
    let sql = "SELECT DISTINCT account.id, account.email
               FROM api_key JOIN account ON account.id = api_key.made_by
               WHERE api_key.project = $1";
    let read = |row: &Row<'_>| Ok((row.get("id")?, row.get("email")?));
    tx.all(sql, params![project], read)
}

/// The keys that expire after one time and up to another, are not revoked, and whose owners did not get
/// `notice` or a later one.
pub(crate) fn to_announce(
    tx: &Tx<'_>,
    notice: ExpiryNotice,
    after: Timestamp,
    until: Timestamp,
) -> Result<Vec<KeyRecord>, DbError> {
    let sql = format!(
        "{KEYS} WHERE expires_at > $1 AND expires_at <= $2 AND revoked_at IS NULL
           AND expiry_notice < $3 AND expiry_notice < 3"
    );
    let number = i64::from(notice.number());
    let params = params![after, until, number];
    tx.all(&sql, params, read)
}

/// Records that the owners of a key got a notice, and enqueues the mails and the event. Returns false, and
/// enqueues nothing, if they got it before or the key has changed.
pub(crate) fn announce(tx: &Tx<'_>, key: ExpiringKey, mails: &[NewMail]) -> Result<bool, DbError> {
    let sql = "UPDATE api_key SET expiry_notice = $2
               WHERE id = $1 AND expiry_notice < $2 AND expires_at = $3 AND revoked_at IS NULL";
    let number = i64::from(key.notice.number());
    let params = params![key.key, number, key.expires_at];
    let is_first = tx.execute(sql, params)? > 0;
    for mail in mails.iter().filter(|_| is_first) {
        mail::enqueue_to_account(tx, mail)?;
    }
    if let (true, Some(at)) = (is_first, key.told_at)
        && let Some(found) = find(tx, key.key)?
    {
        events::enqueue_expiring(tx, &found, at)?;
    }
    Ok(is_first)
}

pub(crate) fn revoke_leaked(
    tx: &Tx<'_>,
    key: KeyId,
    mails: &[NewMail],
    now: Timestamp,
) -> Result<bool, DbError> {
    let found = lock(tx, key)?.filter(|key| key.revoked_at.is_none());
    let Some(found) = found else {
        return Ok(false);
    };
    set_revoked(tx, key, now)?;
    let leaked = AuditAction::KeyLeaked(found.display_prefix);
    audit::record_event(tx, Actor::Operator, found.project, leaked, now)?;
    for mail in mails {
        mail::enqueue_to_account(tx, mail)?;
    }
    Versioned::Keys.changed(tx, &found.project.0);
    Ok(true)
}

fn set_revoked(tx: &Tx<'_>, key: KeyId, now: Timestamp) -> Result<(), DbError> {
    let sql = "UPDATE api_key SET revoked_at = $2 WHERE id = $1";
    tx.execute(sql, params![key, now])?;
    Ok(())
}

/// Revokes the keys of a project that are not revoked yet. The caller counts the change.
pub(crate) fn revoke_all(tx: &Tx<'_>, project: ProjectId, now: Timestamp) -> Result<(), DbError> {
    let sql = "UPDATE api_key SET revoked_at = $2 WHERE project = $1 AND revoked_at IS NULL";
    tx.execute(sql, params![project, now])?;
    Ok(())
}

pub(crate) fn find(tx: &Tx<'_>, id: KeyId) -> Result<Option<KeyRecord>, DbError> {
    tx.first(&format!("{KEYS} WHERE api_key.id = $1"), params![id], read)
}

/// Locks a key until the end of the transaction, and returns it.
fn lock(tx: &Tx<'_>, id: KeyId) -> Result<Option<KeyRecord>, DbError> {
    let sql = format!("{KEYS} WHERE api_key.id = $1 FOR UPDATE OF api_key");
    tx.first(&sql, params![id], read)
}

fn insert(tx: &Tx<'_>, actor: Actor, project: ProjectId, key: &NewKey) -> Result<(), DbError> {
    let sql =
        "INSERT INTO api_key (id, project, digest, display_prefix, label, made_by, created_at,
                 expires_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let params = params![
        key.id,
        project,
        key.digest,
        key.display_prefix,
        key.labels.label,
        actor.account(),
        key.created_at,
        key.expires_at
    ];
    tx.execute(sql, params)?;
    let issued = AuditAction::KeyIssued(key.display_prefix.clone());
    audit::record_event(tx, actor, project, issued, key.created_at)
}

fn read(row: &Row<'_>) -> Result<KeyRecord, DbError> {
    Ok(KeyRecord {
        id: row.get("id")?,
        digest: row.get("digest")?,
        project: row.get("project")?,
        tier: row.get("tier")?,
        is_suspended: row.get("is_suspended")?,
        display_prefix: row.get("display_prefix")?,
        labels: KeyLabels {
            label: row.get("label")?,
        },
        made_by: row.get("made_by")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        revoked_at: row.get("revoked_at")?,
        disabled_at: row.get("disabled_at")?,
        successor: row.get("successor")?,
    })
}
