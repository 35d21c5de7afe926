//! Suspensions of projects.

use db::{DbError, Tx, Value, params};
use jiff::Timestamp;

use super::{OwnsSuspended, Suspension, SuspensionRefusal};
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
) -> Result<Result<(), SuspensionRefusal>, DbError> {
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
) -> Result<Result<(), SuspensionRefusal>, DbError> {
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
) -> Result<Result<(), SuspensionRefusal>, DbError> {
    if !projects::administers(tx, actor)? {
        return Ok(Err(SuspensionRefusal::Forbidden));
    }
    if tx.execute(sql, params)? == 0 {
        return Ok(Err(SuspensionRefusal::Unchanged(project)));
    }
    audit::record_event(tx, actor, project, action, now)?;
    for notice in mails {
        mail::enqueue_to_account(tx, notice)?;
    }
    tx.bump(Versioned::Keys.name());
    Ok(Ok(()))
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

/// Refuses an account that owns a suspended project.
pub(crate) fn admit(tx: &Tx<'_>, actor: Actor) -> Result<Result<(), OwnsSuspended>, DbError> {
    let Actor::Account(account) = actor else {
        return Ok(Ok(()));
    };
    let sql = "SELECT 1 FROM membership JOIN suspension ON suspension.project = membership.project
                 JOIN project ON project.id = membership.project
               WHERE membership.account = $1 AND membership.role = $2 AND project.deleted_at IS NULL";
    Ok(match tx.exists(sql, params![account, Role::Owner])? {
        true => Err(OwnsSuspended),
        false => Ok(()),
    })
}
