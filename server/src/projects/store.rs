//! What a database is asked for projects.

use async_trait::async_trait;

use super::{Project, ProjectId, Tier};
use crate::database::StoreError;

/// What a database is asked for projects. See [`Database`](crate::database::Database).
#[async_trait]
pub trait ProjectStore {
    /// All projects, by name.
    async fn projects(&self) -> Result<Vec<Project>, StoreError>;

    /// Changes what a project pays for; false when there is no such project.
    async fn set_tier(&self, project: ProjectId, tier: Tier) -> Result<bool, StoreError>;
}
