//! Suspensions of projects.

use db::{Batch, DbError, Row, Tx, Value, params};
use jiff::Timestamp;

use super::{OwnsSuspended, Suspension, SuspensionError, SuspensionRejection};
use crate::audit::{AuditAction, sql as audit};
use crate::database::Versioned;
use crate::mail::{MailId, NewMail, sql as mail};
use crate::projects::{Actor, ProjectId, Role, sql as projects};

pub(crate) fn suspend(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    suspension: &Suspension,
    mails: &[NewMail],
) -> Result<(), SuspensionError> {
    let sql = "INSERT INTO suspension (project, reason, since)
               SELECT id, $2, $3 FROM project WHERE id = $1 AND deleted_at IS NULL
               ON CONFLICT (project) DO NOTHING";
    let Suspension { reason, since } = suspension;
    let params = params![project, reason, *since];
    let action = AuditAction::ProjectSuspended(reason.clone());
    // Invitations and answers to them lock the project as well: none outlives the suspension.
    projects::lock(tx, actor, project)?;
    change(tx, (actor, project), (sql, params), action, mails, *since)?;
    Ok(end_invitations(tx, project, *since)?)
}

/// Ends the invitations to a project and those that its owners sent. Their emails are not sent any more.
fn end_invitations(tx: &Tx<'_>, project: ProjectId, now: Timestamp) -> Result<(), DbError> {
    let sql = "SELECT id FROM invitation WHERE project = $1 AND ended_at IS NULL
               UNION
               SELECT invitation.id
               FROM membership JOIN invitation ON invitation.invited_by = membership.account
               WHERE membership.project = $1 AND membership.role = $2
                 AND invitation.ended_at IS NULL";
    // An invitation and its email have the same ID.
    let read = |row: &Row<'_>| row.get::<MailId>("id");
    let ended: Vec<MailId> = tx.all(sql, params![project, Role::Owner], read)?;
    let sql =
        "UPDATE invitation SET ended_at = $2 FROM batch(id uuid) WHERE invitation.id = batch.id";
    tx.execute_batch(sql, &Batch::of_column(ended.iter().copied()), params![now])?;
    ended.into_iter().try_for_each(|id| mail::withdraw(tx, id))
}

pub(crate) fn resume(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    mails: &[NewMail],
    now: Timestamp,
) -> Result<(), SuspensionError> {
    let sql = "DELETE FROM suspension WHERE project = $1";
    let params = params![project];
    let action = AuditAction::ProjectResumed;
    change(tx, (actor, project), (sql, params), action, mails, now)
}

/// Makes a change that an operator may make, with its mails and its entry in the audit log.
fn change(
    tx: &Tx<'_>,
    (actor, project): (Actor, ProjectId),
    (sql, params): (&str, &[Value]),
    action: AuditAction,
    mails: &[NewMail],
    now: Timestamp,
) -> Result<(), SuspensionError> {
    if !projects::administers(tx, actor)? {
        return Err(SuspensionRejection::Forbidden.into());
    }
    if tx.execute(sql, params)? == 0 {
        return Err(SuspensionRejection::Unchanged(project).into());
    }
    audit::record_event(tx, actor, project, action, now)?;
    for notice in mails {
        mail::enqueue_to_account(tx, notice)?;
    }
    Versioned::Keys.changed(tx, &project.0);
    Ok(())
}

pub(crate) fn find(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Suspension>, DbError> {
    if projects::seen(tx, actor, project)?.is_none() {
        return Ok(None);
    }
    let sql = "SELECT reason, since FROM suspension WHERE project = $1";
    tx.first(sql, params![project], |row| {
        Ok(Suspension {
            reason: row.get("reason")?,
            since: row.get("since")?,
        })
    })
}

/// Rejects an account that owns a suspended project.
pub fn admit<E: From<OwnsSuspended> + From<DbError>>(tx: &Tx<'_>, actor: Actor) -> Result<(), E> {
    match owns_suspended(tx, actor)? {
        true => Err(OwnsSuspended.into()),
        false => Ok(()),
    }
}

/// Whether a project is suspended.
pub fn is_suspended(tx: &Tx<'_>, project: ProjectId) -> Result<bool, DbError> {
    let sql = "SELECT 1 FROM suspension WHERE project = $1";
    tx.exists(sql, params![project])
}

/// Whether an account owns a suspended project.
pub(crate) fn owns_suspended(tx: &Tx<'_>, actor: Actor) -> Result<bool, DbError> {
    let Actor::Account(account) = actor else {
        return Ok(false);
    };
    let sql = "SELECT 1 FROM membership JOIN suspension ON suspension.project = membership.project
                 JOIN project ON project.id = membership.project
               WHERE membership.account = $1 AND membership.role = $2 AND project.deleted_at IS NULL";
    tx.exists(sql, params![account, Role::Owner])
}
