//! The database operations of projects.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::{Actor, OwnProject, Project, ProjectId, ProjectRefusal, Role, Tier};
use crate::accounts::{AccountId, Email};
use crate::projects::sql;

/// All projects, by name.
pub async fn projects(db: &Db) -> Result<Vec<Project>, DbError> {
    db.read(sql::all).await
}

/// The projects of an account, by name.
pub async fn projects_of(db: &Db, account: AccountId) -> Result<Vec<OwnProject>, DbError> {
    db.read(move |tx| sql::of_account(tx, account)).await
}

/// A project by its id, if the actor sees it.
pub async fn project(db: &Db, actor: Actor, id: ProjectId) -> Result<Option<Project>, DbError> {
    db.read(move |tx| sql::seen(tx, actor, id)).await
}

/// A project, and how many configs count towards its quota at `now`.
pub async fn project_with_configs(
    db: &Db,
    id: ProjectId,
    now: Timestamp,
) -> Result<Option<(Project, u64)>, DbError> {
    db.read(move |tx| sql::with_configs(tx, id, now)).await
}

/// The addresses of a project's owners.
pub async fn owners(db: &Db, project: ProjectId) -> Result<Vec<Email>, DbError> {
    db.read(move |tx| sql::owners(tx, project)).await
}

/// Creates a project, whose id is new.
pub async fn create_project(
    db: &Db,
    actor: Actor,
    project: Project,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::create(tx, actor, &project, now)
    })
    .await
}

/// Creates a Free project that an account owns, unless it owns `most` already, those included that
/// were deleted in the last 24 h.
pub async fn create_own_project(
    db: &Db,
    account: AccountId,
    project: Project,
    most: u32,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    db.write(
        Actor::Account(account).writer(),
        Timeouts::Request,
        move |tx| sql::create_own(tx, account, &project, most, now),
    )
    .await
}

/// Makes an account a member of a project, or changes its role.
pub async fn add_member(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    member: (AccountId, Role),
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::add_member(tx, actor, project, member, now)
    })
    .await
}

/// Hides a project, revokes its keys, deletes its webhooks and withdraws its claims that are not
/// decided.
pub async fn delete_project(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::delete_asked(tx, actor, project, now)
    })
    .await
}

/// Gives a project that the actor owns another name.
pub async fn rename_project(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    name: String,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::rename(tx, actor, project, &name, now)
    })
    .await
}

/// Changes the tier of a project.
pub async fn set_tier(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::set_tier(tx, actor, project, tier, now)
    })
    .await
}
