//! Projects and their members.

use db::{DbError, Row, Tx, params};
use jiff::Timestamp;

use super::{Actor, OwnProject, Project, ProjectAccess, ProjectId, Role, Standing};
use crate::domain::email::Email;
use crate::domain::ids::AccountId;

/// All projects, by name.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<Project>, DbError> {
    let sql = "SELECT id, name, tier FROM project WHERE deleted_at IS NULL ORDER BY name, id";
    tx.all(sql, &[], read)
}

pub fn of_account(tx: &Tx<'_>, account: AccountId) -> Result<Vec<OwnProject>, DbError> {
    let sql = "SELECT project.id, project.name, project.tier, membership.role,
                 membership.created_at,
                 EXISTS (SELECT 1 FROM suspension WHERE suspension.project = project.id)
                   AS is_suspended
               FROM membership JOIN project ON project.id = membership.project
               WHERE membership.account = $1 AND project.deleted_at IS NULL
               ORDER BY project.name, project.id";
    tx.all(sql, params![account], |row| {
        Ok(OwnProject {
            project: read(row)?,
            role: row.get("role")?,
            since: row.get("created_at")?,
            is_suspended: row.get("is_suspended")?,
        })
    })
}

pub(crate) fn owners(tx: &Tx<'_>, project: ProjectId) -> Result<Vec<Email>, DbError> {
    let sql = "SELECT account.email
               FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = $1 AND membership.role = $2
               ORDER BY account.id";
    tx.all(sql, params![project, Role::Owner], |row| row.get("email"))
}

/// Makes an account a member, or changes its role.
pub fn put_member(
    tx: &Tx<'_>,
    project: ProjectId,
    (account, role): (AccountId, Role),
    now: Timestamp,
) -> Result<(), DbError> {
    let sql = "INSERT INTO membership (account, project, role, created_at) VALUES ($1, $2, $3, $4)
               ON CONFLICT (account, project) DO UPDATE SET role = excluded.role";
    tx.execute(sql, params![account, project, role, now])?;
    Ok(())
}

/// A project by its id, even if it is deleted.
pub(crate) fn find(tx: &Tx<'_>, id: ProjectId) -> Result<Option<Project>, DbError> {
    let sql = "SELECT id, name, tier FROM project WHERE id = $1";
    tx.first(sql, params![id], read)
}

/// Whether an actor may look after all projects.
pub fn administers(tx: &Tx<'_>, actor: Actor) -> Result<bool, DbError> {
    match actor {
        Actor::Operator => Ok(true),
        Actor::OperatorAccount(account) => is_operator(tx, account),
        Actor::Account(_) => Ok(false),
    }
}

pub fn is_operator(tx: &Tx<'_>, account: AccountId) -> Result<bool, DbError> {
    let sql = "SELECT 1 FROM operator WHERE account = $1";
    tx.exists(sql, params![account])
}

/// A project, if the actor manages it.
pub fn managed(tx: &Tx<'_>, actor: Actor, id: ProjectId) -> Result<Option<Project>, DbError> {
    let found = found(tx, actor, id, "")?;
    Ok(found.and_then(|found| found.managed_by(actor)))
}

/// A project, if the actor sees it.
pub fn seen(tx: &Tx<'_>, actor: Actor, id: ProjectId) -> Result<Option<Project>, DbError> {
    let found = found(tx, actor, id, "")?;
    Ok(found.and_then(|found| found.seen_by(actor)))
}

/// A project, if the actor manages it. It is not deleted before the end of the transaction.
pub fn lock_managed(tx: &Tx<'_>, actor: Actor, id: ProjectId) -> Result<Option<Project>, DbError> {
    let found = lock(tx, actor, id)?;
    Ok(found.and_then(|found| found.managed_by(actor)))
}

/// A project and the role that the actor has in it. Neither it nor its members change before the end of
/// the transaction.
pub fn lock(tx: &Tx<'_>, actor: Actor, id: ProjectId) -> Result<Option<ProjectAccess>, DbError> {
    found(tx, actor, id, LOCKED)
}

/// Locks a project until the end of the transaction. References to it do not wait.
const LOCKED: &str = "FOR NO KEY UPDATE OF project";

fn found(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
    lock: &str,
) -> Result<Option<ProjectAccess>, DbError> {
    let sql = format!(
        "SELECT project.id, project.name, project.tier, membership.role,
           EXISTS (SELECT 1 FROM operator WHERE operator.account = $2) AS is_operator
         FROM project LEFT JOIN membership
           ON membership.project = project.id AND membership.account = $2
         WHERE project.id = $1 AND project.deleted_at IS NULL {lock}"
    );
    tx.first(&sql, params![id, actor.account()], |row| {
        Ok(ProjectAccess {
            project: read(row)?,
            standing: Standing {
                role: row.get("role")?,
                is_operator: row.get("is_operator")?,
            },
        })
    })
}

/// Inserts or updates a project.
pub(crate) fn put(tx: &Tx<'_>, project: &Project) -> Result<u64, DbError> {
    let sql = "INSERT INTO project (id, name, tier) VALUES ($1, $2, $3)
               ON CONFLICT (id) DO UPDATE SET name = excluded.name, tier = excluded.tier";
    tx.execute(sql, params![project.id, project.name, project.tier])
}

/// Reads the columns `id`, `name` and `tier`.
pub fn read(row: &Row<'_>) -> Result<Project, DbError> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        tier: row.get("tier")?,
    })
}
