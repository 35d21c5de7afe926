//! The database operations of projects.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Actor, OwnProject, Project, ProjectId, ProjectRefusal, Role, Tier};
use crate::accounts::{AccountId, Email};
use crate::database::StoreError;

/// The database operations of projects, deleted ones left out. See
/// [`Database`](crate::database::Database).
#[async_trait]
pub trait ProjectStore {
    /// All projects, by name.
    async fn projects(&self) -> Result<Vec<Project>, StoreError>;

    /// The projects of an account, by name.
    async fn projects_of(&self, account: AccountId) -> Result<Vec<OwnProject>, StoreError>;

    /// A project by its id, if the actor sees it.
    async fn project(&self, actor: Actor, id: ProjectId) -> Result<Option<Project>, StoreError>;

    /// A project, and how many configs count towards its quota at `now`.
    async fn project_with_configs(
        &self,
        id: ProjectId,
        now: Timestamp,
    ) -> Result<Option<(Project, u64)>, StoreError>;

    /// The addresses of a project's owners.
    async fn owners(&self, project: ProjectId) -> Result<Vec<Email>, StoreError>;

    /// Creates a project, whose id is new.
    async fn create_project(
        &self,
        actor: Actor,
        project: Project,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError>;

    /// Creates a Free project that an account owns, unless it owns `most` already, those included that
    /// were deleted in the last 24 h.
    async fn create_own_project(
        &self,
        account: AccountId,
        project: Project,
        most: u32,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError>;

    /// Makes an account a member of a project, or changes its role.
    async fn add_member(
        &self,
        actor: Actor,
        project: ProjectId,
        member: (AccountId, Role),
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError>;

    /// Hides a project, revokes its keys, deletes its webhooks and withdraws its claims that are not
    /// decided.
    async fn delete_project(
        &self,
        actor: Actor,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError>;

    /// Gives a project that the actor owns another name.
    async fn rename_project(
        &self,
        actor: Actor,
        project: ProjectId,
        name: String,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError>;

    /// Changes the tier of a project.
    async fn set_tier(
        &self,
        actor: Actor,
        project: ProjectId,
        tier: Tier,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError>;
}
