//! Creating projects and setting their tiers: use cases for the command line or a dashboard.

use uuid::Uuid;

use super::{Actor, Project, ProjectId, Tier};
use crate::database::{Database, StoreError};
use crate::domain::printable::acts;

/// The reason why a project was not created or changed.
#[derive(Debug, thiserror::Error)]
pub enum ProjectChangeError {
    /// The name is empty.
    #[error("a project needs a name")]
    NoName,
    /// The name has control characters, which act on the terminal or page that shows it.
    #[error(
        "a project's name has no control characters, nor any that change the direction of text"
    )]
    UnprintableName,
    /// It is refused.
    #[error(transparent)]
    Refused(#[from] ProjectRefusal),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The reason why a database does not change a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProjectRefusal {
    /// The actor may not do this.
    #[error("only an operator creates projects and sets tiers")]
    Forbidden,
    /// There is no such project.
    #[error("there is no project {}", .0.0)]
    Unknown(ProjectId),
}

/// Creates a project.
///
/// # Errors
/// When the name is empty or unprintable, the actor may not create projects, or the database fails.
pub async fn create(
    store: &dyn Database,
    actor: Actor,
    name: String,
    tier: Tier,
) -> Result<ProjectId, ProjectChangeError> {
    if name.trim().is_empty() {
        return Err(ProjectChangeError::NoName);
    }
    if name.chars().any(acts) {
        return Err(ProjectChangeError::UnprintableName);
    }
    let id = ProjectId(Uuid::now_v7());
    store
        .create_project(actor, Project { id, name, tier })
        .await??;
    Ok(id)
}

/// Changes the tier of a project; running servers follow within a second.
///
/// # Errors
/// When there is no such project, the actor may not set tiers, or the database fails.
pub async fn set_tier(
    store: &dyn Database,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
) -> Result<(), ProjectChangeError> {
    Ok(store.set_tier(actor, project, tier).await??)
}
