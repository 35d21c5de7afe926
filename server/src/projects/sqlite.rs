//! Projects and their members, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row};

use super::{
    Actor, OwnProject, Project, ProjectAccess, ProjectId, ProjectRefusal, ProjectStore, Role,
    Standing, Tier,
};
use crate::accounts::{AccountId, Email, sqlite as accounts};
use crate::audit::{AuditAction, AuditEvent, sqlite as audit};
use crate::claims::sqlite as claims;
use crate::configs::creation::sqlite as creation;
use crate::contracts::sqlite as contracts;
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis, before};
use crate::database::sqlite::{Sqlite, query, versions};
use crate::database::versions::Versioned;
use crate::keys::sqlite as keys;
use crate::operators::sqlite as operators;
use crate::suspensions::sqlite as suspensions;
use crate::webhooks::sqlite as webhooks;

#[async_trait]
impl ProjectStore for Sqlite {
    async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.read(|db| Ok(all(db)?)).await
    }

    async fn projects_of(&self, account: AccountId) -> Result<Vec<OwnProject>, StoreError> {
        self.read(move |db| Ok(of_account(db, account)?)).await
    }

    async fn project(&self, actor: Actor, id: ProjectId) -> Result<Option<Project>, StoreError> {
        self.read(move |db| Ok(seen(db, actor, id)?)).await
    }

    async fn project_with_configs(
        &self,
        id: ProjectId,
        now: Timestamp,
    ) -> Result<Option<(Project, u64)>, StoreError> {
        self.read(move |db| {
            let Some(project) = find(db, id)? else {
                return Ok(None);
            };
            let configs = creation::count(db, id, now, u32::MAX)?;
            Ok(Some((project, configs.into())))
        })
        .await
    }

    async fn owners(&self, project: ProjectId) -> Result<Vec<Email>, StoreError> {
        self.read(move |db| {
            let sql = "SELECT account.email
                       FROM membership JOIN account ON account.id = membership.account
                       WHERE membership.project = ?1 AND membership.role = ?2
                       ORDER BY account.id";
            let read = |row: &Row<'_>| row.get("email");
            Ok(query::all(db, sql, (project, Role::Owner), read)?)
        })
        .await
    }

    async fn create_project(
        &self,
        actor: Actor,
        project: Project,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| create(tx, actor, project, now))
            .await
    }

    async fn create_own_project(
        &self,
        account: AccountId,
        project: Project,
        most: u32,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(Actor::Account(account).writer(), move |tx| {
            create_own(tx, account, project, most, now)
        })
        .await
    }

    async fn add_member(
        &self,
        actor: Actor,
        project: ProjectId,
        member: (AccountId, Role),
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| {
            if !operators::administers(tx, actor)? {
                return Ok(Err(ProjectRefusal::Forbidden));
            }
            if seen(tx, actor, project)?.is_none() {
                return Ok(Err(ProjectRefusal::Unknown(project)));
            }
            put_member(tx, project, member, now)?;
            Ok(Ok(()))
        })
        .await
    }

    async fn delete_project(
        &self,
        actor: Actor,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| {
            match suspensions::admit(tx, actor)? {
                Ok(()) => delete(tx, actor, project, now),
                Err(refusal) => Ok(Err(refusal.into())),
            }
        })
        .await
    }

    async fn rename_project(
        &self,
        actor: Actor,
        project: ProjectId,
        name: String,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| {
            rename(tx, actor, project, &name, now)
        })
        .await
    }

    async fn set_tier(
        &self,
        actor: Actor,
        project: ProjectId,
        tier: Tier,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| {
            set_tier(tx, actor, project, tier, now)
        })
        .await
    }
}

/// All projects, by name.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Project>> {
    query::all(
        db,
        "SELECT id, name, tier FROM project WHERE deleted_at IS NULL ORDER BY name, id",
        [],
        read,
    )
}

pub(crate) fn of_account(db: &Connection, account: AccountId) -> rusqlite::Result<Vec<OwnProject>> {
    let sql = "SELECT project.id, project.name, project.tier, membership.role,
                 membership.created_at,
                 EXISTS (SELECT 1 FROM suspension WHERE suspension.project = project.id)
                   AS is_suspended
               FROM membership JOIN project ON project.id = membership.project
               WHERE membership.account = ?1 AND project.deleted_at IS NULL
               ORDER BY project.name, project.id";
    query::all(db, sql, [account], |row| {
        Ok(OwnProject {
            project: read(row)?,
            role: row.get("role")?,
            since: column::time(row, "created_at")?,
            is_suspended: row.get("is_suspended")?,
        })
    })
}

fn create(
    db: &Connection,
    actor: Actor,
    project: Project,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, StoreError> {
    if !operators::administers(db, actor)? {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    add(db, actor, project, now)?;
    Ok(Ok(()))
}

fn create_own(
    db: &Connection,
    account: AccountId,
    project: Project,
    most: u32,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, StoreError> {
    if !accounts::exists(db, account)? {
        return Ok(Err(ProjectRefusal::Unknown(project.id)));
    }
    let sql = "SELECT 1 FROM project WHERE id = ?1";
    if db.prepare_cached(sql)?.exists([project.id])? {
        return Ok(Err(ProjectRefusal::AlreadyMade(project.id)));
    }
    if let Err(refusal) = suspensions::admit(db, Actor::Account(account))? {
        return Ok(Err(refusal.into()));
    }
    let sql = "SELECT count(*) AS owned
               FROM membership JOIN project ON project.id = membership.project
               WHERE membership.account = ?1 AND membership.role = ?2 AND project.tier = ?3
                 AND (project.deleted_at IS NULL OR project.deleted_at > ?4)";
    let params = (
        account,
        Role::Owner,
        Tier::Free,
        before(now, ProjectRefusal::COUNTED),
    );
    let owned: u32 = db
        .prepare_cached(sql)?
        .query_one(params, |row| row.get("owned"))?;
    if owned >= most {
        return Ok(Err(ProjectRefusal::TooMany(most)));
    }
    let id = project.id;
    add(db, Actor::Account(account), project, now)?;
    put_member(db, id, (account, Role::Owner), now)?;
    Ok(Ok(()))
}

fn add(db: &Connection, actor: Actor, project: Project, now: Timestamp) -> Result<(), StoreError> {
    put(db, &project)?;
    versions::advance(db, Versioned::Keys)?;
    record_event(
        db,
        actor,
        project.id,
        AuditAction::ProjectCreated(project.name),
        now,
    )
}

/// Makes an account a member, or changes its role.
pub(crate) fn put_member(
    db: &Connection,
    project: ProjectId,
    (account, role): (AccountId, Role),
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO membership (account, project, role, created_at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (account, project) DO UPDATE SET role = excluded.role";
    query::execute(db, sql, (account, project, role, Millis(now)))?;
    Ok(())
}

/// Hides a project, revokes its keys, deletes its webhooks, withdraws its claims and releases its contracts.
pub(crate) fn delete(
    db: &Connection,
    actor: Actor,
    id: ProjectId,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, StoreError> {
    let project = match ProjectRefusal::unless_owned(actor, id, found(db, actor, id)?) {
        Ok(project) => project,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE project SET deleted_at = ?2 WHERE id = ?1";
    query::execute(db, sql, (id, Millis(now)))?;
    keys::revoke_all(db, id, now)?;
    webhooks::delete_all(db, id)?;
    audit::forget_invited(db, id)?;
    claims::withdraw_undecided(db, id)?;
    contracts::release_all(db, id)?;
    record_event(
        db,
        actor,
        id,
        AuditAction::ProjectDeleted(project.name),
        now,
    )?;
    Ok(Ok(()))
}

fn rename(
    db: &Connection,
    actor: Actor,
    id: ProjectId,
    name: &str,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, StoreError> {
    if let Err(refusal) = ProjectRefusal::unless_owned(actor, id, found(db, actor, id)?) {
        return Ok(Err(refusal));
    }
    if let Err(refusal) = suspensions::admit(db, actor)? {
        return Ok(Err(refusal.into()));
    }
    let sql = "UPDATE project SET name = ?2 WHERE id = ?1";
    query::execute(db, sql, (id, name))?;
    let renamed = AuditAction::ProjectRenamed(name.to_owned());
    record_event(db, actor, id, renamed, now)?;
    Ok(Ok(()))
}

fn set_tier(
    db: &Connection,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, StoreError> {
    if !operators::administers(db, actor)? {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    if seen(db, actor, project)?.is_none() {
        return Ok(Err(ProjectRefusal::Unknown(project)));
    }
    change_tier(db, actor, project, tier, now)?;
    Ok(Ok(()))
}

/// Sets the tier of a project that exists.
pub(crate) fn change_tier(
    db: &Connection,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE project SET tier = ?2 WHERE id = ?1";
    query::execute(db, sql, (project, tier))?;
    versions::advance(db, Versioned::Keys)?;
    record_event(db, actor, project, AuditAction::TierSet(tier), now)
}

/// Writes an action on a project into the audit log.
pub(crate) fn record_event(
    db: &Connection,
    actor: Actor,
    project: ProjectId,
    action: AuditAction,
    at: Timestamp,
) -> Result<(), StoreError> {
    let event = AuditEvent {
        actor,
        project,
        action,
        at,
    };
    Ok(audit::append(db, &event)?)
}

/// Inserts or updates a project.
pub(crate) fn put(db: &Connection, project: &Project) -> rusqlite::Result<usize> {
    let sql = "INSERT INTO project (id, name, tier) VALUES (?1, ?2, ?3)
               ON CONFLICT (id) DO UPDATE SET name = excluded.name, tier = excluded.tier";
    query::execute(db, sql, (project.id, &project.name, project.tier))
}

/// A project by its id, even if it is deleted.
pub(crate) fn find(db: &Connection, id: ProjectId) -> rusqlite::Result<Option<Project>> {
    query::first(
        db,
        "SELECT id, name, tier FROM project WHERE id = ?1",
        [id],
        read,
    )
}

/// A project, if the actor manages it.
pub(crate) fn managed(
    db: &Connection,
    actor: Actor,
    id: ProjectId,
) -> rusqlite::Result<Option<Project>> {
    let found = found(db, actor, id)?;
    Ok(found.and_then(|found| found.managed_by(actor)))
}

/// A project, if the actor sees it.
pub(crate) fn seen(
    db: &Connection,
    actor: Actor,
    id: ProjectId,
) -> rusqlite::Result<Option<Project>> {
    let found = found(db, actor, id)?;
    Ok(found.and_then(|found| found.seen_by(actor)))
}

/// A project, and the standing of the actor in it.
pub(crate) fn found(
    db: &Connection,
    actor: Actor,
    id: ProjectId,
) -> rusqlite::Result<Option<ProjectAccess>> {
    let sql = "SELECT project.id, project.name, project.tier, membership.role,
                 EXISTS (SELECT 1 FROM operator WHERE operator.account = ?2) AS is_operator
               FROM project LEFT JOIN membership
                 ON membership.project = project.id AND membership.account = ?2
               WHERE project.id = ?1 AND project.deleted_at IS NULL";
    query::first(db, sql, (id, actor.account()), |row| {
        Ok(ProjectAccess {
            project: read(row)?,
            standing: Standing {
                role: row.get("role")?,
                is_operator: row.get("is_operator")?,
            },
        })
    })
}

/// Reads the columns `id`, `name` and `tier`.
pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        tier: row.get("tier")?,
    })
}
