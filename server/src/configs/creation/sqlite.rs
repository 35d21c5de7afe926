//! Making a config on request, once for each idempotency key, in SQLite.

use jiff::Timestamp;
use rusqlite::Connection;

use super::StoredAnswer;
use crate::audit::AuditAction;
use crate::charities::sqlite as charities;
use crate::configs::{
    Config, Creation, Encode, Idempotency, Requester, creation, sqlite as configs,
};
use crate::database::StoreError;
use crate::database::sqlite::column::Millis;
use crate::database::sqlite::query;
use crate::projects::{ProjectId, sqlite as projects};
use crate::webhooks::EventType;
use crate::webhooks::audience::sqlite as webhooks;

/// Makes a config and stores its answer when there is a key, unless the key has an answer.
pub(crate) fn create(
    db: &Connection,
    requester: Requester,
    config: &Config,
    idempotency: Option<&Idempotency>,
    quota: u32,
    encode: Encode,
) -> Result<Creation, StoreError> {
    if !configs::may_change(db, requester, config.project)? {
        return Ok(Creation::UnknownProject);
    }
    if let Some(idempotency) = idempotency
        && let Some(stored) = find_answer(db, config, idempotency)?
    {
        return Ok(stored.answer_to(idempotency));
    }
    let beneficiaries = config.beneficiaries.iter();
    let found = beneficiaries.map(|beneficiary| charities::find(db, beneficiary.charity));
    let charities = match creation::active_charities(found.collect::<Result<_, _>>()?) {
        Ok(charities) => charities,
        Err(unknown) => return Ok(Creation::UnknownCharities(unknown)),
    };
    if count(db, config.project, config.created_at, quota)? >= quota {
        return Ok(Creation::QuotaExceeded);
    }
    configs::insert(db, config)?;
    let answer = encode(config, &charities)?;
    if let Some(idempotency) = idempotency {
        store_answer(db, config, idempotency, &answer)?;
    }
    let of = (config.project, config.id);
    webhooks::tell_of_config(db, EventType::ConfigCreated, of, config.created_at)?;
    if let Requester::Actor(actor) = requester {
        let action = AuditAction::ConfigCreated(config.id.to_string());
        projects::record_event(db, actor, config.project, action, config.created_at)?;
    }
    Ok(Creation::Created(answer))
}

/// The number of configs that count towards the project's quota at `now`, up to `most` of those that it has
/// and of those that it deleted.
pub(crate) fn count(
    db: &Connection,
    project: ProjectId,
    now: Timestamp,
    most: u32,
) -> rusqlite::Result<u32> {
    let sql = "SELECT
                 (SELECT count(*) FROM (
                   SELECT 1 FROM config WHERE project = ?1 AND deleted_at IS NULL LIMIT ?3
                 )) + (SELECT count(*) FROM (
                   SELECT 1 FROM config WHERE project = ?1 AND deleted_at > ?2 LIMIT ?3
                 ))";
    let since = Millis(creation::a_day_before(now));
    let count = query::first(db, sql, (project, since, most), |row| row.get(0))?;
    Ok(count.unwrap_or(0))
}

fn find_answer(
    db: &Connection,
    config: &Config,
    idempotency: &Idempotency,
) -> rusqlite::Result<Option<StoredAnswer>> {
    delete_expired(db, config, idempotency)?;
    let sql = "SELECT fingerprint, config, answer FROM idempotency WHERE project = ?1 AND key = ?2";
    query::first(db, sql, (config.project, &idempotency.key), |row| {
        Ok(StoredAnswer {
            fingerprint: row.get("fingerprint")?,
            config: row.get("config")?,
            answer: row.get("answer")?,
        })
    })
}

/// Deletes the key's own response if it has expired, and some other expired ones.
fn delete_expired(
    db: &Connection,
    config: &Config,
    idempotency: &Idempotency,
) -> rusqlite::Result<()> {
    let expired = Millis(creation::a_day_before(config.created_at));
    let sql = "DELETE FROM idempotency WHERE project = ?1 AND key = ?2 AND created_at <= ?3";
    query::execute(db, sql, (config.project, &idempotency.key, expired))?;
    let sql = "DELETE FROM idempotency WHERE rowid IN (
                 SELECT rowid FROM idempotency WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2
               )";
    query::execute(db, sql, (expired, creation::MAX_DELETED))?;
    Ok(())
}

fn store_answer(
    db: &Connection,
    config: &Config,
    idempotency: &Idempotency,
    answer: &[u8],
) -> Result<(), StoreError> {
    let Idempotency { key, fingerprint } = idempotency;
    let Config {
        id,
        project,
        created_at,
        ..
    } = config;
    query::execute(
        db,
        "INSERT INTO idempotency (project, key, fingerprint, config, answer, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (project, key, fingerprint, id, answer, Millis(*created_at)),
    )?;
    Ok(())
}
