//! Operators and their searches, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::{
    AccountDetails, AccountSummary, Enrolment, Operator, OperatorRefusal, OperatorStore,
    ProjectSummary,
};
use crate::accounts::history::postgres as history;
use crate::accounts::{AccountAction, AccountId, Email, SecretDigest, postgres as accounts};
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::{StoreError, Writer};
use crate::passkeys::postgres as passkeys;
use crate::projects::{Actor, ProjectId, postgres as projects};

/// The author and the limits of every write here.
const COMMAND: (Writer, TimeoutClass) = (Writer::Operator, TimeoutClass::Request);

#[async_trait]
impl OperatorStore for Postgres {
    async fn add_operator(
        &self,
        email: Email,
        new: AccountId,
        enrolment: Enrolment,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError> {
        let (writer, limits) = COMMAND;
        let about = (email, new, enrolment, now);
        self.write(writer, limits, about, |tx, (email, new, enrolment, now)| {
            add(tx, email, *new, *enrolment, *now).boxed()
        })
        .await
    }

    async fn recover_operator(
        &self,
        email: Email,
        enrolment: Enrolment,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError> {
        let (writer, limits) = COMMAND;
        let about = (email, enrolment, now);
        self.write(writer, limits, about, |tx, (email, enrolment, now)| {
            recover(tx, email, *enrolment, *now).boxed()
        })
        .await
    }

    async fn remove_operator(
        &self,
        email: Email,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError> {
        let (writer, limits) = COMMAND;
        self.write(writer, limits, (email, now), |tx, (email, now)| {
            remove(tx, email, *now).boxed()
        })
        .await
    }

    async fn operators(&self) -> Result<Vec<Operator>, StoreError> {
        self.query(|db| all(db).boxed()).await
    }

    async fn find_projects(
        &self,
        actor: Actor,
        text: String,
        limit: usize,
    ) -> Result<Result<Vec<ProjectSummary>, OperatorRefusal>, StoreError> {
        self.query(move |db| find_projects(db, actor, text, limit).boxed())
            .await
    }

    async fn find_accounts(
        &self,
        actor: Actor,
        text: String,
        limit: usize,
    ) -> Result<Result<Vec<AccountSummary>, OperatorRefusal>, StoreError> {
        self.query(move |db| find_accounts(db, actor, text, limit).boxed())
            .await
    }

    async fn project_summary(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Result<Option<ProjectSummary>, OperatorRefusal>, StoreError> {
        self.query(move |db| summary(db, actor, project).boxed())
            .await
    }

    async fn account_details(
        &self,
        actor: Actor,
        account: AccountId,
    ) -> Result<Result<Option<AccountDetails>, OperatorRefusal>, StoreError> {
        self.query(move |db| details(db, actor, account).boxed())
            .await
    }
}

/// Whether an actor may look after all projects.
pub(crate) async fn administers(db: &impl GenericClient, actor: Actor) -> Result<bool, Failure> {
    match actor {
        Actor::Operator => Ok(true),
        Actor::OperatorAccount(account) => is_operator(db, account).await,
        Actor::Account(_) => Ok(false),
    }
}

/// Whether an account is an operator.
pub(crate) async fn is_operator(
    db: &impl GenericClient,
    account: AccountId,
) -> Result<bool, Failure> {
    let sql = "SELECT 1 FROM operator WHERE account = $1";
    query::exists(db, sql, &[&account]).await
}

/// Uses up an operator's code, if it may be used.
pub(crate) async fn use_enrolment(
    tx: &Transaction<'_>,
    account: AccountId,
    code: Option<SecretDigest>,
    now: Timestamp,
) -> Result<bool, Failure> {
    let sql = "UPDATE operator SET enrolment = NULL, enrolment_ends_at = NULL
               WHERE account = $1 AND enrolment = $2 AND enrolment_ends_at > $3";
    Ok(query::execute(tx, sql, &[&account, &code, &Millis(now)]).await? > 0)
}

async fn add(
    tx: &Transaction<'_>,
    email: &Email,
    new: AccountId,
    enrolment: Enrolment,
    now: Timestamp,
) -> Result<Result<(), OperatorRefusal>, Failure> {
    let account = accounts::find_or_make(tx, email, new, now).await?;
    let sql = "INSERT INTO operator (account, created_at) VALUES ($1, $2)
               ON CONFLICT (account) DO NOTHING";
    if query::execute(tx, sql, &[&account, &Millis(now)]).await? == 0 {
        return Ok(Err(OperatorRefusal::Already));
    }
    start_over(tx, account, enrolment).await?;
    history::record(tx, account, &AccountAction::OperatorAdded, now).await?;
    Ok(Ok(()))
}

async fn recover(
    tx: &Transaction<'_>,
    email: &Email,
    enrolment: Enrolment,
    now: Timestamp,
) -> Result<Result<(), OperatorRefusal>, Failure> {
    let Some(account) = of_address(tx, email).await? else {
        return Ok(Err(OperatorRefusal::Unknown));
    };
    start_over(tx, account, enrolment).await?;
    history::record(tx, account, &AccountAction::OperatorRecovered, now).await?;
    Ok(Ok(()))
}

async fn remove(
    tx: &Transaction<'_>,
    email: &Email,
    now: Timestamp,
) -> Result<Result<(), OperatorRefusal>, Failure> {
    let Some(account) = of_address(tx, email).await? else {
        return Ok(Err(OperatorRefusal::Unknown));
    };
    query::execute(tx, "DELETE FROM operator WHERE account = $1", &[&account]).await?;
    query::execute(tx, "DELETE FROM session WHERE account = $1", &[&account]).await?;
    history::record(tx, account, &AccountAction::OperatorRemoved, now).await?;
    Ok(Ok(()))
}

/// Removes the passkeys and ends the sessions of an account, and lets the code make the next passkey.
async fn start_over(
    tx: &Transaction<'_>,
    account: AccountId,
    enrolment: Enrolment,
) -> Result<(), Failure> {
    passkeys::remove_all(tx, account).await?;
    let sql = "UPDATE operator SET enrolment = $2, enrolment_ends_at = $3 WHERE account = $1";
    let ends = Millis(enrolment.ends_at);
    query::execute(tx, sql, &[&account, &enrolment.code, &ends]).await?;
    Ok(())
}

/// The operator of an address.
async fn of_address(tx: &Transaction<'_>, email: &Email) -> Result<Option<AccountId>, Failure> {
    let sql = "SELECT operator.account FROM operator JOIN account ON account.id = operator.account
               WHERE account.email_key = $1";
    query::first(tx, sql, &[&email.key()], |row| Ok(row.try_get("account")?)).await
}

async fn all(db: &impl GenericClient) -> Result<Vec<Operator>, Failure> {
    let sql = "SELECT operator.account, account.email, operator.created_at,
                 (SELECT count(*) FROM passkey WHERE passkey.account = operator.account) AS passkeys
               FROM operator JOIN account ON account.id = operator.account
               ORDER BY account.email_key";
    query::all(db, sql, &[], |row| {
        Ok(Operator {
            account: row.try_get("account")?,
            email: row.try_get("email")?,
            since: column::time(row, "created_at")?,
            passkeys: column::number(row, "passkeys")?,
        })
    })
    .await
}

const PROJECTS: &str = "SELECT project.id, project.name, project.tier,
                          (SELECT string_agg(account.email, ', ' ORDER BY account.email_key)
                           FROM membership JOIN account ON account.id = membership.account
                           WHERE membership.project = project.id AND membership.role = 'owner')
                            AS owners
                        FROM project WHERE project.deleted_at IS NULL";

async fn find_projects(
    db: &impl GenericClient,
    actor: Actor,
    text: String,
    limit: usize,
) -> Result<Result<Vec<ProjectSummary>, OperatorRefusal>, Failure> {
    if !administers(db, actor).await? {
        return Ok(Err(OperatorRefusal::Forbidden));
    }
    let sql = format!(
        "{PROJECTS} AND (project.id = $1 OR strpos(lower(project.name), lower($2)) > 0
           OR EXISTS (
             SELECT 1 FROM membership JOIN account ON account.id = membership.account
             WHERE membership.project = project.id AND membership.role = 'owner'
               AND strpos(account.email_key, lower($2)) > 0)
           OR EXISTS (
             SELECT 1 FROM api_key
             WHERE api_key.project = project.id
               AND (api_key.id = $1 OR strpos(lower(api_key.label), lower($2)) > 0
                 OR strpos(lower(api_key.display_prefix), lower($2)) = 1)))
         ORDER BY project.name, project.id LIMIT $3"
    );
    let id = text.parse().ok().map(ProjectId);
    let params: query::Params<'_> = &[&id, &text, &query::limit(limit)];
    Ok(Ok(query::all(db, &sql, params, read_project).await?))
}

async fn find_accounts(
    db: &impl GenericClient,
    actor: Actor,
    text: String,
    limit: usize,
) -> Result<Result<Vec<AccountSummary>, OperatorRefusal>, Failure> {
    if !administers(db, actor).await? {
        return Ok(Err(OperatorRefusal::Forbidden));
    }
    let sql = "SELECT account.id, account.email, account.created_at,
                 (SELECT count(*) FROM membership WHERE membership.account = account.id) AS projects
               FROM account WHERE account.id = $1 OR strpos(account.email_key, lower($2)) > 0
               ORDER BY account.email_key LIMIT $3";
    let id = text.parse().ok().map(AccountId);
    let params: query::Params<'_> = &[&id, &text, &query::limit(limit)];
    let found = query::all(db, sql, params, |row| {
        Ok(AccountSummary {
            account: accounts::read_account(row)?,
            projects: column::number(row, "projects")?,
        })
    });
    Ok(Ok(found.await?))
}

async fn summary(
    db: &impl GenericClient,
    actor: Actor,
    project: ProjectId,
) -> Result<Result<Option<ProjectSummary>, OperatorRefusal>, Failure> {
    if !administers(db, actor).await? {
        return Ok(Err(OperatorRefusal::Forbidden));
    }
    let sql = format!("{PROJECTS} AND project.id = $1");
    Ok(Ok(query::first(db, &sql, &[&project], read_project).await?))
}

async fn details(
    db: &impl GenericClient,
    actor: Actor,
    id: AccountId,
) -> Result<Result<Option<AccountDetails>, OperatorRefusal>, Failure> {
    if !administers(db, actor).await? {
        return Ok(Err(OperatorRefusal::Forbidden));
    }
    let sql = "SELECT account.id, account.email, account.created_at,
                 (SELECT count(*) FROM session WHERE session.account = account.id) AS sessions,
                 (SELECT count(*) FROM passkey WHERE passkey.account = account.id) AS passkeys,
                 EXISTS (SELECT 1 FROM operator WHERE operator.account = account.id)
                   AS is_operator
               FROM account WHERE account.id = $1";
    let projects = projects::of_account(db, id).await?;
    let params: query::Params<'_> = &[&id];
    let found = query::first(db, sql, params, |row| {
        Ok(AccountDetails {
            account: accounts::read_account(row)?,
            projects,
            sessions: column::number(row, "sessions")?,
            passkeys: column::number(row, "passkeys")?,
            is_operator: row.try_get("is_operator")?,
        })
    });
    Ok(Ok(found.await?))
}

fn read_project(row: &Row) -> Result<ProjectSummary, Failure> {
    let owners: Option<String> = row.try_get("owners")?;
    Ok(ProjectSummary {
        project: projects::read(row)?,
        owners: owners.unwrap_or_default(),
    })
}
