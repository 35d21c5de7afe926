//! Keys: issued, rotated, revoked, and read by the servers that answer callers, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::expiry::{ExpiringKey, ExpiryNotice};
use super::{
    KeyDigest, KeyId, KeyOfProject, KeyRecord, KeyRefusal, KeyStore, KeySwitch, NewKey, change,
};
use crate::accounts::{AccountId, DAY, Email};
use crate::audit::AuditAction;
use crate::database::postgres::column::{self, Millis, before};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::versions::Versioned;
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, postgres as mail};
use crate::projects::{Actor, ProjectId, postgres as projects};
use crate::suspensions::postgres as suspensions;
use crate::webhooks::audience::postgres as webhooks;

#[async_trait]
impl KeyStore for Postgres {
    async fn all_keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(TimeoutClass::Bulk, |tx| all(tx).boxed()).await
    }

    async fn keys_of(&self, project: ProjectId) -> Result<Vec<KeyRecord>, StoreError> {
        self.query(move |db| of_project(db, project).boxed()).await
    }

    async fn knows_key(&self, digest: KeyDigest) -> Result<bool, StoreError> {
        self.query(move |db| exists(db, digest).boxed()).await
    }

    async fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, StoreError> {
        self.query(move |db| find(db, id).boxed()).await
    }

    async fn keys_with(&self, digests: Vec<KeyDigest>) -> Result<Vec<KeyRecord>, StoreError> {
        self.query(move |db| with(db, digests).boxed()).await
    }

    async fn issuers(&self, project: ProjectId) -> Result<Vec<(AccountId, Email)>, StoreError> {
        self.query(move |db| issuers(db, project).boxed()).await
    }

    async fn keys_to_announce(
        &self,
        notice: ExpiryNotice,
        after: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<KeyRecord>, StoreError> {
        self.query(move |db| to_announce(db, notice, after, until).boxed())
            .await
    }

    async fn announce_expiry(
        &self,
        key: ExpiringKey,
        mails: Vec<NewMail>,
    ) -> Result<bool, StoreError> {
        let limits = TimeoutClass::Request;
        self.write(
            Writer::Dashboard,
            limits,
            (key, mails),
            |tx, (key, mails)| announce(tx, *key, mails).boxed(),
        )
        .await
    }

    async fn revoke_leaked_key(
        &self,
        key: KeyId,
        mails: Vec<NewMail>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let limits = TimeoutClass::Request;
        self.write(
            Writer::Dashboard,
            limits,
            (key, mails, now),
            |tx, (key, mails, now)| revoke_leaked(tx, *key, mails, *now).boxed(),
        )
        .await
    }

    async fn add_key(
        &self,
        actor: Actor,
        project: ProjectId,
        key: NewKey,
    ) -> Result<Result<(), KeyRefusal>, StoreError> {
        let about = (actor, project, key);
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            about,
            |tx, (actor, project, key)| add(tx, *actor, *project, key).boxed(),
        )
        .await
    }

    async fn rotate_key(
        &self,
        old: KeyOfProject,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<Result<Timestamp, KeyRefusal>, StoreError> {
        let about = (old, new, expires_at);
        self.write(
            old.actor.writer(),
            TimeoutClass::Request,
            about,
            |tx, (old, new, expires_at)| rotate(tx, *old, new, *expires_at).boxed(),
        )
        .await
    }

    async fn revoke_key(
        &self,
        key: KeyOfProject,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError> {
        self.write(
            key.actor.writer(),
            TimeoutClass::Request,
            (key, now),
            |tx, (key, now)| revoke(tx, *key, *now).boxed(),
        )
        .await
    }

    async fn rename_key(
        &self,
        key: KeyOfProject,
        label: Option<String>,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError> {
        self.write(
            key.actor.writer(),
            TimeoutClass::Request,
            (key, label, now),
            |tx, (key, label, now)| rename(tx, *key, label.as_deref(), *now).boxed(),
        )
        .await
    }

    async fn switch_key(
        &self,
        key: KeyOfProject,
        to: KeySwitch,
        now: Timestamp,
    ) -> Result<Result<(), KeyRefusal>, StoreError> {
        self.write(
            key.actor.writer(),
            TimeoutClass::Request,
            (key, to, now),
            |tx, (key, to, now)| switch(tx, *key, *to, *now).boxed(),
        )
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
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<KeyRecord>, Failure> {
    query::all(db, &format!("{KEYS} ORDER BY api_key.id"), &[], read).await
}

/// A project's keys, oldest first.
pub(crate) async fn of_project(
    db: &impl GenericClient,
    project: ProjectId,
) -> Result<Vec<KeyRecord>, Failure> {
    let sql = format!("{KEYS} WHERE api_key.project = $1 ORDER BY api_key.created_at, api_key.id");
    query::all(db, &sql, &[&project], read).await
}

/// The keys that an account issued, oldest first.
pub(crate) async fn made_by(
    db: &impl GenericClient,
    account: AccountId,
) -> Result<Vec<KeyRecord>, Failure> {
    let sql = format!("{KEYS} WHERE api_key.made_by = $1 ORDER BY api_key.created_at, api_key.id");
    query::all(db, &sql, &[&account], read).await
}

/// Whether a key with this digest was ever added.
pub(crate) async fn exists(db: &impl GenericClient, digest: KeyDigest) -> Result<bool, Failure> {
    query::exists(db, "SELECT 1 FROM api_key WHERE digest = $1", &[&digest]).await
}

async fn add(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    key: &NewKey,
) -> Result<Result<(), KeyRefusal>, Failure> {
    let managed = projects::lock_managed(tx, actor, project).await?;
    let same = find(tx, key.id).await?;
    let addition = change::addition(project, managed.as_ref(), same.as_ref());
    let counted = counted(tx, project, key.created_at).await?;
    if let Err(refusal) = addition.and(key.fits(counted)) {
        return Ok(Err(refusal));
    }
    if let Err(refusal) = suspensions::admit(tx, actor).await? {
        return Ok(Err(refusal.into()));
    }
    insert(tx, actor, project, key).await?;
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(()))
}

/// The number of a project's keys that count towards its quota.
async fn counted(
    db: &impl GenericClient,
    project: ProjectId,
    now: Timestamp,
) -> Result<i64, Failure> {
    let sql = "SELECT count(*) AS keys FROM api_key
               WHERE project = $1
                 AND (created_at > $2
                      OR revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3))";
    let params: query::Params<'_> = &[&project, &before(now, DAY), &Millis(now)];
    query::one(db, sql, params, |row| Ok(row.try_get("keys")?)).await
}

async fn rotate(
    tx: &Transaction<'_>,
    old: KeyOfProject,
    new: &NewKey,
    until: Timestamp,
) -> Result<Result<Timestamp, KeyRefusal>, Failure> {
    let KeyOfProject {
        actor,
        project,
        key,
    } = old;
    let managed = projects::lock_managed(tx, actor, project).await?;
    let found = lock(tx, key).await?;
    let same = find(tx, new.id).await?;
    let stored = (found.as_ref(), same.as_ref());
    let rotation = old.rotation(managed.as_ref(), stored, new, until);
    let counted = counted(tx, project, new.created_at).await?;
    let rotation = match rotation.and_then(|it| new.fits(counted).map(|()| it)) {
        Ok(rotation) => rotation,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Err(refusal) = suspensions::admit(tx, actor).await? {
        return Ok(Err(refusal.into()));
    }
    let rotated = AuditAction::KeyRotated(rotation.display_prefix);
    projects::record_event(tx, actor, project, rotated, new.created_at).await?;
    insert(tx, actor, project, &rotation.new).await?;
    let sql =
        "UPDATE api_key SET expires_at = $2, expiry_notice = $3, successor = $4 WHERE id = $1";
    let (ends, told) = (
        Millis(rotation.expires_at),
        i64::from(ExpiryNotice::Ended.number()),
    );
    query::execute(tx, sql, &[&key, &ends, &told, &new.id]).await?;
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(rotation.expires_at))
}

async fn revoke(
    tx: &Transaction<'_>,
    key: KeyOfProject,
    now: Timestamp,
) -> Result<Result<(), KeyRefusal>, Failure> {
    let managed = projects::lock_managed(tx, key.actor, key.project).await?;
    let found = lock(tx, key.key).await?;
    let revoked = match key.revocation(managed.as_ref(), found.as_ref()) {
        Ok(revoked) => AuditAction::KeyRevoked(revoked.display_prefix.clone()),
        Err(refusal) => return Ok(Err(refusal)),
    };
    set_revoked(tx, key.key, now).await?;
    projects::record_event(tx, key.actor, key.project, revoked, now).await?;
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(()))
}

async fn rename(
    tx: &Transaction<'_>,
    key: KeyOfProject,
    label: Option<&str>,
    now: Timestamp,
) -> Result<Result<(), KeyRefusal>, Failure> {
    let managed = projects::lock_managed(tx, key.actor, key.project).await?;
    let found = lock(tx, key.key).await?;
    let renamed = match key.revocation(managed.as_ref(), found.as_ref()) {
        Ok(renamed) => AuditAction::KeyRenamed(renamed.display_prefix.clone()),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE api_key SET label = $2 WHERE id = $1";
    query::execute(tx, sql, &[&key.key, &label]).await?;
    projects::record_event(tx, key.actor, key.project, renamed, now).await?;
    Ok(Ok(()))
}

async fn switch(
    tx: &Transaction<'_>,
    key: KeyOfProject,
    to: KeySwitch,
    now: Timestamp,
) -> Result<Result<(), KeyRefusal>, Failure> {
    let managed = projects::lock_managed(tx, key.actor, key.project).await?;
    let found = lock(tx, key.key).await?;
    let switched = match key.switching(managed.as_ref(), found.as_ref(), to, now) {
        Ok(Some(switched)) => switched,
        Ok(None) => return Ok(Ok(())),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE api_key SET disabled_at = $2 WHERE id = $1";
    query::execute(tx, sql, &[&key.key, &to.disabled_at(now).map(Millis)]).await?;
    projects::record_event(tx, key.actor, key.project, switched, now).await?;
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(()))
}

async fn with(db: &impl GenericClient, digests: Vec<KeyDigest>) -> Result<Vec<KeyRecord>, Failure> {
    let sql = format!("{KEYS} WHERE api_key.digest = ANY($1)");
    query::all(db, &sql, &[&digests], read).await
}

async fn issuers(
    db: &impl GenericClient,
    project: ProjectId,
) -> Result<Vec<(AccountId, Email)>, Failure> {
    let sql = "SELECT DISTINCT account.id, account.email
               FROM api_key JOIN account ON account.id = api_key.made_by
               WHERE api_key.project = $1";
    let read = |row: &Row| Ok((row.try_get("id")?, row.try_get("email")?));
    query::all(db, sql, &[&project], read).await
}

async fn to_announce(
    db: &impl GenericClient,
    notice: ExpiryNotice,
    after: Timestamp,
    until: Timestamp,
) -> Result<Vec<KeyRecord>, Failure> {
    let sql = format!(
        "{KEYS} WHERE expires_at > $1 AND expires_at <= $2 AND revoked_at IS NULL
           AND expiry_notice < $3 AND expiry_notice < 3"
    );
    let number = i64::from(notice.number());
    let params: query::Params<'_> = &[&Millis(after), &Millis(until), &number];
    query::all(db, &sql, params, read).await
}

async fn announce(
    tx: &Transaction<'_>,
    key: ExpiringKey,
    mails: &[NewMail],
) -> Result<bool, Failure> {
    let sql = "UPDATE api_key SET expiry_notice = $2
               WHERE id = $1 AND expiry_notice < $2 AND expires_at = $3 AND revoked_at IS NULL";
    let number = i64::from(key.notice.number());
    let params: query::Params<'_> = &[&key.key, &number, &Millis(key.expires_at)];
    let is_first = query::execute(tx, sql, params).await? > 0;
    for mail in mails.iter().filter(|_| is_first) {
        mail::enqueue_to_account(tx, mail).await?;
    }
    if let (true, Some(at)) = (is_first, key.told_at)
        && let Some(found) = find(tx, key.key).await?
    {
        webhooks::tell_of_key(tx, &found, at).await?;
    }
    Ok(is_first)
}

async fn revoke_leaked(
    tx: &Transaction<'_>,
    key: KeyId,
    mails: &[NewMail],
    now: Timestamp,
) -> Result<bool, Failure> {
    let found = lock(tx, key).await?.filter(|key| key.revoked_at.is_none());
    let Some(found) = found else {
        return Ok(false);
    };
    set_revoked(tx, key, now).await?;
    let leaked = AuditAction::KeyLeaked(found.display_prefix);
    projects::record_event(tx, Actor::Operator, found.project, leaked, now).await?;
    for mail in mails {
        mail::enqueue_to_account(tx, mail).await?;
    }
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(true)
}

async fn set_revoked(tx: &Transaction<'_>, key: KeyId, now: Timestamp) -> Result<(), Failure> {
    let sql = "UPDATE api_key SET revoked_at = $2 WHERE id = $1";
    query::execute(tx, sql, &[&key, &Millis(now)]).await?;
    Ok(())
}

/// Revokes the keys of a project that are not revoked yet. The caller counts the change.
pub(crate) async fn revoke_all(
    tx: &Transaction<'_>,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), Failure> {
    let sql = "UPDATE api_key SET revoked_at = $2 WHERE project = $1 AND revoked_at IS NULL";
    query::execute(tx, sql, &[&project, &Millis(now)]).await?;
    Ok(())
}

async fn find(db: &impl GenericClient, id: KeyId) -> Result<Option<KeyRecord>, Failure> {
    query::first(db, &format!("{KEYS} WHERE api_key.id = $1"), &[&id], read).await
}

/// Locks a key until the end of the transaction, and returns it.
async fn lock(tx: &Transaction<'_>, id: KeyId) -> Result<Option<KeyRecord>, Failure> {
    let sql = format!("{KEYS} WHERE api_key.id = $1 FOR UPDATE OF api_key");
    query::first(tx, &sql, &[&id], read).await
}

async fn insert(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    key: &NewKey,
) -> Result<(), Failure> {
    let sql =
        "INSERT INTO api_key (id, project, digest, display_prefix, label, made_by, created_at,
                 expires_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let params: query::Params<'_> = &[
        &key.id,
        &project,
        &key.digest,
        &key.display_prefix,
        &key.label,
        &actor.account(),
        &Millis(key.created_at),
        &key.expires_at.map(Millis),
    ];
    query::execute(tx, sql, params).await?;
    let issued = AuditAction::KeyIssued(key.display_prefix.clone());
    projects::record_event(tx, actor, project, issued, key.created_at).await
}

fn read(row: &Row) -> Result<KeyRecord, Failure> {
    Ok(KeyRecord {
        id: row.try_get("id")?,
        digest: row.try_get("digest")?,
        project: row.try_get("project")?,
        tier: row.try_get("tier")?,
        is_suspended: row.try_get("is_suspended")?,
        display_prefix: row.try_get("display_prefix")?,
        label: row.try_get("label")?,
        made_by: row.try_get("made_by")?,
        created_at: column::time(row, "created_at")?,
        expires_at: column::time_if_any(row, "expires_at")?,
        revoked_at: column::time_if_any(row, "revoked_at")?,
        disabled_at: column::time_if_any(row, "disabled_at")?,
        successor: row.try_get("successor")?,
    })
}
