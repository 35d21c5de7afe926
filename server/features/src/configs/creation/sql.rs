//! Making a config on request, once for each idempotency key.

use db::{DbError, Tx, params};
use edge::clock::latest;
use jiff::Timestamp;

use crate::audit::{AuditAction, sql as audit};
use crate::charities::sql as charities;
use crate::configs::{
    Config, ConfigError, ConfigRejection, Creation, Encode, creation, events, sql as configs,
};
use crate::events::EventType;
use crate::idempotency::{Idempotency, sql as keys};
use crate::projects::{ProjectId, Requester, sql as projects};

/// Creates a config and, if the request has a key, stores the response, unless there is one for the
/// key.
///
/// Concurrent requests of one project, on any replica, take turns: the second of two with one key finds
/// the response, and no two take the last place of the quota.
pub(crate) fn create(
    tx: &Tx<'_>,
    requester: Requester,
    config: &Config,
    idempotency: Option<&Idempotency>,
    quota: u32,
    encode: Encode,
) -> Result<Creation, ConfigError> {
    if !take_turn(tx, requester, config)? {
        return Err(ConfigRejection::UnknownProject.into());
    }
    if let Some(idempotency) = idempotency
        && let Some(record) = keys::find(tx, config.project, idempotency, config.created_at)?
    {
        return creation::repeat(record, idempotency);
    }
    let ids: Vec<_> = config.beneficiaries.iter().map(|it| it.charity).collect();
    let charities = creation::active_charities(&ids, charities::some(tx, &ids)?)?;
    if count(tx, config.project, config.created_at, quota)? >= i64::from(quota) {
        return Err(ConfigRejection::QuotaExceeded(quota).into());
    }
    configs::insert(tx, config)?;
    let answer = encode(config, &charities)?;
    if let Some(idempotency) = idempotency {
        let record = idempotency.record(&config.id.0, Some(&answer));
        keys::insert(tx, config.project, idempotency, &record, config.created_at)?;
    }
    let of = (config.project, config.id);
    events::enqueue(tx, EventType::ConfigCreated, of, config.created_at)?;
    let action = AuditAction::ConfigCreated(config.id.to_string());
    audit::record_event(tx, requester, config.project, action, config.created_at)?;
    Ok(Creation::Created(answer))
}

/// Waits for the other transactions that make a config of the project. References to the project do not
/// wait. False for a requester that may not change the project.
fn take_turn(tx: &Tx<'_>, requester: Requester, config: &Config) -> Result<bool, DbError> {
    if let Requester::Actor(actor) = requester {
        let managed = projects::lock_managed(tx, actor, config.project)?;
        return Ok(managed.is_some());
    }
    let sql = "SELECT 1 FROM project WHERE id = $1 FOR NO KEY UPDATE";
    tx.first(sql, params![config.project], |_| Ok(()))?;
    Ok(true)
}

/// The number of configs that count towards the project's quota at `now`, up to `most` of those that it has
/// and of those that it deleted.
pub(crate) fn count(
    tx: &Tx<'_>,
    project: ProjectId,
    now: Timestamp,
    most: u32,
) -> Result<i64, DbError> {
    let sql = "SELECT
                 (SELECT count(*) FROM (
                   SELECT 1 FROM config WHERE project = $1 AND deleted_at IS NULL LIMIT $3
                 ) AS live)
                 + (SELECT count(*) FROM (
                   SELECT 1 FROM config WHERE project = $1 AND deleted_at > $2 AND deleted_at <= $4 LIMIT $3
                 ) AS deleted) AS counted";
    let since = creation::deleted_count_since(now);
    let most = i64::from(most);
    let params = params![project, since, most, latest(now)];
    tx.one(sql, params, |row| row.get("counted"))
}
