//! Asking for another tier: use cases for members of projects.

use jiff::Timestamp;
use uuid::Uuid;

use super::sql;
use db::{Db, DbError, Timeouts};
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::domain::sentence::{self, SentenceError};
use features::projects::{Actor, Project, ProjectId, Tier};
use features::suspensions::OwnsSuspended;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierRequestId(pub Uuid);

db::uuid_column!(TierRequestId);

/// A request to be stored.
#[derive(Debug, Clone)]
pub struct NewTierRequest {
    pub id: TierRequestId,
    pub project: ProjectId,
    pub account: AccountId,
    pub tier: Tier,
    pub reason: String,
    pub created_at: Timestamp,
}

/// A request as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierRequest {
    pub id: TierRequestId,
    /// The project as it is now.
    pub project: Project,
    /// The address of the account that asked.
    pub email: Email,
    pub tier: Tier,
    pub reason: String,
    pub created_at: Timestamp,
    /// The decision; `None` while it waits.
    pub decision: Option<Decision>,
}

/// The decision of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub is_accepted: bool,
    /// The operator's sentence for the project.
    pub answer: String,
    pub at: Timestamp,
}

/// The reason why a request is not made or decided.
#[derive(Debug, thiserror::Error)]
pub enum TierRequestError {
    #[error(transparent)]
    Sentence(#[from] SentenceError),
    #[error(transparent)]
    Rejected(#[from] TierRequestRejection),
    #[error(transparent)]
    Template(#[from] askama::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TierRequestRejection {
    #[error("only operators can do this")]
    Forbidden,
    /// There is no such project, or none that the actor manages.
    #[error("there is no project {}", .0.0)]
    UnknownProject(ProjectId),
    /// There is no such request, or it is decided.
    #[error("there is no such open request")]
    Unknown,
    #[error("the project already has this tier")]
    SameTier,
    /// A request of the project waits.
    #[error("this project already has an open request; an operator decides it first")]
    Waiting,
    /// The account owns a project that is suspended.
    #[error(transparent)]
    OwnsSuspended(#[from] OwnsSuspended),
}

impl From<OwnsSuspended> for TierRequestError {
    fn from(rejection: OwnsSuspended) -> Self {
        Self::Rejected(rejection.into())
    }
}

/// Asks for a tier of a project, in the name of a member. One request of a project waits at a time.
///
/// # Errors
/// When the account manages no such project, the project has the tier or a request that waits, the
/// sentence is none, or the database fails.
pub async fn ask(
    store: &Db,
    account: AccountId,
    project: ProjectId,
    tier: Tier,
    reason: &str,
    now: Timestamp,
) -> Result<(), TierRequestError> {
    let request = NewTierRequest {
        id: TierRequestId(Uuid::now_v7()),
        project,
        account,
        tier,
        reason: sentence::checked(reason)?,
        created_at: now,
    };
    let writer = Actor::Account(account).writer();
    let ask = store.write(writer, Timeouts::Request, move |tx| sql::ask(tx, &request));
    ask.await
}

/// The latest request of a project, decided or not. `None` too if the actor does not see the project.
pub async fn latest(
    store: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<TierRequest>, DbError> {
    store.read(move |tx| sql::latest(tx, actor, project)).await
}

impl NewTierRequest {
    /// Whether it may be stored, where `managed` is the project if the account manages it, and `waits`
    /// says whether another one waits.
    pub(crate) fn admit(
        &self,
        managed: Option<&Project>,
        waits: bool,
    ) -> Result<(), TierRequestRejection> {
        match managed {
            None => Err(TierRequestRejection::UnknownProject(self.project)),
            Some(project) if project.tier == self.tier => Err(TierRequestRejection::SameTier),
            Some(_) if waits => Err(TierRequestRejection::Waiting),
            Some(_) => Ok(()),
        }
    }
}
