//! The database operations of the audit log.

use db::{Db, DbError, Timeouts};

use super::{AuditEntry, AuditEventId};
use crate::audit::sql;
use crate::projects::{Actor, ProjectId, Requester};

/// The events of a project before `before`, the latest first; `None` if the actor sees no such
/// project.
pub async fn audit_events(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    before: Option<AuditEventId>,
    limit: usize,
) -> Result<Option<Vec<AuditEntry>>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::page(tx, actor, project, before, limit)
    })
    .await
}

/// The latest events of a project by an author; `None` if the actor sees no such project.
pub async fn events_by(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    author: Requester,
    limit: usize,
) -> Result<Option<Vec<AuditEntry>>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::by_author(tx, actor, project, author, limit)
    })
    .await
}

/// The latest events, at most 1,000, by which keys of a project were disabled or revoked, the latest first;
/// none if the actor sees no such project.
pub async fn key_stops(
    db: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Vec<AuditEntry>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::key_stops(tx, actor, project)
    })
    .await
}
