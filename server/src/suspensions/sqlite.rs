//! Suspensions of projects, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::Connection;

use super::{OwnsSuspended, Suspension, SuspensionRefusal, SuspensionStore};
use crate::audit::AuditAction;
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query, versions};
use crate::database::versions::Versioned;
use crate::mail::{NewMail, sqlite as mail};
use crate::operators::sqlite as operators;
use crate::projects::{Actor, ProjectId, Role, sqlite as projects};

#[async_trait]
impl SuspensionStore for Sqlite {
    async fn suspension(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Suspension>, StoreError> {
        self.read(move |db| match projects::seen(db, actor, project)? {
            Some(_) => Ok(find(db, project)?),
            None => Ok(None),
        })
        .await
    }

    async fn suspend_project(
        &self,
        actor: Actor,
        project: ProjectId,
        suspension: Suspension,
        mails: Vec<NewMail>,
    ) -> Result<Result<(), SuspensionRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| {
            let sql = "INSERT INTO suspension (project, reason, since)
                       SELECT id, ?2, ?3 FROM project WHERE id = ?1 AND deleted_at IS NULL
                       ON CONFLICT (project) DO NOTHING";
            let Suspension { reason, since } = suspension;
            let params = (project, reason.clone(), Millis(since));
            let action = AuditAction::ProjectSuspended(reason);
            change(tx, (actor, project), sql, params, action, &mails, since)
        })
        .await
    }

    async fn resume_project(
        &self,
        actor: Actor,
        project: ProjectId,
        mails: Vec<NewMail>,
        now: Timestamp,
    ) -> Result<Result<(), SuspensionRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| {
            let sql = "DELETE FROM suspension WHERE project = ?1";
            let action = AuditAction::ProjectResumed;
            change(tx, (actor, project), sql, [project], action, &mails, now)
        })
        .await
    }
}

/// Makes a change that an operator may make, with its mails and its entry in the audit log.
fn change(
    db: &Connection,
    (actor, project): (Actor, ProjectId),
    sql: &str,
    params: impl rusqlite::Params,
    action: AuditAction,
    mails: &[NewMail],
    now: Timestamp,
) -> Result<Result<(), SuspensionRefusal>, StoreError> {
    if !operators::administers(db, actor)? {
        return Ok(Err(SuspensionRefusal::Forbidden));
    }
    if query::execute(db, sql, params)? == 0 {
        return Ok(Err(SuspensionRefusal::Unchanged(project)));
    }
    versions::advance(db, Versioned::Keys)?;
    projects::record_event(db, actor, project, action, now)?;
    for notice in mails {
        mail::enqueue_to_account(db, notice)?;
    }
    Ok(Ok(()))
}

fn find(db: &Connection, project: ProjectId) -> rusqlite::Result<Option<Suspension>> {
    let sql = "SELECT reason, since FROM suspension WHERE project = ?1";
    query::first(db, sql, [project], |row| {
        Ok(Suspension {
            reason: row.get("reason")?,
            since: column::time(row, "since")?,
        })
    })
}

/// Refuses an account that owns a suspended project.
pub(crate) fn admit(db: &Connection, actor: Actor) -> rusqlite::Result<Result<(), OwnsSuspended>> {
    let Actor::Account(account) = actor else {
        return Ok(Ok(()));
    };
    let sql = "SELECT 1 FROM membership JOIN suspension ON suspension.project = membership.project
                 JOIN project ON project.id = membership.project
               WHERE membership.account = ?1 AND membership.role = ?2 AND project.deleted_at IS NULL";
    Ok(match query::exists(db, sql, (account, Role::Owner))? {
        true => Err(OwnsSuspended),
        false => Ok(()),
    })
}
