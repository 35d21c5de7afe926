//! Erasing an account, in SQLite.

use jiff::Timestamp;
use rusqlite::Connection;

use super::{ACCOUNT_TABLES, PROJECT_TABLES, Pseudonym, SoleProject};
use crate::accounts::{AccountId, Email};
use crate::audit::sqlite as audit;
use crate::database::StoreError;
use crate::database::sqlite::column::Millis;
use crate::database::sqlite::query;
use crate::projects::{Actor, ProjectId, Role, sqlite as projects};
use crate::suspensions::{OwnsSuspended, sqlite as suspensions};

/// The projects that an account alone owns, by name.
pub(crate) fn sole_projects(
    db: &Connection,
    account: AccountId,
) -> rusqlite::Result<Vec<SoleProject>> {
    let sql = "SELECT project.id, project.name, project.tier,
                 (SELECT count(*) FROM membership AS other
                  WHERE other.project = project.id AND other.account != ?1) AS others
               FROM membership JOIN project ON project.id = membership.project
               WHERE membership.account = ?1 AND membership.role = ?2
                 AND project.deleted_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM membership AS other
                                 WHERE other.project = project.id AND other.role = ?2
                                   AND other.account != ?1)
               ORDER BY project.name, project.id";
    query::all(db, sql, (account, Role::Owner), |row| {
        Ok(SoleProject {
            project: projects::read(row)?,
            others: row.get("others")?,
        })
    })
}

/// Erases an account, if there is one that owns no suspended project.
pub(crate) fn erase(
    db: &Connection,
    account: AccountId,
    now: Timestamp,
) -> Result<Result<(), OwnsSuspended>, StoreError> {
    let sql = "SELECT email FROM account WHERE id = ?1 AND erased_at IS NULL";
    let email: Option<Email> = query::first(db, sql, [account], |row| row.get("email"))?;
    let Some(email) = email else {
        return Ok(Ok(()));
    };
    if let Err(refusal) = suspensions::admit(db, Actor::Account(account))? {
        return Ok(Err(refusal));
    }
    for sole in sole_projects(db, account)? {
        erase_project(db, account, sole.project.id, now)?;
    }
    withdraw_mails(db, account, &email)?;
    for table in ACCOUNT_TABLES {
        let sql = format!("DELETE FROM {table} WHERE account = ?1");
        query::execute(db, &sql, [account])?;
    }
    let sql = "DELETE FROM tier_request WHERE account = ?1 AND decided_at IS NULL";
    query::execute(db, sql, [account])?;
    let now = Millis(now);
    let sql = "UPDATE invitation SET ended_at = ?2 WHERE invited_by = ?1 AND ended_at IS NULL";
    query::execute(db, sql, (account, now))?;
    let (former, Pseudonym { email, key }) = (email.key(), Pseudonym::of(account));
    let sql = "UPDATE invitation SET email = ?2, email_key = ?3, ended_at = coalesce(ended_at, ?4)
               WHERE email_key = ?1";
    query::execute(db, sql, (&former, &email, &key, now))?;
    audit::forget_address(db, &former)?;
    let sql = "UPDATE sign_in SET email = ?2, email_key = ?3, used_at = coalesce(used_at, ?4)
               WHERE email_key = ?1 OR account = ?5";
    query::execute(db, sql, (&former, &email, &key, now, account))?;
    let sql = "UPDATE account SET email = ?2, email_key = ?3, erased_at = ?4 WHERE id = ?1";
    query::execute(db, sql, (account, &email, &key, now))?;
    Ok(Ok(()))
}

/// Deletes a project that the account owns, with its claims and its usage.
fn erase_project(
    db: &Connection,
    account: AccountId,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    // The account owns it, and nothing changes before the transaction ends.
    let _ = projects::delete(db, Actor::Account(account), project, now)?;
    for table in PROJECT_TABLES {
        let sql = format!("DELETE FROM {table} WHERE project = ?1");
        query::execute(db, &sql, [project])?;
    }
    Ok(())
}

/// Deletes mails to the account, to an address that it was about to take, and the invitations that it sent.
fn withdraw_mails(db: &Connection, account: AccountId, email: &Email) -> rusqlite::Result<()> {
    let sql = "DELETE FROM outbox
               WHERE lower(recipient) = ?2
                 OR lower(recipient) IN (SELECT email_key FROM sign_in WHERE account = ?1)
                 OR id IN (SELECT id FROM invitation WHERE invited_by = ?1)";
    query::execute(db, sql, (account, email.key()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::sqlite::migrations;

    /// The treatment of the rows of an erased account, table by table. A new table belongs here, in [`erase`] here
    /// and in PostgreSQL, and in the export of an account.
    const TABLES: &[(&str, &str)] = &[
        ("account_event", "go"),
        ("api_key", "stay"),
        ("audit_event", "stay, without the address of an invitation"),
        ("identity", "go"),
        ("invitation", "end"),
        ("membership", "go"),
        ("oidc_authorization", "go"),
        ("operator", "go"),
        ("passkey", "go"),
        ("passkey_ceremony", "go"),
        ("session", "go"),
        ("sign_in", "end"),
        ("tier_request", "go, unless decided"),
    ];

    #[test]
    fn every_table_that_names_accounts_is_thought_of() {
        let mut db = Connection::open_in_memory().unwrap();
        migrations::migrate(&mut db).unwrap();
        let sql = "SELECT DISTINCT name FROM sqlite_schema
                   JOIN pragma_foreign_key_list(sqlite_schema.name) AS reference
                   WHERE reference.\"table\" = 'account' ORDER BY name";
        let found: Vec<String> = query::all(&db, sql, [], |row| row.get(0)).unwrap();
        let known: Vec<_> = TABLES.iter().map(|(table, _)| *table).collect();
        assert_eq!(found, known);
    }
}
