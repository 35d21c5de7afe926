//! The database operations of suspensions.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Suspension, SuspensionRefusal};
use crate::database::StoreError;
use crate::mail::NewMail;
use crate::projects::{Actor, ProjectId};

/// The database operations of suspensions. See [`Database`](crate::database::Database).
#[async_trait]
pub trait SuspensionStore {
    /// The suspension of a project, if there is one and the actor sees the project.
    async fn suspension(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Suspension>, StoreError>;

    /// Suspends a project, and puts the mails into the outbox. All or nothing.
    async fn suspend_project(
        &self,
        actor: Actor,
        project: ProjectId,
        suspension: Suspension,
        mails: Vec<NewMail>,
    ) -> Result<Result<(), SuspensionRefusal>, StoreError>;

    /// Ends a project's suspension, and puts the mails into the outbox. All or nothing.
    async fn resume_project(
        &self,
        actor: Actor,
        project: ProjectId,
        mails: Vec<NewMail>,
        now: Timestamp,
    ) -> Result<Result<(), SuspensionRefusal>, StoreError>;
}
