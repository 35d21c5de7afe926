//! The audit log.

use db::{DbError, Row, Tx, params};
use jiff::Timestamp;
use uuid::Uuid;

use super::{AuditAction, AuditAuthor, AuditEntry, AuditEvent, AuditEventId};
use crate::domain::ids::{AccountId, KeyId};
use crate::projects::{Actor, ProjectId, Requester, sql as projects};

/// Adds an event to the log.
fn append(tx: &Tx<'_>, event: &AuditEvent) -> Result<(), DbError> {
    let sql = "INSERT INTO audit_event (at, account, key, as_operator, project, action, subject,
                 webhook, member, invited)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let (account, key) = match event.by {
        Requester::Key(key) => (None, Some(key)),
        Requester::Actor(actor) => (actor.account(), None),
    };
    let action = &event.action;
    let params = params![
        event.at,
        account,
        key,
        event.as_operator(),
        event.project,
        action.name(),
        action.subject(),
        event.webhook,
        action.member(),
        action.invited()
    ];
    tx.execute(sql, params)?;
    Ok(())
}

/// Writes an action on a project into the audit log.
pub fn record_event(
    tx: &Tx<'_>,
    by: impl Into<Requester>,
    project: ProjectId,
    action: AuditAction,
    at: Timestamp,
) -> Result<(), DbError> {
    let event = AuditEvent {
        by: by.into(),
        project,
        action,
        webhook: None,
        at,
    };
    append(tx, &event)
}

/// Writes an action on a webhook of a project into the audit log.
pub(crate) fn record_webhook_event(
    tx: &Tx<'_>,
    by: impl Into<Requester>,
    (project, webhook): (ProjectId, Uuid),
    action: AuditAction,
    at: Timestamp,
) -> Result<(), DbError> {
    let event = AuditEvent {
        by: by.into(),
        project,
        action,
        webhook: Some(webhook),
        at,
    };
    append(tx, &event)
}

pub(crate) fn page(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    before: Option<AuditEventId>,
    limit: usize,
) -> Result<Option<Vec<AuditEntry>>, DbError> {
    if projects::seen(tx, actor, project)?.is_none() {
        return Ok(None);
    }
    let sql = format!(
        "{EVENTS} WHERE audit_event.project = $1 AND audit_event.id < $2
         ORDER BY audit_event.id DESC LIMIT $3"
    );
    let before = before.map_or(i64::MAX, |event| event.0);
    let page = tx.all(&sql, params![project, before, limit], read)?;
    Ok(Some(page))
}

/// The condition of the events of an author in `audit_event`, whose ID is the parameter `$2`.
pub(crate) fn is_author(author: Requester) -> (&'static str, Option<Uuid>) {
    match author {
        Requester::Key(key) => ("audit_event.key = $2", Some(key.0)),
        Requester::Actor(actor) => (
            "audit_event.account = $2 AND NOT audit_event.as_operator",
            actor.account().map(|account| account.0),
        ),
    }
}

/// The latest events of a project by an author.
pub(crate) fn by_author(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    author: Requester,
    limit: usize,
) -> Result<Option<Vec<AuditEntry>>, DbError> {
    if projects::seen(tx, actor, project)?.is_none() {
        return Ok(None);
    }
    let (is_author, id) = is_author(author);
    let sql = format!(
        "{EVENTS} WHERE audit_event.project = $1 AND {is_author}
         ORDER BY audit_event.id DESC LIMIT $3"
    );
    Ok(Some(tx.all(&sql, params![project, id, limit], read)?))
}

pub(crate) fn key_stops(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Vec<AuditEntry>, DbError> {
    if projects::seen(tx, actor, project)?.is_none() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "{EVENTS} WHERE audit_event.project = $1
           AND audit_event.action IN ('key-disabled', 'key-revoked', 'key-leaked')
         ORDER BY audit_event.id DESC LIMIT 1000"
    );
    tx.all(&sql, params![project], read)
}

/// Forgets an address, in lower case, in the events that invited it. The events stay.
pub fn forget_address(tx: &Tx<'_>, address: &str) -> Result<(), DbError> {
    let sql = "UPDATE audit_event SET invited = NULL WHERE lower(invited) = $1";
    tx.execute(sql, params![address])?;
    Ok(())
}

/// Forgets the addresses that a project has invited, which is deleted. The events stay.
pub(crate) fn forget_invited(tx: &Tx<'_>, project: ProjectId) -> Result<(), DbError> {
    let sql = "UPDATE audit_event SET invited = NULL WHERE project = $1 AND invited IS NOT NULL";
    tx.execute(sql, params![project])?;
    Ok(())
}

/// The events that an account with this address, in lower case, caused or that concern it, with the projects, the
/// latest first.
pub fn of_account(
    tx: &Tx<'_>,
    account: AccountId,
    address: &str,
    limit: usize,
) -> Result<Vec<(ProjectId, AuditEntry)>, DbError> {
    let sql = format!(
        "{EVENTS} WHERE audit_event.account = $1 OR audit_event.member = $1
           OR lower(audit_event.invited) = $2
         ORDER BY audit_event.id DESC LIMIT $3"
    );
    let params = params![account, address, limit];
    tx.all(&sql, params, |row| Ok((row.get("project")?, read(row)?)))
}

const EVENTS: &str =
    "SELECT audit_event.id, audit_event.at, audit_event.project, audit_event.action,
       audit_event.subject, audit_event.account, audit_event.key, audit_event.as_operator, account.email,
       audit_event.member, audit_event.invited, member.email AS member_email,
       api_key.display_prefix AS key_prefix, api_key.label AS key_label
     FROM audit_event
       LEFT JOIN account ON account.id = audit_event.account
       LEFT JOIN api_key ON api_key.id = audit_event.key
       LEFT JOIN account AS member ON member.id = audit_event.member";

fn read(row: &Row<'_>) -> Result<AuditEntry, DbError> {
    let action: String = row.get("action")?;
    let unknown = || DbError::Corrupt(format!("the action is {action}"));
    Ok(AuditEntry {
        id: AuditEventId(row.get("id")?),
        at: row.get("at")?,
        action: AuditAction::of(
            &action,
            row.get("subject")?,
            row.get("member")?,
            row.get("invited")?,
        )
        .ok_or_else(unknown)?,
        member: row.get("member_email")?,
        by: match row.get::<Option<KeyId>>("key")? {
            Some(_) => AuditAuthor::Key {
                prefix: row.get::<Option<String>>("key_prefix")?.unwrap_or_default(),
                label: row.get("key_label")?,
            },
            None => AuditAuthor::of(
                row.get("account")?,
                row.get("email")?,
                row.get("as_operator")?,
            ),
        },
    })
}
