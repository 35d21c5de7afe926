//! Projects and their members, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio::try_join;
use tokio_postgres::Row;

use super::{
    Actor, OwnProject, Project, ProjectAccess, ProjectId, ProjectRefusal, ProjectStore, Role,
    Standing, Tier,
};
use crate::accounts::{AccountId, Email};
use crate::audit::{AuditAction, AuditEvent, postgres as audit};
use crate::claims::postgres as claims;
use crate::configs::creation::postgres as creation;
use crate::contracts::postgres as contracts;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis, before};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::versions::Versioned;
use crate::keys::postgres as keys;
use crate::operators::postgres as operators;
use crate::suspensions::postgres as suspensions;
use crate::webhooks::postgres as webhooks;

#[async_trait]
impl ProjectStore for Postgres {
    async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.query(|db| all(db).boxed()).await
    }

    async fn projects_of(&self, account: AccountId) -> Result<Vec<OwnProject>, StoreError> {
        self.query(move |db| of_account(db, account).boxed()).await
    }

    async fn project(&self, actor: Actor, id: ProjectId) -> Result<Option<Project>, StoreError> {
        self.query(move |db| seen(db, actor, id).boxed()).await
    }

    async fn project_with_configs(
        &self,
        id: ProjectId,
        now: Timestamp,
    ) -> Result<Option<(Project, u64)>, StoreError> {
        self.query(move |db| with_configs(db, id, now).boxed())
            .await
    }

    async fn owners(&self, project: ProjectId) -> Result<Vec<Email>, StoreError> {
        self.query(move |db| owners(db, project).boxed()).await
    }

    async fn create_project(
        &self,
        actor: Actor,
        project: Project,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        let about = (actor, project, now);
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            about,
            |tx, (actor, project, now)| create(tx, *actor, project, *now).boxed(),
        )
        .await
    }

    async fn create_own_project(
        &self,
        account: AccountId,
        project: Project,
        most: u32,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(
            Actor::Account(account).writer(),
            TimeoutClass::Request,
            (account, project, most, now),
            |tx, (account, project, most, now)| {
                create_own(tx, *account, project, *most, *now).boxed()
            },
        )
        .await
    }

    async fn add_member(
        &self,
        actor: Actor,
        project: ProjectId,
        member: (AccountId, Role),
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, project, member, now),
            |tx, (actor, project, member, now)| {
                add_member(tx, *actor, *project, *member, *now).boxed()
            },
        )
        .await
    }

    async fn delete_project(
        &self,
        actor: Actor,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, project, now),
            |tx, (actor, project, now)| delete_asked(tx, *actor, *project, *now).boxed(),
        )
        .await
    }

    async fn rename_project(
        &self,
        actor: Actor,
        project: ProjectId,
        name: String,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, project, name, now),
            |tx, (actor, project, name, now)| rename(tx, *actor, *project, name, *now).boxed(),
        )
        .await
    }

    async fn set_tier(
        &self,
        actor: Actor,
        project: ProjectId,
        tier: Tier,
        now: Timestamp,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, project, tier, now),
            |tx, (actor, project, tier, now)| set_tier(tx, *actor, *project, *tier, *now).boxed(),
        )
        .await
    }
}

/// All projects, by name.
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<Project>, Failure> {
    let sql = "SELECT id, name, tier FROM project WHERE deleted_at IS NULL ORDER BY name, id";
    query::all(db, sql, &[], read).await
}

pub(crate) async fn of_account(
    db: &impl GenericClient,
    account: AccountId,
) -> Result<Vec<OwnProject>, Failure> {
    let sql = "SELECT project.id, project.name, project.tier, membership.role,
                 membership.created_at,
                 EXISTS (SELECT 1 FROM suspension WHERE suspension.project = project.id)
                   AS is_suspended
               FROM membership JOIN project ON project.id = membership.project
               WHERE membership.account = $1 AND project.deleted_at IS NULL
               ORDER BY project.name, project.id";
    query::all(db, sql, &[&account], |row| {
        Ok(OwnProject {
            project: read(row)?,
            role: row.try_get("role")?,
            since: column::time(row, "created_at")?,
            is_suspended: row.try_get("is_suspended")?,
        })
    })
    .await
}

async fn with_configs(
    db: &impl GenericClient,
    id: ProjectId,
    now: Timestamp,
) -> Result<Option<(Project, u64)>, Failure> {
    let counted = creation::count(db, id, now, u32::MAX);
    let (project, configs) = try_join!(find(db, id), counted)?;
    Ok(project.map(|project| (project, configs.unsigned_abs())))
}

async fn owners(db: &impl GenericClient, project: ProjectId) -> Result<Vec<Email>, Failure> {
    let sql = "SELECT account.email
               FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = $1 AND membership.role = $2
               ORDER BY account.id";
    query::all(db, sql, &[&project, &Role::Owner], |row| {
        Ok(row.try_get("email")?)
    })
    .await
}

async fn create(
    tx: &Transaction<'_>,
    actor: Actor,
    project: &Project,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    if !operators::administers(tx, actor).await? {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    put(tx, project).await?;
    let created = AuditAction::ProjectCreated(project.name.clone());
    record_event(tx, actor, project.id, created, now).await?;
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(()))
}

async fn create_own(
    tx: &Transaction<'_>,
    account: AccountId,
    project: &Project,
    most: u32,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    // The account's other transactions that create projects wait here.
    let turn = "SELECT 1 FROM account WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE";
    if !query::exists(tx, turn, &[&account]).await? {
        return Ok(Err(ProjectRefusal::Unknown(project.id)));
    }
    let same = "SELECT 1 FROM project WHERE id = $1";
    let same = query::first(tx, same, &[&project.id], |_| Ok(())).await?;
    if same.is_some() {
        return Ok(Err(ProjectRefusal::AlreadyMade(project.id)));
    }
    if let Err(refusal) = suspensions::admit(tx, Actor::Account(account)).await? {
        return Ok(Err(refusal.into()));
    }
    if owned(tx, account, now).await? >= i64::from(most) {
        return Ok(Err(ProjectRefusal::TooMany(most)));
    }
    put(tx, project).await?;
    put_member(tx, project.id, (account, Role::Owner), now).await?;
    let created = AuditAction::ProjectCreated(project.name.clone());
    record_event(tx, Actor::Account(account), project.id, created, now).await?;
    // No server has to know a project that has no key: the counter, which importers lock, stays.
    Ok(Ok(()))
}

async fn owned(tx: &Transaction<'_>, account: AccountId, now: Timestamp) -> Result<i64, Failure> {
    let sql = "SELECT count(*) AS owned
               FROM membership JOIN project ON project.id = membership.project
               WHERE membership.account = $1 AND membership.role = $2 AND project.tier = $3
                 AND (project.deleted_at IS NULL OR project.deleted_at > $4)";
    let since = before(now, ProjectRefusal::COUNTED);
    let params: query::Params<'_> = &[&account, &Role::Owner, &Tier::Free, &since];
    let owned = query::first(tx, sql, params, |row| Ok(row.try_get("owned")?)).await?;
    Ok(owned.unwrap_or(0))
}

async fn add_member(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    member: (AccountId, Role),
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    if !operators::administers(tx, actor).await? {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    if lock_managed(tx, actor, project).await?.is_none() {
        return Ok(Err(ProjectRefusal::Unknown(project)));
    }
    put_member(tx, project, member, now).await?;
    Ok(Ok(()))
}

/// Makes an account a member, or changes its role.
pub(crate) async fn put_member(
    tx: &Transaction<'_>,
    project: ProjectId,
    (account, role): (AccountId, Role),
    now: Timestamp,
) -> Result<(), Failure> {
    let sql = "INSERT INTO membership (account, project, role, created_at) VALUES ($1, $2, $3, $4)
               ON CONFLICT (account, project) DO UPDATE SET role = excluded.role";
    query::execute(tx, sql, &[&account, &project, &role, &Millis(now)]).await?;
    Ok(())
}

async fn delete_asked(
    tx: &Transaction<'_>,
    actor: Actor,
    id: ProjectId,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    match suspensions::admit(tx, actor).await? {
        Ok(()) => delete(tx, actor, id, now).await,
        Err(refusal) => Ok(Err(refusal.into())),
    }
}

/// Hides a project, revokes its keys, deletes its webhooks, withdraws its claims and releases its contracts.
pub(crate) async fn delete(
    tx: &Transaction<'_>,
    actor: Actor,
    id: ProjectId,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    let found = lock(tx, actor, id).await?;
    let project = match ProjectRefusal::unless_owned(actor, id, found) {
        Ok(project) => project,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE project SET deleted_at = $2 WHERE id = $1";
    query::execute(tx, sql, &[&id, &Millis(now)]).await?;
    keys::revoke_all(tx, id, now).await?;
    webhooks::delete_all(tx, id).await?;
    audit::forget_invited(tx, id).await?;
    claims::withdraw_undecided(tx, id).await?;
    contracts::release_all(tx, id).await?;
    record_event(
        tx,
        actor,
        id,
        AuditAction::ProjectDeleted(project.name),
        now,
    )
    .await?;
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(()))
}

async fn rename(
    tx: &Transaction<'_>,
    actor: Actor,
    id: ProjectId,
    name: &str,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    let found = lock(tx, actor, id).await?;
    if let Err(refusal) = ProjectRefusal::unless_owned(actor, id, found) {
        return Ok(Err(refusal));
    }
    if let Err(refusal) = suspensions::admit(tx, actor).await? {
        return Ok(Err(refusal.into()));
    }
    let sql = "UPDATE project SET name = $2 WHERE id = $1";
    query::execute(tx, sql, &[&id, &name]).await?;
    let renamed = AuditAction::ProjectRenamed(name.to_owned());
    record_event(tx, actor, id, renamed, now).await?;
    Ok(Ok(()))
}

async fn set_tier(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    if !operators::administers(tx, actor).await? {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    if seen(tx, actor, project).await?.is_none() {
        return Ok(Err(ProjectRefusal::Unknown(project)));
    }
    change_tier(tx, actor, project, tier, now).await?;
    Ok(Ok(()))
}

/// Sets the tier of a project that exists. It must be the last step of a transaction.
pub(crate) async fn change_tier(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<(), Failure> {
    let sql = "UPDATE project SET tier = $2 WHERE id = $1";
    query::execute(tx, sql, &[&project, &tier]).await?;
    record_event(tx, actor, project, AuditAction::TierSet(tier), now).await?;
    Changed::one(Versioned::Keys).count(tx).await
}

/// Writes an action on a project into the audit log.
pub(crate) async fn record_event(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    action: AuditAction,
    at: Timestamp,
) -> Result<(), Failure> {
    let event = AuditEvent {
        actor,
        project,
        action,
        at,
    };
    audit::append(tx, &event).await
}

/// A project by its id, even if it is deleted.
pub(crate) async fn find(
    db: &impl GenericClient,
    id: ProjectId,
) -> Result<Option<Project>, Failure> {
    let sql = "SELECT id, name, tier FROM project WHERE id = $1";
    query::first(db, sql, &[&id], read).await
}

/// A project, if the actor manages it.
pub(crate) async fn managed(
    db: &impl GenericClient,
    actor: Actor,
    id: ProjectId,
) -> Result<Option<Project>, Failure> {
    let found = found(db, actor, id, "").await?;
    Ok(found.and_then(|found| found.managed_by(actor)))
}

/// A project, if the actor sees it.
pub(crate) async fn seen(
    db: &impl GenericClient,
    actor: Actor,
    id: ProjectId,
) -> Result<Option<Project>, Failure> {
    let found = found(db, actor, id, "").await?;
    Ok(found.and_then(|found| found.seen_by(actor)))
}

/// A project, if the actor manages it. It is not deleted before the end of the transaction.
pub(crate) async fn lock_managed(
    tx: &Transaction<'_>,
    actor: Actor,
    id: ProjectId,
) -> Result<Option<Project>, Failure> {
    let found = lock(tx, actor, id).await?;
    Ok(found.and_then(|found| found.managed_by(actor)))
}

/// A project and the role that the actor has in it. Neither it nor its members change before the end of
/// the transaction.
pub(crate) async fn lock(
    tx: &Transaction<'_>,
    actor: Actor,
    id: ProjectId,
) -> Result<Option<ProjectAccess>, Failure> {
    found(tx, actor, id, LOCKED).await
}

/// Locks a project until the end of the transaction. References to it do not wait.
const LOCKED: &str = "FOR NO KEY UPDATE OF project";

async fn found(
    db: &impl GenericClient,
    actor: Actor,
    id: ProjectId,
    lock: &str,
) -> Result<Option<ProjectAccess>, Failure> {
    let sql = format!(
        "SELECT project.id, project.name, project.tier, membership.role,
           EXISTS (SELECT 1 FROM operator WHERE operator.account = $2) AS is_operator
         FROM project LEFT JOIN membership
           ON membership.project = project.id AND membership.account = $2
         WHERE project.id = $1 AND project.deleted_at IS NULL {lock}"
    );
    query::first(db, &sql, &[&id, &actor.account()], |row| {
        Ok(ProjectAccess {
            project: read(row)?,
            standing: Standing {
                role: row.try_get("role")?,
                is_operator: row.try_get("is_operator")?,
            },
        })
    })
    .await
}

/// Inserts or updates a project.
pub(crate) async fn put(tx: &Transaction<'_>, project: &Project) -> Result<u64, Failure> {
    let sql = "INSERT INTO project (id, name, tier) VALUES ($1, $2, $3)
               ON CONFLICT (id) DO UPDATE SET name = excluded.name, tier = excluded.tier";
    query::execute(tx, sql, &[&project.id, &project.name, &project.tier]).await
}

/// Reads the columns `id`, `name` and `tier`.
pub(crate) fn read(row: &Row) -> Result<Project, Failure> {
    Ok(Project {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        tier: row.try_get("tier")?,
    })
}
