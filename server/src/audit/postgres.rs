//! The audit log, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use futures_util::FutureExt;
use tokio_postgres::Row;

use super::{AuditAction, AuditAuthor, AuditEntry, AuditEvent, AuditEventId, AuditStore};
use crate::accounts::AccountId;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::projects::{Actor, ProjectId, postgres as projects};

#[async_trait]
impl AuditStore for Postgres {
    async fn audit_events(
        &self,
        actor: Actor,
        project: ProjectId,
        before: Option<AuditEventId>,
        limit: usize,
    ) -> Result<Option<Vec<AuditEntry>>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            page(tx, actor, project, before, limit).boxed()
        })
        .await
    }

    async fn key_stops(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            key_stops(tx, actor, project).boxed()
        })
        .await
    }
}

/// Adds an event to the log.
pub(crate) async fn append(tx: &Transaction<'_>, event: &AuditEvent) -> Result<(), Failure> {
    let sql = "INSERT INTO audit_event (at, account, as_operator, project, action, subject, member,
                 invited)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let (account, action) = (event.actor.account(), &event.action);
    let params: query::Params<'_> = &[
        &Millis(event.at),
        &account,
        &event.as_operator(),
        &event.project,
        &action.name(),
        &action.subject(),
        &action.member(),
        &action.invited(),
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn page(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    before: Option<AuditEventId>,
    limit: usize,
) -> Result<Option<Vec<AuditEntry>>, Failure> {
    if projects::seen(tx, actor, project).await?.is_none() {
        return Ok(None);
    }
    let sql = format!(
        "{EVENTS} WHERE audit_event.project = $1 AND audit_event.id < $2
         ORDER BY audit_event.id DESC LIMIT $3"
    );
    let before = before.map_or(i64::MAX, |event| event.0);
    let limit = query::limit(limit);
    let page = query::all(tx, &sql, &[&project, &before, &limit], read).await?;
    Ok(Some(page))
}

async fn key_stops(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Vec<AuditEntry>, Failure> {
    if projects::seen(tx, actor, project).await?.is_none() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "{EVENTS} WHERE audit_event.project = $1
           AND audit_event.action IN ('key-disabled', 'key-revoked', 'key-leaked')
         ORDER BY audit_event.id DESC LIMIT 1000"
    );
    query::all(tx, &sql, &[&project], read).await
}

/// Forgets an address, in lower case, in the events that invited it. The events stay.
pub(crate) async fn forget_address(tx: &Transaction<'_>, address: &str) -> Result<(), Failure> {
    let sql = "UPDATE audit_event SET invited = NULL WHERE lower(invited) = $1";
    query::execute(tx, sql, &[&address]).await?;
    Ok(())
}

/// Forgets the addresses that a project has invited, which is deleted. The events stay.
pub(crate) async fn forget_invited(
    tx: &Transaction<'_>,
    project: ProjectId,
) -> Result<(), Failure> {
    let sql = "UPDATE audit_event SET invited = NULL WHERE project = $1 AND invited IS NOT NULL";
    query::execute(tx, sql, &[&project]).await?;
    Ok(())
}

/// The events that an account with this address, in lower case, caused or that concern it, with the projects, the
/// latest first.
pub(crate) async fn of_account(
    tx: &Transaction<'_>,
    account: AccountId,
    address: &str,
    limit: usize,
) -> Result<Vec<(ProjectId, AuditEntry)>, Failure> {
    let sql = format!(
        "{EVENTS} WHERE audit_event.account = $1 OR audit_event.member = $1
           OR lower(audit_event.invited) = $2
         ORDER BY audit_event.id DESC LIMIT $3"
    );
    let params: query::Params<'_> = &[&account, &address, &query::limit(limit)];
    query::all(tx, &sql, params, |row| {
        Ok((row.try_get("project")?, read(row)?))
    })
    .await
}

const EVENTS: &str =
    "SELECT audit_event.id, audit_event.at, audit_event.project, audit_event.action,
       audit_event.subject, audit_event.account, audit_event.as_operator, account.email,
       audit_event.member, audit_event.invited, member.email AS member_email
     FROM audit_event
       LEFT JOIN account ON account.id = audit_event.account
       LEFT JOIN account AS member ON member.id = audit_event.member";

fn read(row: &Row) -> Result<AuditEntry, Failure> {
    let action: String = row.try_get("action")?;
    let unknown = || StoreError::Corrupt(format!("the action is {action}"));
    Ok(AuditEntry {
        id: AuditEventId(row.try_get("id")?),
        at: column::time(row, "at")?,
        action: AuditAction::of(
            &action,
            row.try_get("subject")?,
            row.try_get("member")?,
            row.try_get("invited")?,
        )
        .ok_or_else(unknown)?,
        member: row.try_get("member_email")?,
        by: AuditAuthor::of(
            row.try_get("account")?,
            row.try_get("email")?,
            row.try_get("as_operator")?,
        ),
    })
}
