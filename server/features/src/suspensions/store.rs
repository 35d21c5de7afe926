//! The database operations of suspensions.

use db::{Db, Timeouts};
use jiff::Timestamp;

use super::{Suspension, SuspensionError, sql};
use crate::mail::NewMail;
use crate::projects::{Actor, ProjectId};

/// Suspends a project, and puts the mails into the outbox. All or nothing.
pub async fn suspend_project(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    suspension: Suspension,
    mails: Vec<NewMail>,
) -> Result<(), SuspensionError> {
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
) -> Result<(), SuspensionError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::resume(tx, actor, project, &mails, now)
    })
    .await
}
