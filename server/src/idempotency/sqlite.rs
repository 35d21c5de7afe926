//! Idempotency keys, in SQLite.

use jiff::Timestamp;
use rusqlite::Connection;

use super::{Idempotency, IdempotencyRecord, MAX_DELETED, expired};
use crate::database::sqlite::column::Millis;
use crate::database::sqlite::query;
use crate::projects::ProjectId;

/// The record of a request's key, unless it has expired.
pub(crate) fn find(
    db: &Connection,
    project: ProjectId,
    request: &Idempotency,
    now: Timestamp,
) -> rusqlite::Result<Option<IdempotencyRecord>> {
    delete_expired(db, project, request, now)?;
    let sql =
        "SELECT fingerprint, resource, response FROM idempotency WHERE project = ?1 AND key = ?2";
    query::first(db, sql, (project, &request.key), |row| {
        Ok(IdempotencyRecord {
            fingerprint: row.get("fingerprint")?,
            resource: row.get("resource")?,
            response: row.get("response")?,
        })
    })
}

/// Deletes the key's own record if it has expired, and some other expired ones.
fn delete_expired(
    db: &Connection,
    project: ProjectId,
    request: &Idempotency,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let expired = Millis(expired(now));
    let sql = "DELETE FROM idempotency WHERE project = ?1 AND key = ?2 AND created_at <= ?3";
    query::execute(db, sql, (project, &request.key, expired))?;
    let sql = "DELETE FROM idempotency WHERE rowid IN (
                 SELECT rowid FROM idempotency WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2
               )";
    query::execute(db, sql, (expired, MAX_DELETED))?;
    Ok(())
}

/// Stores the record of a request.
pub(crate) fn insert(
    db: &Connection,
    project: ProjectId,
    request: &Idempotency,
    record: &IdempotencyRecord,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let IdempotencyRecord {
        fingerprint,
        resource,
        response,
    } = record;
    query::execute(
        db,
        "INSERT INTO idempotency (project, key, fingerprint, resource, response, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (
            project,
            &request.key,
            fingerprint,
            resource,
            response,
            Millis(now),
        ),
    )?;
    Ok(())
}

/// Deletes the record of a resource that is being deleted, and whose response would be created anew.
pub(crate) fn forget(db: &Connection, resource: &[u8]) -> rusqlite::Result<()> {
    query::execute(db, FORGET, [resource])?;
    Ok(())
}

const FORGET: &str = "DELETE FROM idempotency WHERE resource = ?1 AND response IS NULL";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_is_forgotten_by_its_index() {
        query::assert_reads_index(
            FORGET,
            [[0; 16]],
            "INDEX idempotency_of_resource (resource=?)",
        );
    }
}
