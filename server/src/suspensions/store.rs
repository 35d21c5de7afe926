//! The database operations of suspensions.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::{Suspension, SuspensionRefusal};
use crate::mail::NewMail;
use crate::projects::{Actor, ProjectId};
use crate::suspensions::sql;

/// The suspension of a project, if there is one and the actor sees the project.
pub async fn suspension(
    db: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Suspension>, DbError> {
    db.read(move |tx| sql::find(tx, actor, project)).await
}

/// Suspends a project, and puts the mails into the outbox. All or nothing.
pub async fn suspend_project(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    suspension: Suspension,
    mails: Vec<NewMail>,
) -> Result<Result<(), SuspensionRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::suspend(tx, actor, project, &suspension, &mails)
    })
    .await
}

/// Ends a project's suspension, and puts the mails into the outbox. All or nothing.
pub async fn resume_project(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    mails: Vec<NewMail>,
    now: Timestamp,
) -> Result<Result<(), SuspensionRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::resume(tx, actor, project, &mails, now)
    })
    .await
}
