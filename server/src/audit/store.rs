//! The database operations of the audit log.

use async_trait::async_trait;

use super::{AuditEntry, AuditEventId};
use crate::database::StoreError;
use crate::projects::{Actor, ProjectId};

/// The database operations of the audit log. See [`Database`](crate::database::Database).
#[async_trait]
pub trait AuditStore {
    /// The events of a project before `before`, the latest first; `None` if the actor sees no such
    /// project.
    async fn audit_events(
        &self,
        actor: Actor,
        project: ProjectId,
        before: Option<AuditEventId>,
        limit: usize,
    ) -> Result<Option<Vec<AuditEntry>>, StoreError>;

    /// The latest events, at most 1,000, by which keys of a project were disabled or revoked, the latest first;
    /// none if the actor sees no such project.
    async fn key_stops(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Vec<AuditEntry>, StoreError>;
}
