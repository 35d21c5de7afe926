//! Suspending and resuming projects: use cases for operators.

use askama::Error as TemplateError;
use jiff::Timestamp;

use super::message::{Change, suspension_changed};
use super::{sql, store as suspensions};
use crate::domain::sentence::{self, SentenceError};
use crate::domain::service_identity::ServiceIdentity;
use crate::mail::NewMail;
use crate::projects::{self, Actor, ProjectId};
use db::{Db, DbError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspension {
    /// Why, in a sentence for the members of the project.
    pub reason: String,
    pub since: Timestamp,
}

/// The reason why a project is not suspended or resumed.
#[derive(Debug, thiserror::Error)]
pub enum SuspensionError {
    #[error(transparent)]
    Reason(#[from] SentenceError),
    #[error(transparent)]
    Rejected(#[from] SuspensionRejection),
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why a suspension or its end is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SuspensionRejection {
    #[error("only an operator does this")]
    Forbidden,
    /// There is no such project, or it is in this state already.
    #[error("there is no project {} in the other state", .0.0)]
    Unchanged(ProjectId),
}

/// Rejects an action by which the owner of a suspended project would go on elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "an owner of a suspended project cannot create, rename or delete a project, become an owner of another, invite or \
     change members, create a key, request a tier or erase the account until an operator resumes it"
)]
pub struct OwnsSuspended;

/// The suspension of a project, if there is one. `None` too if the actor does not see the project.
pub async fn of_project(
    store: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Suspension>, DbError> {
    store.read(move |tx| sql::find(tx, actor, project)).await
}

/// Suspends a project: within a second, all servers reject its keys. Its owners get an email, and the invitations to
/// it and from them end.
///
/// # Errors
/// When the actor is no operator, the project is unknown or suspended already, the reason is none, or the
/// database fails.
pub async fn suspend(
    store: &Db,
    service: &ServiceIdentity,
    actor: Actor,
    project: ProjectId,
    reason: &str,
    now: Timestamp,
) -> Result<(), SuspensionError> {
    let suspension = Suspension {
        reason: sentence::checked(reason)?,
        since: now,
    };
    let change = Change::Suspended(&suspension.reason);
    let mails = mails(store, service, project, change, now).await?;
    suspensions::suspend_project(store, actor, project, suspension, mails).await
}

/// Ends a suspension: within a second, the project's keys work again. Its owners are mailed.
///
/// # Errors
/// When the actor is no operator, the project is unknown or not suspended, or the database fails.
pub async fn resume(
    store: &Db,
    service: &ServiceIdentity,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), SuspensionError> {
    let mails = mails(store, service, project, Change::Resumed, now).await?;
    suspensions::resume_project(store, actor, project, mails, now).await
}

/// A mail to each owner.
async fn mails(
    store: &Db,
    service: &ServiceIdentity,
    project: ProjectId,
    change: Change<'_>,
    now: Timestamp,
) -> Result<Vec<NewMail>, SuspensionError> {
    let found = projects::store::project(store, Actor::Operator, project).await?;
    let found = found.ok_or(SuspensionRejection::Unchanged(project))?;
    let owners = projects::store::owners(store, project).await?;
    let mails = owners
        .into_iter()
        .map(|owner| suspension_changed(service, owner, &found, change, now));
    Ok(mails.collect::<Result<_, _>>()?)
}
