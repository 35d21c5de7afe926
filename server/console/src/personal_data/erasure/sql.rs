//! Erasing an account.

use db::{DbError, Row, Tx, params};
use jiff::Timestamp;

use super::{ACCOUNT_TABLES, ErasureError, PROJECT_TABLES, Pseudonym, SoleProject};
use features::audit::sql as audit;
use features::database::locks;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::project_lifecycle::sql as project_lifecycle;
use features::projects::{Actor, Project, ProjectId, Role, sql as projects};
use features::suspensions::sql as suspensions;

/// The projects that an account alone owns, by name.
pub(crate) fn sole_projects(tx: &Tx<'_>, account: AccountId) -> Result<Vec<SoleProject>, DbError> {
    let sql = "SELECT project.id, project.name, project.tier,
                 (SELECT count(*) FROM membership AS other
                  WHERE other.project = project.id AND other.account != $1) AS others
               FROM membership JOIN project ON project.id = membership.project
               WHERE membership.account = $1 AND membership.role = $2
                 AND project.deleted_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM membership AS other
                                 WHERE other.project = project.id AND other.role = $2
                                   AND other.account != $1)
               ORDER BY project.name, project.id";
    tx.all(sql, params![account, Role::Owner], |row| {
        Ok(SoleProject {
            project: projects::read(row)?,
            others: row.get("others")?,
        })
    })
}

/// Erases an account, if there is one that owns no suspended project.
pub(crate) fn erase(tx: &Tx<'_>, account: AccountId, now: Timestamp) -> Result<(), ErasureError> {
    tx.lock(locks::SIGN_INS)?;
    lock_projects(tx, account)?;
    // What refers to the account at the same time, such as a new session, waits here.
    let sql = "SELECT email FROM account WHERE id = $1 AND erased_at IS NULL FOR UPDATE";
    let read = |row: &Row<'_>| row.get::<Email>("email");
    let Some(email) = tx.first(sql, params![account], read)? else {
        return Ok(());
    };
    suspensions::admit::<ErasureError>(tx, Actor::Account(account))?;
    for sole in sole_projects(tx, account)? {
        erase_project(tx, account, sole.project, now)?;
    }
    withdraw_mails(tx, account, &email)?;
    for table in ACCOUNT_TABLES {
        let sql = format!("DELETE FROM {table} WHERE account = $1");
        tx.execute(&sql, params![account])?;
    }
    let sql = "DELETE FROM tier_request WHERE account = $1 AND decided_at IS NULL";
    tx.execute(sql, params![account])?;
    let sql = "UPDATE invitation SET ended_at = $2 WHERE invited_by = $1 AND ended_at IS NULL";
    tx.execute(sql, params![account, now])?;
    let (former, Pseudonym { email, key }) = (email.key(), Pseudonym::of(account));
    let sql = "UPDATE invitation SET email = $2, email_key = $3, ended_at = coalesce(ended_at, $4)
               WHERE email_key = $1";
    tx.execute(sql, params![former, email, key, now])?;
    audit::forget_address(tx, &former)?;
    let sql = "UPDATE sign_in SET email = $2, email_key = $3, used_at = coalesce(used_at, $4)
               WHERE email_key = $1 OR account = $5";
    tx.execute(sql, params![former, email, key, now, account])?;
    let sql = "UPDATE account SET email = $2, email_key = $3, erased_at = $4 WHERE id = $1";
    tx.execute(sql, params![account, email, key, now])?;
    Ok(())
}

/// Prevents other transactions from changing the account's projects and their members.
fn lock_projects(tx: &Tx<'_>, account: AccountId) -> Result<(), DbError> {
    let sql = "SELECT project FROM membership WHERE account = $1 ORDER BY project";
    let read = |row: &Row<'_>| row.get::<ProjectId>("project");
    let own: Vec<ProjectId> = tx.all(sql, params![account], read)?;
    for project in own {
        projects::lock(tx, Actor::Account(account), project)?;
    }
    Ok(())
}

/// Deletes a project that the account owns, with its claims and its usage.
fn erase_project(
    tx: &Tx<'_>,
    account: AccountId,
    project: Project,
    now: Timestamp,
) -> Result<(), DbError> {
    let id = project.id;
    project_lifecycle::hide(tx, Actor::Account(account), project, now)?;
    for table in PROJECT_TABLES {
        let sql = format!("DELETE FROM {table} WHERE project = $1");
        tx.execute(&sql, params![id])?;
    }
    Ok(())
}

/// Deletes mails to the account, to an address that it was about to take, and the invitations that it sent.
fn withdraw_mails(tx: &Tx<'_>, account: AccountId, email: &Email) -> Result<(), DbError> {
    let sql = "DELETE FROM outbox
               WHERE lower(recipient) = $2
                 OR lower(recipient) IN (SELECT email_key FROM sign_in WHERE account = $1)
                 OR id IN (SELECT id FROM invitation WHERE invited_by = $1)";
    tx.execute(sql, params![account, email.key()])?;
    Ok(())
}
