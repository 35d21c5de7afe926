//! Making a config on request, once for each idempotency key, in SQLite.

use jiff::Timestamp;
use rusqlite::Connection;

use crate::audit::AuditAction;
use crate::charities::sqlite as charities;
use crate::configs::{Config, Creation, Encode, Requester, creation, sqlite as configs};
use crate::database::StoreError;
use crate::database::sqlite::column::Millis;
use crate::database::sqlite::query;
use crate::idempotency::{Idempotency, sqlite as keys};
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
        && let Some(record) = keys::find(db, config.project, idempotency, config.created_at)?
    {
        return creation::repeat(record, idempotency);
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
        let record = idempotency.record(&config.id.0, Some(&answer));
        keys::insert(db, config.project, idempotency, &record, config.created_at)?;
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
    let since = Millis(creation::deleted_count_since(now));
    let count = query::first(db, sql, (project, since, most), |row| row.get(0))?;
    Ok(count.unwrap_or(0))
}
