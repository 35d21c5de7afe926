//! The audit log: the actions on projects, with author and time. Events are written in the transaction of the
//! change, and only ever added; the address of an invitation alone is forgotten when it must be. They hold no
//! secrets.

mod event;
pub mod sql;
pub mod store;

pub use event::{AuditAction, AuditAuthor, AuditEntry, AuditEvent, AuditEventId};

use crate::projects::{Actor, ProjectId};
use db::{Db, DbError};

/// The events of a project before `before`, the latest first. `None` if the actor sees no such
/// project.
pub async fn of_project(
    store: &Db,
    actor: Actor,
    project: ProjectId,
    before: Option<AuditEventId>,
    limit: usize,
) -> Result<Option<Vec<AuditEntry>>, DbError> {
    crate::audit::store::audit_events(store, actor, project, before, limit).await
}
