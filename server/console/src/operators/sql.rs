//! Operators and their searches.

use db::{DbError, Row, Timeouts, Tx, Writer, params};
use jiff::Timestamp;

use super::{
    AccountDetails, AccountSummary, Enrolment, FailingWebhook, Operator, OperatorError,
    OperatorRejection, ProjectSummary,
};
use crate::accounts::history::sql as history;
use crate::accounts::{AccountAction, sql as accounts};
use crate::passkeys::sql as passkeys;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::projects::{Actor, ProjectId, sql as projects};

/// The author and the limits of every write here.
pub(crate) const COMMAND: (Writer, Timeouts) = (Writer::Unlimited, Timeouts::Request);

pub(crate) fn add(
    tx: &Tx<'_>,
    email: &Email,
    new: AccountId,
    enrolment: Enrolment,
    now: Timestamp,
) -> Result<(), OperatorError> {
    let account = accounts::find_or_make(tx, email, new, now)?;
    let sql = "INSERT INTO operator (account, created_at) VALUES ($1, $2)
               ON CONFLICT (account) DO NOTHING";
    if tx.execute(sql, params![account, now])? == 0 {
        return Err(OperatorRejection::Already.into());
    }
    start_over(tx, account, enrolment)?;
    history::record(tx, account, &AccountAction::OperatorAdded, now)?;
    Ok(())
}

pub(crate) fn recover(
    tx: &Tx<'_>,
    email: &Email,
    enrolment: Enrolment,
    now: Timestamp,
) -> Result<(), OperatorError> {
    let account = of_address(tx, email)?;
    start_over(tx, account, enrolment)?;
    history::record(tx, account, &AccountAction::OperatorRecovered, now)?;
    Ok(())
}

pub(crate) fn remove(tx: &Tx<'_>, email: &Email, now: Timestamp) -> Result<(), OperatorError> {
    let account = of_address(tx, email)?;
    tx.execute("DELETE FROM operator WHERE account = $1", params![account])?;
    tx.execute("DELETE FROM session WHERE account = $1", params![account])?;
    history::record(tx, account, &AccountAction::OperatorRemoved, now)?;
    Ok(())
}

/// Removes the passkeys and ends the sessions of an account, and lets the code make the next passkey.
fn start_over(tx: &Tx<'_>, account: AccountId, enrolment: Enrolment) -> Result<(), DbError> {
    passkeys::remove_all(tx, account)?;
    let sql = "UPDATE operator SET enrolment = $2, enrolment_ends_at = $3 WHERE account = $1";
    let ends = enrolment.ends_at;
    tx.execute(sql, params![account, enrolment.code, ends])?;
    Ok(())
}

fn of_address(tx: &Tx<'_>, email: &Email) -> Result<AccountId, OperatorError> {
    let sql = "SELECT operator.account FROM operator JOIN account ON account.id = operator.account
               WHERE account.email_key = $1";
    let found = tx.first(sql, params![email.key()], |row| row.get("account"))?;
    Ok(found.ok_or(OperatorRejection::Unknown)?)
}

pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<Operator>, DbError> {
    let sql = "SELECT operator.account, account.email, operator.created_at,
                 (SELECT count(*) FROM passkey WHERE passkey.account = operator.account) AS passkeys
               FROM operator JOIN account ON account.id = operator.account
               ORDER BY account.email_key";
    tx.all(sql, &[], |row| {
        Ok(Operator {
            account: row.get("account")?,
            email: row.get("email")?,
            since: row.get("created_at")?,
            passkeys: row.get("passkeys")?,
        })
    })
}

const PROJECTS: &str = "SELECT project.id, project.name, project.tier,
                          (SELECT string_agg(account.email, ', ' ORDER BY account.email_key)
                           FROM membership JOIN account ON account.id = membership.account
                           WHERE membership.project = project.id AND membership.role = 'owner')
                            AS owners
                        FROM project WHERE project.deleted_at IS NULL";

/// The projects that are not deleted and match a string, by name. A project is found by its id, or the id of
/// one of its keys; by a part of its name, of an owner's address or of a key's label; or by the first
/// characters of a key. Case is ignored.
pub(crate) fn find_projects(
    tx: &Tx<'_>,
    actor: Actor,
    text: &str,
    limit: usize,
) -> Result<Vec<ProjectSummary>, OperatorError> {
    if !projects::administers(tx, actor)? {
        return Err(OperatorRejection::Forbidden.into());
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
    let params = params![id, text, limit];
    Ok(tx.all(&sql, params, read_project)?)
}

/// The accounts with this id, or this string in their addresses, by address.
pub(crate) fn find_accounts(
    tx: &Tx<'_>,
    actor: Actor,
    text: &str,
    limit: usize,
) -> Result<Vec<AccountSummary>, OperatorError> {
    if !projects::administers(tx, actor)? {
        return Err(OperatorRejection::Forbidden.into());
    }
    let sql = "SELECT account.id, account.email, account.created_at,
                 (SELECT count(*) FROM membership WHERE membership.account = account.id) AS projects
               FROM account WHERE account.id = $1 OR strpos(account.email_key, lower($2)) > 0
               ORDER BY account.email_key LIMIT $3";
    let id = text.parse().ok().map(AccountId);
    let params = params![id, text, limit];
    let found = tx.all(sql, params, |row| {
        Ok(AccountSummary {
            account: accounts::read_account(row)?,
            projects: row.get("projects")?,
        })
    });
    Ok(found?)
}

pub(crate) fn summary(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<ProjectSummary, OperatorError> {
    if !projects::administers(tx, actor)? {
        return Err(OperatorRejection::Forbidden.into());
    }
    let sql = format!("{PROJECTS} AND project.id = $1");
    let found = tx.first(&sql, params![project], read_project)?;
    Ok(found.ok_or(OperatorRejection::Unknown)?)
}

/// The newest projects, newest first, and the webhooks that are failing, the longest first.
pub(crate) fn latest(
    tx: &Tx<'_>,
    actor: Actor,
    limit: usize,
) -> Result<(Vec<ProjectSummary>, Vec<FailingWebhook>), OperatorError> {
    if !projects::administers(tx, actor)? {
        return Err(OperatorRejection::Forbidden.into());
    }
    // IDs start with the time of creation.
    let sql = format!("{PROJECTS} ORDER BY project.id DESC LIMIT $1");
    let newest = tx.all(&sql, params![limit], read_project)?;
    let sql = "SELECT project.id AS project, project.name, webhook.url, webhook.failing_since
               FROM webhook JOIN project ON project.id = webhook.project
               WHERE webhook.failing_since IS NOT NULL AND webhook.enabled
               ORDER BY webhook.failing_since LIMIT $1";
    let failing = tx.all(sql, params![limit], |row| {
        Ok(FailingWebhook {
            project: row.get("project")?,
            project_name: row.get("name")?,
            url: row.get("url")?,
            since: row.get("failing_since")?,
        })
    })?;
    Ok((newest, failing))
}

pub(crate) fn details(
    tx: &Tx<'_>,
    actor: Actor,
    id: AccountId,
) -> Result<AccountDetails, OperatorError> {
    if !projects::administers(tx, actor)? {
        return Err(OperatorRejection::Forbidden.into());
    }
    let sql = "SELECT account.id, account.email, account.created_at,
                 (SELECT count(*) FROM session WHERE session.account = account.id) AS sessions,
                 (SELECT count(*) FROM passkey WHERE passkey.account = account.id) AS passkeys,
                 EXISTS (SELECT 1 FROM operator WHERE operator.account = account.id)
                   AS is_operator
               FROM account WHERE account.id = $1";
    let projects = projects::of_account(tx, id)?;
    let params = params![id];
    let found = tx.first(sql, params, |row| {
        Ok(AccountDetails {
            account: accounts::read_account(row)?,
            projects,
            sessions: row.get("sessions")?,
            passkeys: row.get("passkeys")?,
            is_operator: row.get("is_operator")?,
        })
    });
    Ok(found?.ok_or(OperatorRejection::Unknown)?)
}

fn read_project(row: &Row<'_>) -> Result<ProjectSummary, DbError> {
    let owners: Option<String> = row.get("owners")?;
    Ok(ProjectSummary {
        project: projects::read(row)?,
        owners: owners.unwrap_or_default(),
    })
}
