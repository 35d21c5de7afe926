//! The database operations of projects.

use async_trait::async_trait;

use super::{Actor, Project, ProjectId, ProjectRefusal, Tier};
use crate::database::StoreError;

/// The database operations of projects. See [`Database`](crate::database::Database).
#[async_trait]
pub trait ProjectStore {
    /// All projects, by name.
    async fn projects(&self) -> Result<Vec<Project>, StoreError>;

    /// A project by its id.
    async fn project(&self, id: ProjectId) -> Result<Option<Project>, StoreError>;

    /// Creates a project, whose id is new.
    async fn create_project(
        &self,
        actor: Actor,
        project: Project,
    ) -> Result<Result<(), ProjectRefusal>, StoreError>;

    /// Changes the tier of a project.
    async fn set_tier(
        &self,
        actor: Actor,
        project: ProjectId,
        tier: Tier,
    ) -> Result<Result<(), ProjectRefusal>, StoreError>;
}
