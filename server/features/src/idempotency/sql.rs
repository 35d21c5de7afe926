//! Idempotency keys.

use db::{DbError, Tx, params};
use edge::clock::latest;
use jiff::Timestamp;

use super::{Idempotency, IdempotencyRecord, MAX_DELETED, expired};
use crate::projects::ProjectId;

/// The record of a request's key, unless it has expired.
pub(crate) fn find(
    tx: &Tx<'_>,
    project: ProjectId,
    request: &Idempotency,
    now: Timestamp,
) -> Result<Option<IdempotencyRecord>, DbError> {
    delete_expired(tx, project, request, now)?;
    let sql =
        "SELECT fingerprint, resource, response FROM idempotency WHERE project = $1 AND key = $2";
    tx.first(sql, params![project, request.key], |row| {
        Ok(IdempotencyRecord {
            fingerprint: row.get::<[u8; 32]>("fingerprint")?,
            resource: row.get("resource")?,
            response: row.get("response")?,
        })
    })
}

/// Deletes the key's own record if it has expired, and some other expired ones that no other transaction
/// is deleting.
fn delete_expired(
    tx: &Tx<'_>,
    project: ProjectId,
    request: &Idempotency,
    now: Timestamp,
) -> Result<(), DbError> {
    let expired = expired(now);
    let sql = "DELETE FROM idempotency
               WHERE project = $1 AND key = $2 AND (created_at <= $3 OR created_at > $4)";
    tx.execute(sql, params![project, request.key, expired, latest(now)])?;
    let sql = "DELETE FROM idempotency WHERE (project, key) IN (
                 SELECT old.project, old.key FROM idempotency AS old WHERE old.created_at <= $1
                 ORDER BY old.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
               )";
    tx.execute(sql, params![expired, MAX_DELETED])?;
    Ok(())
}

/// Stores the record of a request.
pub(crate) fn insert(
    tx: &Tx<'_>,
    project: ProjectId,
    request: &Idempotency,
    record: &IdempotencyRecord,
    now: Timestamp,
) -> Result<(), DbError> {
    let sql = "INSERT INTO idempotency (project, key, fingerprint, resource, response, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let IdempotencyRecord {
        fingerprint,
        resource,
        response,
    } = record;
    let params = params![project, request.key, fingerprint, resource, response, now];
    tx.execute(sql, params)?;
    Ok(())
}

/// Deletes the record of a resource that is being deleted, and whose response would be created anew.
pub(crate) fn forget(tx: &Tx<'_>, resource: &[u8]) -> Result<(), DbError> {
    let sql = "DELETE FROM idempotency WHERE resource = $1 AND response IS NULL";
    tx.execute(sql, params![resource])?;
    Ok(())
}
