//! Creating and deleting projects and setting their tiers: use cases for the command line and the
//! dashboard. A deletion revokes the project's keys, deletes its webhooks, withdraws its claims and releases its
//! contracts.

pub mod sql;
pub mod store;

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use crate::console_config::AccountRules;
use crate::domain::ids::AccountId;
use crate::domain::printable::{is_unprintable, is_visible};
use crate::projects::{self, Actor, Project, ProjectAccess, ProjectId, Tier};
use crate::suspensions::OwnsSuspended;
use db::{Db, DbError, Timeouts};

/// The most characters of a name that an account gives.
const MAX_NAME: usize = 80;

/// The reason why a project was not created or changed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProjectChangeError {
    #[error("a project needs a name")]
    NoName,
    /// The name has control characters, which act on the terminal or page that shows it, or invisible ones.
    #[error("a project's name cannot contain control or invisible characters")]
    UnprintableName,
    /// The name is longer than an account may give.
    #[error("a project's name has at most {MAX_NAME} characters")]
    LongName,
    #[error(transparent)]
    Rejected(#[from] ProjectRejection),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why a change of a project is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProjectRejection {
    #[error("only operators can do this")]
    Forbidden,
    /// The account is a member, and only owners may do this.
    #[error("only owners of the project can do this")]
    NotOwner,
    /// The account owns too many Free projects.
    #[error(
        "an account owns at most {0} projects of tier Free, including those it created or deleted in the last 24 hours; \
         request another tier for one, or delete one and come back tomorrow"
    )]
    TooMany(u32),
    /// There is a project with the id of the new one: the same request came before.
    #[error("project {} already exists", .0.0)]
    AlreadyMade(ProjectId),
    #[error("there is no project {}", .0.0)]
    Unknown(ProjectId),
    /// The account owns a project that is suspended.
    #[error(transparent)]
    OwnsSuspended(#[from] OwnsSuspended),
}

/// The number of Free projects that an account may own, which it has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeProjectQuota(pub u32);

impl From<FreeProjectQuota> for ProjectChangeError {
    fn from(FreeProjectQuota(most): FreeProjectQuota) -> Self {
        ProjectRejection::TooMany(most).into()
    }
}

impl From<OwnsSuspended> for ProjectChangeError {
    fn from(rejection: OwnsSuspended) -> Self {
        Self::Rejected(rejection.into())
    }
}

impl ProjectRejection {
    /// How long a deleted project counts among those that its account owns.
    pub(crate) const COUNTED: Duration = Duration::from_secs(24 * 3600);

    /// The project, if the actor owns it.
    pub(crate) fn unless_owned(
        actor: Actor,
        id: ProjectId,
        found: Option<ProjectAccess>,
    ) -> Result<Project, Self> {
        match found {
            Some(found) if actor.owns(found.standing) => Ok(found.project),
            Some(found) if actor.sees(found.standing) => Err(Self::NotOwner),
            _ => Err(Self::Unknown(id)),
        }
    }
}

/// Creates a project.
///
/// # Errors
/// When the name is empty or unprintable, the actor may not create projects, or the database fails.
pub async fn create(
    store: &Db,
    actor: Actor,
    name: String,
    tier: Tier,
    now: Timestamp,
) -> Result<ProjectId, ProjectChangeError> {
    let id = ProjectId(Uuid::now_v7());
    let project = new(id, name, tier)?;
    store::create_project(store, actor, project, now).await?;
    Ok(id)
}

/// Creates a Free project that an account owns, with an id that the request names, so that one that comes
/// twice creates one project.
///
/// # Errors
/// When the name is empty, unprintable or long, the account owns too many, there is a project with this id,
/// or the database fails.
pub async fn create_own(
    store: &Db,
    account: AccountId,
    (id, name): (ProjectId, &str),
    rules: &AccountRules,
    now: Timestamp,
) -> Result<ProjectId, ProjectChangeError> {
    let project = new(id, own_name(name)?, Tier::Free)?;
    let most = rules.free_projects;
    let writer = Actor::Account(account).writer();
    let create = store.write(writer, Timeouts::Request, move |tx| {
        sql::create_own(tx, account, &project, most, now)
    });
    create.await?;
    Ok(id)
}

/// Gives a project another name.
///
/// # Errors
/// When the name is empty, unprintable or long, the actor does not own the project, or the database fails.
pub async fn rename(
    store: &Db,
    actor: Actor,
    id: ProjectId,
    name: &str,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    let Project { name, .. } = new(id, own_name(name)?, Tier::Free)?;
    let rename = store.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::rename(tx, actor, id, &name, now)
    });
    rename.await
}

/// A name as an account gives it.
fn own_name(typed: &str) -> Result<String, ProjectChangeError> {
    let name = typed.trim();
    match name.chars().count() > MAX_NAME {
        true => Err(ProjectChangeError::LongName),
        false => Ok(name.to_owned()),
    }
}

/// A project that the actor sees.
///
/// # Errors
/// When the actor sees no such project, or the database fails.
pub async fn find(store: &Db, actor: Actor, id: ProjectId) -> Result<Project, ProjectChangeError> {
    let found = projects::store::project(store, actor, id).await?;
    Ok(found.ok_or(ProjectRejection::Unknown(id))?)
}

/// Deletes a project: it is hidden, and its keys are revoked. Its configs and donations stay in the
/// statistics.
///
/// # Errors
/// When the actor owns no such project, or the database fails.
pub async fn delete(
    store: &Db,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    let delete = store.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::delete(tx, actor, project, now)
    });
    delete.await
}

/// Changes the tier of a project; running servers follow within a second.
///
/// # Errors
/// When there is no such project, the actor may not set tiers, or the database fails.
pub async fn set_tier(
    store: &Db,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
    now: Timestamp,
) -> Result<(), ProjectChangeError> {
    let set = store.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::set_tier(tx, actor, project, tier, now)
    });
    set.await
}

fn new(id: ProjectId, name: String, tier: Tier) -> Result<Project, ProjectChangeError> {
    if !is_visible(&name) && !name.chars().any(is_unprintable) {
        return Err(ProjectChangeError::NoName);
    }
    if name.chars().any(is_unprintable) {
        return Err(ProjectChangeError::UnprintableName);
    }
    Ok(Project { id, name, tier })
}
