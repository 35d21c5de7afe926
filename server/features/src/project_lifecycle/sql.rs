//! Creates, changes and deletes projects, with all that depends on them.

use db::{DbError, Tx, params};
use jiff::Timestamp;

use super::{FreeProjectQuota, ProjectChangeError, ProjectRejection};
use crate::audit::{AuditAction, sql as audit};
use crate::claims::sql as claims;
use crate::contracts::sql as contracts;
use crate::database::Versioned;
use crate::domain::ids::AccountId;
use crate::keys::sql as keys;
use crate::projects::{Actor, Project, ProjectId, Role, Tier, sql as projects};
use crate::suspensions::{OwnsSuspended, sql as suspensions};
use crate::webhooks::sql as webhooks;
use edge::clock::{before, latest};

pub(crate) fn create(
    tx: &Tx<'_>,
    actor: Actor,
    project: &Project,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    if !projects::administers(tx, actor)? {
        return Err(ProjectRejection::Forbidden.into());
    }
    projects::put(tx, project)?;
    let created = AuditAction::ProjectCreated(project.name.clone());
    audit::record_event(tx, actor, project.id, created, now)?;
    Versioned::Keys.changed(tx, &project.id.0);
    Ok(())
}

pub(crate) fn create_own(
    tx: &Tx<'_>,
    account: AccountId,
    project: &Project,
    most: u32,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    // The account's other transactions that create projects wait here.
    let turn = "SELECT 1 FROM account WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE";
    if !tx.exists(turn, params![account])? {
        return Err(ProjectRejection::Unknown(project.id).into());
    }
    let same = "SELECT 1 FROM project WHERE id = $1";
    let same = tx.first(same, params![project.id], |_| Ok(()))?;
    if same.is_some() {
        return Err(ProjectRejection::AlreadyMade(project.id).into());
    }
    admit_owner::<ProjectChangeError>(tx, account, Tier::Free, most, now)?;
    projects::put(tx, project)?;
    projects::put_member(tx, project.id, (account, Role::Owner), now)?;
    let created = AuditAction::ProjectCreated(project.name.clone());
    audit::record_event(tx, Actor::Account(account), project.id, created, now)?;
    // No server has to know a project that has no key: the counter, which importers lock, stays.
    Ok(())
}

/// Rejects an account that may not own one more project of a tier: it owns a suspended project, or too many that are
/// Free.
pub fn admit_owner<E: From<OwnsSuspended> + From<FreeProjectQuota> + From<DbError>>(
    tx: &Tx<'_>,
    account: AccountId,
    tier: Tier,
    most: u32,
    now: Timestamp,
) -> Result<(), E> {
    // Other transactions that make the account an owner wait here.
    let turn = "SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE";
    tx.exists(turn, params![account])?;
    suspensions::admit::<E>(tx, Actor::Account(account))?;
    match tier == Tier::Free && owned(tx, account, now)? >= i64::from(most) {
        true => Err(FreeProjectQuota(most).into()),
        false => Ok(()),
    }
}

/// How many Free projects an account owns, has created or has deleted in the last 24 hours.
fn owned(tx: &Tx<'_>, account: AccountId, now: Timestamp) -> Result<i64, DbError> {
    let sql = "SELECT count(*) AS owned FROM project
               WHERE tier = $3 AND (deleted_at IS NULL OR deleted_at > $4 AND deleted_at <= $5)
                 AND id IN (
                   SELECT project FROM membership WHERE account = $1 AND role = $2
                   UNION
                   SELECT project FROM audit_event
                   WHERE account = $1 AND action = 'project-created' AND NOT as_operator
                     AND at > $4 AND at <= $5)";
    let since = before(now, ProjectRejection::COUNTED);
    let params = params![account, Role::Owner, Tier::Free, since, latest(now)];
    tx.one(sql, params, |row| row.get("owned"))
}

pub(crate) fn add_member(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    member: (AccountId, Role),
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    if !projects::administers(tx, actor)? {
        return Err(ProjectRejection::Forbidden.into());
    }
    if projects::lock_managed(tx, actor, project)?.is_none() {
        return Err(ProjectRejection::Unknown(project).into());
    }
    projects::put_member(tx, project, member, now)?;
    Ok(())
}

pub(crate) fn delete(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    suspensions::admit::<ProjectChangeError>(tx, actor)?;
    let found = projects::lock(tx, actor, id)?;
    let project = ProjectRejection::unless_owned(actor, id, found)?;
    Ok(hide(tx, actor, project, now)?)
}

/// Hides a project that exists, revokes its keys, deletes its webhooks, withdraws its claims and releases its
/// contracts.
pub fn hide(
    tx: &Tx<'_>,
    actor: Actor,
    Project { id, name, .. }: Project,
    now: Timestamp,
) -> Result<(), DbError> {
    let sql = "UPDATE project SET deleted_at = $2 WHERE id = $1";
    tx.execute(sql, params![id, now])?;
    keys::revoke_all(tx, id, now)?;
    webhooks::delete_all(tx, id)?;
    audit::forget_invited(tx, id)?;
    claims::withdraw_undecided(tx, id)?;
    contracts::release_all(tx, id)?;
    audit::record_event(tx, actor, id, AuditAction::ProjectDeleted(name), now)?;
    Versioned::Keys.changed(tx, &id.0);
    Ok(())
}

pub(crate) fn rename(
    tx: &Tx<'_>,
    actor: Actor,
    id: ProjectId,
    name: &str,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    let found = projects::lock(tx, actor, id)?;
    ProjectRejection::unless_owned(actor, id, found)?;
    suspensions::admit::<ProjectChangeError>(tx, actor)?;
    let sql = "UPDATE project SET name = $2 WHERE id = $1";
    tx.execute(sql, params![id, name])?;
    let renamed = AuditAction::ProjectRenamed(name.to_owned());
    audit::record_event(tx, actor, id, renamed, now)?;
    Ok(())
}

pub(crate) fn set_tier(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    if !projects::administers(tx, actor)? {
        return Err(ProjectRejection::Forbidden.into());
    }
    if projects::seen(tx, actor, project)?.is_none() {
        return Err(ProjectRejection::Unknown(project).into());
    }
    Ok(change_tier(tx, actor, project, tier, now)?)
}

/// Sets the tier of a project that exists.
pub fn change_tier(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<(), DbError> {
    let sql = "UPDATE project SET tier = $2 WHERE id = $1";
    tx.execute(sql, params![project, tier])?;
    Versioned::Keys.changed(tx, &project.0);
    audit::record_event(tx, actor, project, AuditAction::TierSet(tier), now)
}
