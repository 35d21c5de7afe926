//! Projects and their members.

use db::{DbError, Row, Tx, params};
use jiff::Timestamp;

use super::{
    Actor, OwnProject, Project, ProjectAccess, ProjectId, ProjectRefusal, Role, Standing, Tier,
};
use crate::accounts::{AccountId, Email};
use crate::audit::{AuditAction, AuditEvent, sql as audit};
use crate::claims::sql as claims;
use crate::configs::creation::sql as creation;
use crate::contracts::sql as contracts;
use crate::database::Versioned;
use crate::keys::sql as keys;
use crate::operators::sql as operators;
use crate::suspensions::sql as suspensions;
use crate::webhooks::sql as webhooks;
use edge::clock::before;

/// All projects, by name.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<Project>, DbError> {
    let sql = "SELECT id, name, tier FROM project WHERE deleted_at IS NULL ORDER BY name, id";
    tx.all(sql, &[], read)
}

pub(crate) fn of_account(tx: &Tx<'_>, account: AccountId) -> Result<Vec<OwnProject>, DbError> {
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

pub(crate) fn with_configs(
    tx: &Tx<'_>,
    id: ProjectId,
    now: Timestamp,
) -> Result<Option<(Project, u64)>, DbError> {
    let Some(project) = find(tx, id)? else {
        return Ok(None);
    };
    let configs = creation::count(tx, id, now, u32::MAX)?;
    Ok(Some((project, configs.unsigned_abs())))
}

pub(crate) fn owners(tx: &Tx<'_>, project: ProjectId) -> Result<Vec<Email>, DbError> {
    let sql = "SELECT account.email
               FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = $1 AND membership.role = $2
               ORDER BY account.id";
    tx.all(sql, params![project, Role::Owner], |row| row.get("email"))
}

pub(crate) fn create(
    tx: &Tx<'_>,
    actor: Actor,
    project: &Project,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    if !operators::administers(tx, actor)? {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    put(tx, project)?;
    let created = AuditAction::ProjectCreated(project.name.clone());
    record_event(tx, actor, project.id, created, now)?;
    tx.bump(Versioned::Keys.name());
    Ok(Ok(()))
}

pub(crate) fn create_own(
    tx: &Tx<'_>,
    account: AccountId,
    project: &Project,
    most: u32,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    // The account's other transactions that create projects wait here.
    let turn = "SELECT 1 FROM account WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE";
    if !tx.exists(turn, params![account])? {
        return Ok(Err(ProjectRefusal::Unknown(project.id)));
    }
    let same = "SELECT 1 FROM project WHERE id = $1";
    let same = tx.first(same, params![project.id], |_| Ok(()))?;
    if same.is_some() {
        return Ok(Err(ProjectRefusal::AlreadyMade(project.id)));
    }
    if let Err(refusal) = suspensions::admit(tx, Actor::Account(account))? {
        return Ok(Err(refusal.into()));
    }
    if owned(tx, account, now)? >= i64::from(most) {
        return Ok(Err(ProjectRefusal::TooMany(most)));
    }
    put(tx, project)?;
    put_member(tx, project.id, (account, Role::Owner), now)?;
    let created = AuditAction::ProjectCreated(project.name.clone());
    record_event(tx, Actor::Account(account), project.id, created, now)?;
    // No server has to know a project that has no key: the counter, which importers lock, stays.
    Ok(Ok(()))
}

fn owned(tx: &Tx<'_>, account: AccountId, now: Timestamp) -> Result<i64, DbError> {
    let sql = "SELECT count(*) AS owned
               FROM membership JOIN project ON project.id = membership.project
               WHERE membership.account = $1 AND membership.role = $2 AND project.tier = $3
                 AND (project.deleted_at IS NULL OR project.deleted_at > $4)";
    let since = before(now, ProjectRefusal::COUNTED);
    let params = params![account, Role::Owner, Tier::Free, since];
    let owned = tx.first(sql, params, |row| row.get("owned"))?;
    Ok(owned.unwrap_or(0))
}

pub(crate) fn add_member(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    member: (AccountId, Role),
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    if !operators::administers(tx, actor)? {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    if lock_managed(tx, actor, project)?.is_none() {
        return Ok(Err(ProjectRefusal::Unknown(project)));
    }
    put_member(tx, project, member, now)?;
    Ok(Ok(()))
}

/// Makes an account a member, or changes its role.
pub(crate) fn put_member(
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

pub(crate) fn delete_asked(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    match suspensions::admit(tx, actor)? {
        Ok(()) => delete(tx, actor, id, now),
        Err(refusal) => Ok(Err(refusal.into())),
    }
}

/// Hides a project, revokes its keys, deletes its webhooks, withdraws its claims and releases its contracts.
pub(crate) fn delete(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    let found = lock(tx, actor, id)?;
    let project = match ProjectRefusal::unless_owned(actor, id, found) {
        Ok(project) => project,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE project SET deleted_at = $2 WHERE id = $1";
    tx.execute(sql, params![id, now])?;
    keys::revoke_all(tx, id, now)?;
    webhooks::delete_all(tx, id)?;
    audit::forget_invited(tx, id)?;
    claims::withdraw_undecided(tx, id)?;
    contracts::release_all(tx, id)?;
    record_event(
        tx,
        actor,
        id,
        AuditAction::ProjectDeleted(project.name),
        now,
    )?;
    tx.bump(Versioned::Keys.name());
    Ok(Ok(()))
}

pub(crate) fn rename(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
    name: &str,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    let found = lock(tx, actor, id)?;
    if let Err(refusal) = ProjectRefusal::unless_owned(actor, id, found) {
        return Ok(Err(refusal));
    }
    if let Err(refusal) = suspensions::admit(tx, actor)? {
        return Ok(Err(refusal.into()));
    }
    let sql = "UPDATE project SET name = $2 WHERE id = $1";
    tx.execute(sql, params![id, name])?;
    let renamed = AuditAction::ProjectRenamed(name.to_owned());
    record_event(tx, actor, id, renamed, now)?;
    Ok(Ok(()))
}

pub(crate) fn set_tier(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, DbError> {
    if !operators::administers(tx, actor)? {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    if seen(tx, actor, project)?.is_none() {
        return Ok(Err(ProjectRefusal::Unknown(project)));
    }
    change_tier(tx, actor, project, tier, now)?;
    Ok(Ok(()))
}

/// Sets the tier of a project that exists.
pub(crate) fn change_tier(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<(), DbError> {
    let sql = "UPDATE project SET tier = $2 WHERE id = $1";
    tx.execute(sql, params![project, tier])?;
    tx.bump(Versioned::Keys.name());
    record_event(tx, actor, project, AuditAction::TierSet(tier), now)
}

/// Writes an action on a project into the audit log.
pub(crate) fn record_event(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    action: AuditAction,
    at: Timestamp,
) -> Result<(), DbError> {
    let event = AuditEvent {
        actor,
        project,
        action,
        at,
    };
    audit::append(tx, &event)
}

/// A project by its id, even if it is deleted.
pub(crate) fn find(tx: &Tx<'_>, id: ProjectId) -> Result<Option<Project>, DbError> {
    let sql = "SELECT id, name, tier FROM project WHERE id = $1";
    tx.first(sql, params![id], read)
}

/// A project, if the actor manages it.
pub(crate) fn managed(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
) -> Result<Option<Project>, DbError> {
    let found = found(tx, actor, id, "")?;
    Ok(found.and_then(|found| found.managed_by(actor)))
}

/// A project, if the actor sees it.
pub(crate) fn seen(tx: &Tx<'_>, actor: Actor, id: ProjectId) -> Result<Option<Project>, DbError> {
    let found = found(tx, actor, id, "")?;
    Ok(found.and_then(|found| found.seen_by(actor)))
}

/// A project, if the actor manages it. It is not deleted before the end of the transaction.
pub(crate) fn lock_managed(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
) -> Result<Option<Project>, DbError> {
    let found = lock(tx, actor, id)?;
    Ok(found.and_then(|found| found.managed_by(actor)))
}

/// A project and the role that the actor has in it. Neither it nor its members change before the end of
/// the transaction.
pub(crate) fn lock(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
) -> Result<Option<ProjectAccess>, DbError> {
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
pub(crate) fn read(row: &Row<'_>) -> Result<Project, DbError> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        tier: row.get("tier")?,
    })
}
