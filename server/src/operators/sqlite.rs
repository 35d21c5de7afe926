//! Operators and their searches, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::{
    AccountDetails, AccountSummary, Enrolment, Operator, OperatorRefusal, OperatorStore,
    ProjectSummary,
};
use crate::accounts::history::sqlite as history;
use crate::accounts::{AccountAction, AccountId, Email, SecretDigest, sqlite as accounts};
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::database::{StoreError, Writer};
use crate::passkeys::sqlite as passkeys;
use crate::projects::{Actor, ProjectId, sqlite as projects};

#[async_trait]
impl OperatorStore for Sqlite {
    async fn add_operator(
        &self,
        email: Email,
        new: AccountId,
        enrolment: Enrolment,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError> {
        self.write(Writer::Operator, move |tx| {
            Ok(add(tx, &email, new, enrolment, now)?)
        })
        .await
    }

    async fn recover_operator(
        &self,
        email: Email,
        enrolment: Enrolment,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError> {
        self.write(Writer::Operator, move |tx| {
            Ok(recover(tx, &email, enrolment, now)?)
        })
        .await
    }

    async fn remove_operator(
        &self,
        email: Email,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError> {
        self.write(Writer::Operator, move |tx| Ok(remove(tx, &email, now)?))
            .await
    }

    async fn operators(&self) -> Result<Vec<Operator>, StoreError> {
        let sql = "SELECT operator.account, account.email, operator.created_at,
                     (SELECT count(*) FROM passkey WHERE passkey.account = operator.account)
                       AS passkeys
                   FROM operator JOIN account ON account.id = operator.account
                   ORDER BY account.email_key";
        self.read(move |db| Ok(query::all(db, sql, [], read_operator)?))
            .await
    }

    async fn find_projects(
        &self,
        actor: Actor,
        text: String,
        limit: usize,
    ) -> Result<Result<Vec<ProjectSummary>, OperatorRefusal>, StoreError> {
        self.read(move |db| {
            if !administers(db, actor)? {
                return Ok(Err(OperatorRefusal::Forbidden));
            }
            let id = text.parse().ok().map(ProjectId);
            let params = (id, &text, limit);
            Ok(Ok(query::all(db, &found_projects(), params, read_project)?))
        })
        .await
    }

    async fn find_accounts(
        &self,
        actor: Actor,
        text: String,
        limit: usize,
    ) -> Result<Result<Vec<AccountSummary>, OperatorRefusal>, StoreError> {
        self.read(move |db| {
            if !administers(db, actor)? {
                return Ok(Err(OperatorRefusal::Forbidden));
            }
            let id = text.parse().ok().map(AccountId);
            let sql = "SELECT account.id, account.email, account.created_at,
                         (SELECT count(*) FROM membership WHERE membership.account = account.id)
                           AS projects
                       FROM account WHERE account.id = ?1 OR instr(account.email_key, lower(?2)) > 0
                       ORDER BY account.email_key LIMIT ?3";
            Ok(Ok(query::all(db, sql, (id, &text, limit), |row| {
                Ok(AccountSummary {
                    account: accounts::read_account(row)?,
                    projects: row.get("projects")?,
                })
            })?))
        })
        .await
    }

    async fn project_summary(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Result<Option<ProjectSummary>, OperatorRefusal>, StoreError> {
        self.read(move |db| {
            if !administers(db, actor)? {
                return Ok(Err(OperatorRefusal::Forbidden));
            }
            let sql = format!("{PROJECTS} AND project.id = ?1");
            Ok(Ok(query::first(db, &sql, [project], read_project)?))
        })
        .await
    }

    async fn account_details(
        &self,
        actor: Actor,
        account: AccountId,
    ) -> Result<Result<Option<AccountDetails>, OperatorRefusal>, StoreError> {
        self.read(move |db| match administers(db, actor)? {
            true => Ok(Ok(details(db, account)?)),
            false => Ok(Err(OperatorRefusal::Forbidden)),
        })
        .await
    }
}

/// Whether an actor may look after all projects.
pub(crate) fn administers(db: &Connection, actor: Actor) -> rusqlite::Result<bool> {
    match actor {
        Actor::Operator => Ok(true),
        Actor::OperatorAccount(account) => is_operator(db, account),
        Actor::Account(_) => Ok(false),
    }
}

/// Whether an account is an operator.
pub(crate) fn is_operator(db: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    query::exists(db, "SELECT 1 FROM operator WHERE account = ?1", [account])
}

/// Uses up an operator's code, if it may be used.
pub(crate) fn use_enrolment(
    db: &Connection,
    account: AccountId,
    code: Option<SecretDigest>,
    now: Timestamp,
) -> rusqlite::Result<bool> {
    let sql = "UPDATE operator SET enrolment = NULL, enrolment_ends_at = NULL
               WHERE account = ?1 AND enrolment = ?2 AND enrolment_ends_at > ?3";
    Ok(query::execute(db, sql, (account, code, Millis(now)))? > 0)
}

fn add(
    db: &Connection,
    email: &Email,
    new: AccountId,
    enrolment: Enrolment,
    now: Timestamp,
) -> rusqlite::Result<Result<(), OperatorRefusal>> {
    let account = accounts::find_or_make(db, email, new, now)?;
    let sql = "INSERT INTO operator (account, created_at) VALUES (?1, ?2)
               ON CONFLICT (account) DO NOTHING";
    if query::execute(db, sql, (account, Millis(now)))? == 0 {
        return Ok(Err(OperatorRefusal::Already));
    }
    start_over(db, account, enrolment)?;
    history::record(db, account, &AccountAction::OperatorAdded, now)?;
    Ok(Ok(()))
}

fn recover(
    db: &Connection,
    email: &Email,
    enrolment: Enrolment,
    now: Timestamp,
) -> rusqlite::Result<Result<(), OperatorRefusal>> {
    let Some(account) = of_address(db, email)? else {
        return Ok(Err(OperatorRefusal::Unknown));
    };
    start_over(db, account, enrolment)?;
    history::record(db, account, &AccountAction::OperatorRecovered, now)?;
    Ok(Ok(()))
}

fn remove(
    db: &Connection,
    email: &Email,
    now: Timestamp,
) -> rusqlite::Result<Result<(), OperatorRefusal>> {
    let Some(account) = of_address(db, email)? else {
        return Ok(Err(OperatorRefusal::Unknown));
    };
    query::execute(db, "DELETE FROM operator WHERE account = ?1", [account])?;
    query::execute(db, "DELETE FROM session WHERE account = ?1", [account])?;
    history::record(db, account, &AccountAction::OperatorRemoved, now)?;
    Ok(Ok(()))
}

/// Removes the passkeys and ends the sessions of an account, and lets the code make the next passkey.
fn start_over(db: &Connection, account: AccountId, enrolment: Enrolment) -> rusqlite::Result<()> {
    passkeys::remove_all(db, account)?;
    query::execute(
        db,
        "UPDATE operator SET enrolment = :code, enrolment_ends_at = :ends WHERE account = :account",
        named_params! {
            ":account": account,
            ":code": enrolment.code,
            ":ends": Millis(enrolment.ends_at),
        },
    )?;
    Ok(())
}

/// The operator of an address.
fn of_address(db: &Connection, email: &Email) -> rusqlite::Result<Option<AccountId>> {
    let sql = "SELECT operator.account FROM operator JOIN account ON account.id = operator.account
               WHERE account.email_key = ?1";
    query::first(db, sql, [email.key()], |row| row.get("account"))
}

const PROJECTS: &str = "SELECT project.id, project.name, project.tier,
                          (SELECT group_concat(account.email, ', ' ORDER BY account.email_key)
                           FROM membership JOIN account ON account.id = membership.account
                           WHERE membership.project = project.id AND membership.role = 'owner')
                            AS owners
                        FROM project WHERE project.deleted_at IS NULL";

fn found_projects() -> String {
    format!(
        "{PROJECTS} AND (project.id = ?1 OR instr(lower(project.name), lower(?2)) > 0
           OR EXISTS (
             SELECT 1 FROM membership JOIN account ON account.id = membership.account
             WHERE membership.project = project.id AND membership.role = 'owner'
               AND instr(account.email_key, lower(?2)) > 0)
           OR EXISTS (
             SELECT 1 FROM api_key
             WHERE api_key.project = project.id
               AND (api_key.id = ?1 OR instr(lower(api_key.label), lower(?2)) > 0
                 OR instr(lower(api_key.display_prefix), lower(?2)) = 1)))
         ORDER BY project.name, project.id LIMIT ?3"
    )
}

fn details(db: &Connection, id: AccountId) -> rusqlite::Result<Option<AccountDetails>> {
    let sql = "SELECT account.id, account.email, account.created_at,
                 (SELECT count(*) FROM session WHERE session.account = account.id) AS sessions,
                 (SELECT count(*) FROM passkey WHERE passkey.account = account.id) AS passkeys,
                 EXISTS (SELECT 1 FROM operator WHERE operator.account = account.id)
                   AS is_operator
               FROM account WHERE account.id = ?1";
    let projects = projects::of_account(db, id)?;
    query::first(db, sql, [id], |row| {
        Ok(AccountDetails {
            account: accounts::read_account(row)?,
            projects,
            sessions: row.get("sessions")?,
            passkeys: row.get("passkeys")?,
            is_operator: row.get("is_operator")?,
        })
    })
}

fn read_operator(row: &Row<'_>) -> rusqlite::Result<Operator> {
    Ok(Operator {
        account: row.get("account")?,
        email: row.get("email")?,
        since: column::time(row, "created_at")?,
        passkeys: row.get("passkeys")?,
    })
}

fn read_project(row: &Row<'_>) -> rusqlite::Result<ProjectSummary> {
    let owners: Option<String> = row.get("owners")?;
    Ok(ProjectSummary {
        project: projects::read(row)?,
        owners: owners.unwrap_or_default(),
    })
}
