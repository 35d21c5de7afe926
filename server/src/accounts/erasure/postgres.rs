//! Erasing an account, in PostgreSQL.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use super::{ACCOUNT_TABLES, PROJECT_TABLES, Pseudonym, SoleProject};
use crate::accounts::{AccountId, Email};
use crate::audit::postgres as audit;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, locks, query};
use crate::projects::{Actor, ProjectId, Role, postgres as projects};
use crate::suspensions::{OwnsSuspended, postgres as suspensions};

/// The projects that an account alone owns, by name.
pub(crate) async fn sole_projects(
    db: &impl GenericClient,
    account: AccountId,
) -> Result<Vec<SoleProject>, Failure> {
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
    query::all(db, sql, &[&account, &Role::Owner], |row| {
        Ok(SoleProject {
            project: projects::read(row)?,
            others: column::number(row, "others")?,
        })
    })
    .await
}

/// Erases an account, if there is one that owns no suspended project.
pub(crate) async fn erase(
    tx: &Transaction<'_>,
    account: AccountId,
    now: Timestamp,
) -> Result<Result<(), OwnsSuspended>, Failure> {
    locks::own_sign_ins(tx).await?;
    lock_projects(tx, account).await?;
    // What refers to the account at the same time, such as a new session, waits here.
    let sql = "SELECT email FROM account WHERE id = $1 AND erased_at IS NULL FOR UPDATE";
    let read = |row: &Row| Ok(row.try_get::<_, Email>("email")?);
    let Some(email) = query::first(tx, sql, &[&account], read).await? else {
        return Ok(Ok(()));
    };
    if let Err(refusal) = suspensions::admit(tx, Actor::Account(account)).await? {
        return Ok(Err(refusal));
    }
    for sole in sole_projects(tx, account).await? {
        erase_project(tx, account, sole.project.id, now).await?;
    }
    withdraw_mails(tx, account, &email).await?;
    for table in ACCOUNT_TABLES {
        let sql = format!("DELETE FROM {table} WHERE account = $1");
        query::execute(tx, &sql, &[&account]).await?;
    }
    let sql = "DELETE FROM tier_request WHERE account = $1 AND decided_at IS NULL";
    query::execute(tx, sql, &[&account]).await?;
    let now = Millis(now);
    let sql = "UPDATE invitation SET ended_at = $2 WHERE invited_by = $1 AND ended_at IS NULL";
    query::execute(tx, sql, &[&account, &now]).await?;
    let (former, Pseudonym { email, key }) = (email.key(), Pseudonym::of(account));
    let sql = "UPDATE invitation SET email = $2, email_key = $3, ended_at = coalesce(ended_at, $4)
               WHERE email_key = $1";
    query::execute(tx, sql, &[&former, &email, &key, &now]).await?;
    audit::forget_address(tx, &former).await?;
    let sql = "UPDATE sign_in SET email = $2, email_key = $3, used_at = coalesce(used_at, $4)
               WHERE email_key = $1 OR account = $5";
    query::execute(tx, sql, &[&former, &email, &key, &now, &account]).await?;
    let sql = "UPDATE account SET email = $2, email_key = $3, erased_at = $4 WHERE id = $1";
    query::execute(tx, sql, &[&account, &email, &key, &now]).await?;
    Ok(Ok(()))
}

/// Prevents other transactions from changing the account's projects and their members.
async fn lock_projects(tx: &Transaction<'_>, account: AccountId) -> Result<(), Failure> {
    let sql = "SELECT project FROM membership WHERE account = $1 ORDER BY project";
    let read = |row: &Row| Ok(row.try_get::<_, ProjectId>("project")?);
    let own: Vec<ProjectId> = query::all(tx, sql, &[&account], read).await?;
    for project in own {
        projects::lock(tx, Actor::Account(account), project).await?;
    }
    Ok(())
}

/// Deletes a project that the account owns, with its claims and its usage.
async fn erase_project(
    tx: &Transaction<'_>,
    account: AccountId,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), Failure> {
    // The account owns it, and nothing changes before the transaction ends.
    let _ = projects::delete(tx, Actor::Account(account), project, now).await?;
    for table in PROJECT_TABLES {
        let sql = format!("DELETE FROM {table} WHERE project = $1");
        query::execute(tx, &sql, &[&project]).await?;
    }
    Ok(())
}

/// Deletes mails to the account, to an address that it was about to take, and the invitations that it sent.
async fn withdraw_mails(
    tx: &Transaction<'_>,
    account: AccountId,
    email: &Email,
) -> Result<(), Failure> {
    let sql = "DELETE FROM outbox
               WHERE lower(recipient) = $2
                 OR lower(recipient) IN (SELECT email_key FROM sign_in WHERE account = $1)
                 OR id IN (SELECT id FROM invitation WHERE invited_by = $1)";
    query::execute(tx, sql, &[&account, &email.key()]).await?;
    Ok(())
}
