//! The audit log: the actions on projects, with author and time. Events are written in the transaction of the
//! change, and only ever added; the address of an invitation alone is forgotten when it must be. They hold no
//! secrets.

mod event;
pub(crate) mod postgres;
pub(crate) mod sqlite;
mod store;

pub use event::{AuditAction, AuditAuthor, AuditEntry, AuditEvent, AuditEventId};
pub use store::AuditStore;

use crate::database::{Database, StoreError};
use crate::projects::{Actor, ProjectId};

/// The events of a project before `before`, the latest first. `None` if the actor sees no such
/// project.
///
/// # Errors
/// When the database fails.
pub async fn of_project(
    store: &dyn Database,
    actor: Actor,
    project: ProjectId,
    before: Option<AuditEventId>,
    limit: usize,
) -> Result<Option<Vec<AuditEntry>>, StoreError> {
    store.audit_events(actor, project, before, limit).await
}
