//! Making a config on request, once for each idempotency key, in PostgreSQL.

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;

use crate::audit::AuditAction;
use crate::charities::postgres as charities;
use crate::configs::{Config, Creation, Encode, Requester, creation, postgres as configs};
use crate::database::postgres::column::Millis;
use crate::database::postgres::{Failure, query};
use crate::idempotency::{Idempotency, postgres as keys};
use crate::projects::{ProjectId, postgres as projects};
use crate::webhooks::EventType;
use crate::webhooks::audience::postgres as webhooks;

/// Creates a config and, if the request has a key, stores the response, unless there is one for the
/// key.
///
/// Concurrent requests of one project, on any replica, take turns: the second of two with one key finds
/// the response, and no two take the last place of the quota.
pub(crate) async fn create(
    tx: &Transaction<'_>,
    requester: Requester,
    config: &Config,
    idempotency: Option<&Idempotency>,
    quota: u32,
    encode: Encode,
) -> Result<Creation, Failure> {
    if !take_turn(tx, requester, config).await? {
        return Ok(Creation::UnknownProject);
    }
    if let Some(idempotency) = idempotency
        && let Some(record) = keys::find(tx, config.project, idempotency, config.created_at).await?
    {
        return Ok(creation::repeat(record, idempotency)?);
    }
    let ids: Vec<_> = config.beneficiaries.iter().map(|it| it.charity).collect();
    let known = charities::some(tx, &ids).await?;
    let mut known: HashMap<_, _> = known.into_iter().map(|it| (it.id, it)).collect();
    let found = ids.iter().map(|id| known.remove(id)).collect();
    let charities = match creation::active_charities(found) {
        Ok(charities) => charities,
        Err(unknown) => return Ok(Creation::UnknownCharities(unknown)),
    };
    if count(tx, config.project, config.created_at, quota).await? >= i64::from(quota) {
        return Ok(Creation::QuotaExceeded);
    }
    configs::insert(tx, config).await?;
    let answer = encode(config, &charities)?;
    if let Some(idempotency) = idempotency {
        let record = idempotency.record(&config.id.0, Some(&answer));
        keys::insert(tx, config.project, idempotency, &record, config.created_at).await?;
    }
    let of = (config.project, config.id);
    webhooks::tell_of_config(tx, EventType::ConfigCreated, of, config.created_at).await?;
    if let Requester::Actor(actor) = requester {
        let action = AuditAction::ConfigCreated(config.id.to_string());
        projects::record_event(tx, actor, config.project, action, config.created_at).await?;
    }
    Ok(Creation::Created(answer))
}

/// Waits for the other transactions that make a config of the project. References to the project do not
/// wait. False for a requester that may not change the project.
async fn take_turn(
    tx: &Transaction<'_>,
    requester: Requester,
    config: &Config,
) -> Result<bool, Failure> {
    if let Requester::Actor(actor) = requester {
        let managed = projects::lock_managed(tx, actor, config.project).await?;
        return Ok(managed.is_some());
    }
    let sql = "SELECT 1 FROM project WHERE id = $1 FOR NO KEY UPDATE";
    query::first(tx, sql, &[&config.project], |_| Ok(())).await?;
    Ok(true)
}

/// The number of configs that count towards the project's quota at `now`, up to `most` of those that it has
/// and of those that it deleted.
pub(crate) async fn count(
    db: &impl GenericClient,
    project: ProjectId,
    now: Timestamp,
    most: u32,
) -> Result<i64, Failure> {
    let sql = "SELECT count(*) FROM (
                 (SELECT 1 FROM config WHERE project = $1 AND deleted_at IS NULL LIMIT $3)
                 UNION ALL
                 (SELECT 1 FROM config WHERE project = $1 AND deleted_at > $2 LIMIT $3)
               ) AS counted";
    let since = Millis(creation::deleted_count_since(now));
    let most = i64::from(most);
    let params: query::Params<'_> = &[&project, &since, &most];
    let count = query::first(db, sql, params, |row| Ok(row.try_get(0)?)).await?;
    Ok(count.unwrap_or(0))
}
