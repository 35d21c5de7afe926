//! The database operations that create projects and their memberships.

use db::{Db, Timeouts};
use jiff::Timestamp;

use super::{ProjectChangeError, sql};
use crate::domain::ids::AccountId;
use crate::projects::{Actor, Project, ProjectId, Role};

/// Creates a project, whose id is new.
pub async fn create_project(
    db: &Db,
    actor: Actor,
    project: Project,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::create(tx, actor, &project, now)
    })
    .await
}

/// Makes an account a member of a project, or changes its role.
pub async fn add_member(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    member: (AccountId, Role),
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::add_member(tx, actor, project, member, now)
    })
    .await
}
