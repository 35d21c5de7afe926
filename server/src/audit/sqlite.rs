//! The audit log, in SQLite.

use async_trait::async_trait;
use rusqlite::{Connection, Row, named_params};

use super::{AuditAction, AuditAuthor, AuditEntry, AuditEvent, AuditEventId, AuditStore};
use crate::accounts::AccountId;
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::projects::{Actor, ProjectId, sqlite as projects};

#[async_trait]
impl AuditStore for Sqlite {
    async fn audit_events(
        &self,
        actor: Actor,
        project: ProjectId,
        before: Option<AuditEventId>,
        limit: usize,
    ) -> Result<Option<Vec<AuditEntry>>, StoreError> {
        self.read(move |db| match projects::seen(db, actor, project)? {
            Some(_) => Ok(Some(page(db, project, before, limit)?)),
            None => Ok(None),
        })
        .await
    }

    async fn key_stops(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        self.read(move |db| match projects::seen(db, actor, project)? {
            Some(_) => Ok(query::all(db, &key_stops_sql(), [project], read)?),
            None => Ok(Vec::new()),
        })
        .await
    }
}

/// Adds an event to the log.
pub(crate) fn append(db: &Connection, event: &AuditEvent) -> rusqlite::Result<()> {
    query::execute(
        db,
        "INSERT INTO audit_event (at, account, as_operator, project, action, subject, member,
           invited)
         VALUES (:at, :account, :as_operator, :project, :action, :subject, :member, :invited)",
        named_params! {
            ":at": Millis(event.at),
            ":account": event.actor.account(),
            ":as_operator": event.as_operator(),
            ":project": event.project,
            ":action": event.action.name(),
            ":subject": event.action.subject(),
            ":member": event.action.member(),
            ":invited": event.action.invited(),
        },
    )?;
    Ok(())
}

/// Forgets an address, in lower case, in the events that invited it. The events stay.
pub(crate) fn forget_address(db: &Connection, address: &str) -> rusqlite::Result<()> {
    let sql = "UPDATE audit_event SET invited = NULL WHERE lower(invited) = ?1";
    query::execute(db, sql, [address])?;
    Ok(())
}

/// Forgets the addresses that a project has invited, which is deleted. The events stay.
pub(crate) fn forget_invited(db: &Connection, project: ProjectId) -> rusqlite::Result<()> {
    let sql = "UPDATE audit_event SET invited = NULL WHERE project = ?1 AND invited IS NOT NULL";
    query::execute(db, sql, [project])?;
    Ok(())
}

/// The events that an account with this address, in lower case, caused or that concern it, with the projects, the
/// latest first.
pub(crate) fn of_account(
    db: &Connection,
    account: AccountId,
    address: &str,
    limit: usize,
) -> rusqlite::Result<Vec<(ProjectId, AuditEntry)>> {
    let sql = format!(
        "{EVENTS} WHERE audit_event.account = ?1 OR audit_event.member = ?1
           OR lower(audit_event.invited) = ?2
         ORDER BY audit_event.id DESC LIMIT ?3"
    );
    query::all(db, &sql, (account, address, limit), |row| {
        Ok((row.get("project")?, read(row)?))
    })
}

const EVENTS: &str =
    "SELECT audit_event.id, audit_event.at, audit_event.project, audit_event.action,
       audit_event.subject, audit_event.account, audit_event.as_operator, account.email,
       audit_event.member, audit_event.invited, member.email AS member_email
     FROM audit_event
       LEFT JOIN account ON account.id = audit_event.account
       LEFT JOIN account AS member ON member.id = audit_event.member";

/// The statement of the events by which keys were stopped.
fn key_stops_sql() -> String {
    format!(
        "{EVENTS} WHERE audit_event.project = ?1
           AND audit_event.action IN ('key-disabled', 'key-revoked', 'key-leaked')
         ORDER BY audit_event.id DESC LIMIT 1000"
    )
}

/// The statement of a page.
fn page_sql() -> String {
    format!(
        "{EVENTS} WHERE audit_event.project = ?1 AND audit_event.id < ?2
         ORDER BY audit_event.id DESC LIMIT ?3"
    )
}

fn page(
    db: &Connection,
    project: ProjectId,
    before: Option<AuditEventId>,
    limit: usize,
) -> Result<Vec<AuditEntry>, StoreError> {
    let before = before.map_or(i64::MAX, |event| event.0);
    Ok(query::all(db, &page_sql(), (project, before, limit), read)?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<AuditEntry> {
    let action: String = row.get("action")?;
    let unknown = || rusqlite::Error::InvalidColumnName("action".to_owned());
    Ok(AuditEntry {
        id: AuditEventId(row.get("id")?),
        at: column::time(row, "at")?,
        action: AuditAction::of(
            &action,
            row.get("subject")?,
            row.get("member")?,
            row.get("invited")?,
        )
        .ok_or_else(unknown)?,
        member: row.get("member_email")?,
        by: AuditAuthor::of(
            row.get("account")?,
            row.get("email")?,
            row.get("as_operator")?,
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_from_its_index() {
        let params = ([0_u8; 16], i64::MAX, 1);
        query::assert_reads_index(&page_sql(), params, "audit_event_of_project");
        let params = [[0_u8; 16]];
        query::assert_reads_index(&key_stops_sql(), params, "audit_event_of_project");
    }
}
