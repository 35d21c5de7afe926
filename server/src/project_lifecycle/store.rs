//! The database operations that create, change and delete projects.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::{ProjectRefusal, sql};
use crate::domain::ids::AccountId;
use crate::projects::{Actor, Project, ProjectId, Role, Tier};

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
