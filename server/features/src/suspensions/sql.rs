//! Suspensions of projects.

use db::{DbError, Tx, Value, params};
use jiff::Timestamp;

use super::{OwnsSuspended, Suspension, SuspensionError, SuspensionRejection};
use crate::audit::{AuditAction, sql as audit};
use crate::database::Versioned;
use crate::mail::{NewMail, sql as mail};
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
    change(tx, (actor, project), (sql, params), action, mails, *since)
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
