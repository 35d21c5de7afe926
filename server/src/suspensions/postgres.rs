//! Suspensions of projects, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;

use super::{OwnsSuspended, Suspension, SuspensionRefusal, SuspensionStore};
use crate::audit::AuditAction;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::versions::Versioned;
use crate::mail::{NewMail, postgres as mail};
use crate::operators::postgres as operators;
use crate::projects::{Actor, ProjectId, Role, postgres as projects};

#[async_trait]
impl SuspensionStore for Postgres {
    async fn suspension(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Suspension>, StoreError> {
        self.query(move |db| find(db, actor, project).boxed()).await
    }

    async fn suspend_project(
        &self,
        actor: Actor,
        project: ProjectId,
        suspension: Suspension,
        mails: Vec<NewMail>,
    ) -> Result<Result<(), SuspensionRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, project, suspension, mails),
            |tx, (actor, project, suspension, mails)| {
                suspend(tx, *actor, *project, suspension, mails).boxed()
            },
        )
        .await
    }

    async fn resume_project(
        &self,
        actor: Actor,
        project: ProjectId,
        mails: Vec<NewMail>,
        now: Timestamp,
    ) -> Result<Result<(), SuspensionRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, project, mails, now),
            |tx, (actor, project, mails, now)| resume(tx, *actor, *project, mails, *now).boxed(),
        )
        .await
    }
}

async fn suspend(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    suspension: &Suspension,
    mails: &[NewMail],
) -> Result<Result<(), SuspensionRefusal>, Failure> {
    let sql = "INSERT INTO suspension (project, reason, since)
               SELECT id, $2, $3 FROM project WHERE id = $1 AND deleted_at IS NULL
               ON CONFLICT (project) DO NOTHING";
    let Suspension { reason, since } = suspension;
    let params: query::Params<'_> = &[&project, reason, &Millis(*since)];
    let action = AuditAction::ProjectSuspended(reason.clone());
    change(tx, (actor, project), (sql, params), action, mails, *since).await
}

async fn resume(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    mails: &[NewMail],
    now: Timestamp,
) -> Result<Result<(), SuspensionRefusal>, Failure> {
    let sql = "DELETE FROM suspension WHERE project = $1";
    let params: query::Params<'_> = &[&project];
    let action = AuditAction::ProjectResumed;
    change(tx, (actor, project), (sql, params), action, mails, now).await
}

/// Makes a change that an operator may make, with its mails and its entry in the audit log.
async fn change(
    tx: &Transaction<'_>,
    (actor, project): (Actor, ProjectId),
    (sql, params): (&str, query::Params<'_>),
    action: AuditAction,
    mails: &[NewMail],
    now: Timestamp,
) -> Result<Result<(), SuspensionRefusal>, Failure> {
    if !operators::administers(tx, actor).await? {
        return Ok(Err(SuspensionRefusal::Forbidden));
    }
    if query::execute(tx, sql, params).await? == 0 {
        return Ok(Err(SuspensionRefusal::Unchanged(project)));
    }
    projects::record_event(tx, actor, project, action, now).await?;
    for notice in mails {
        mail::enqueue_to_account(tx, notice).await?;
    }
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(()))
}

async fn find(
    db: &impl GenericClient,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Suspension>, Failure> {
    if projects::seen(db, actor, project).await?.is_none() {
        return Ok(None);
    }
    let sql = "SELECT reason, since FROM suspension WHERE project = $1";
    query::first(db, sql, &[&project], |row| {
        Ok(Suspension {
            reason: row.try_get("reason")?,
            since: column::time(row, "since")?,
        })
    })
    .await
}

/// Refuses an account that owns a suspended project.
pub(crate) async fn admit(
    db: &impl GenericClient,
    actor: Actor,
) -> Result<Result<(), OwnsSuspended>, Failure> {
    let Actor::Account(account) = actor else {
        return Ok(Ok(()));
    };
    let sql = "SELECT 1 FROM membership JOIN suspension ON suspension.project = membership.project
                 JOIN project ON project.id = membership.project
               WHERE membership.account = $1 AND membership.role = $2 AND project.deleted_at IS NULL";
    Ok(
        match query::exists(db, sql, &[&account, &Role::Owner]).await? {
            true => Err(OwnsSuspended),
            false => Ok(()),
        },
    )
}
