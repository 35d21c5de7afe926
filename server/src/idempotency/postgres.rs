//! Idempotency keys, in PostgreSQL.

use deadpool_postgres::Transaction;
use jiff::Timestamp;

use super::{Idempotency, IdempotencyRecord, MAX_DELETED, expired};
use crate::database::postgres::column::{Bytes, Millis};
use crate::database::postgres::{Failure, query};
use crate::projects::ProjectId;

/// The record of a request's key, unless it has expired.
pub(crate) async fn find(
    tx: &Transaction<'_>,
    project: ProjectId,
    request: &Idempotency,
    now: Timestamp,
) -> Result<Option<IdempotencyRecord>, Failure> {
    delete_expired(tx, project, request, now).await?;
    let sql =
        "SELECT fingerprint, resource, response FROM idempotency WHERE project = $1 AND key = $2";
    query::first(tx, sql, &[&project, &request.key], |row| {
        Ok(IdempotencyRecord {
            fingerprint: row.try_get::<_, Bytes<32>>("fingerprint")?.0,
            resource: row.try_get("resource")?,
            response: row.try_get("response")?,
        })
    })
    .await
}

/// Deletes the key's own record if it has expired, and some other expired ones that no other transaction
/// is deleting.
async fn delete_expired(
    tx: &Transaction<'_>,
    project: ProjectId,
    request: &Idempotency,
    now: Timestamp,
) -> Result<(), Failure> {
    let expired = Millis(expired(now));
    let sql = "DELETE FROM idempotency WHERE project = $1 AND key = $2 AND created_at <= $3";
    query::execute(tx, sql, &[&project, &request.key, &expired]).await?;
    let sql = "DELETE FROM idempotency WHERE (project, key) IN (
                 SELECT old.project, old.key FROM idempotency AS old WHERE old.created_at <= $1
                 ORDER BY old.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
               )";
    query::execute(tx, sql, &[&expired, &MAX_DELETED]).await?;
    Ok(())
}

/// Stores the record of a request.
pub(crate) async fn insert(
    tx: &Transaction<'_>,
    project: ProjectId,
    request: &Idempotency,
    record: &IdempotencyRecord,
    now: Timestamp,
) -> Result<(), Failure> {
    let sql = "INSERT INTO idempotency (project, key, fingerprint, resource, response, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let IdempotencyRecord {
        fingerprint,
        resource,
        response,
    } = record;
    let (fingerprint, now) = (Bytes(*fingerprint), Millis(now));
    let params: query::Params<'_> = &[
        &project,
        &request.key,
        &fingerprint,
        resource,
        response,
        &now,
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

/// Deletes the record of a resource that is being deleted, and whose response would be created anew.
pub(crate) async fn forget(tx: &Transaction<'_>, resource: &[u8]) -> Result<(), Failure> {
    let sql = "DELETE FROM idempotency WHERE resource = $1 AND response IS NULL";
    query::execute(tx, sql, &[&resource]).await?;
    Ok(())
}
