//! A member of a project.

use jiff::Timestamp;

use super::InvitationLimit;
use db::DbError;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::project_lifecycle::FreeProjectQuota;
use features::projects::{Actor, ProjectAccess, ProjectId, Role};
use features::suspensions::OwnsSuspended;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub account: AccountId,
    pub email: Email,
    pub role: Role,
    pub since: Timestamp,
}

/// The reason why a member or an invitation is not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemberRejection {
    /// There is no such project, or the actor is no member of it.
    #[error("there is no project {}", .0.0)]
    UnknownProject(ProjectId),
    #[error("the project has no such member")]
    UnknownMember,
    /// The project has no such invitation that could be revoked.
    #[error("the project has no such invitation")]
    UnknownInvitation,
    #[error("only owners of the project can do this")]
    NotOwner,
    #[error("a project needs at least one owner; make another member an owner first")]
    LastOwner,
    /// The account owns a project that is suspended.
    #[error(transparent)]
    OwnsSuspended(#[from] OwnsSuspended),
    /// The invited account owns too many Free projects to own one more.
    #[error(
        "you have reached the limit of {0} Free projects (recently created ones count); delete one, or ask to be invited \
         as a member"
    )]
    TooManyProjects(u32),
    /// The member owns a suspended project or too many Free projects.
    #[error(
        "this member cannot become an owner: their account owns too many Free projects, or is restricted"
    )]
    MayNotOwn,
    /// The address that is invited is a member's.
    #[error("this address is already a member of the project")]
    AlreadyMember,
    /// The invitation was answered, revoked or replaced, or is too old.
    #[error("this invitation is no longer valid; ask for a new one")]
    Ended,
    /// The invitation is for another address than the account's.
    #[error("this invitation is for another address than the one you are signed in with")]
    OtherAddress,
    #[error(transparent)]
    Limit(#[from] InvitationLimit),
}

impl MemberRejection {
    /// Rejects an actor that does not own a project.
    pub(crate) fn unless_owned(
        actor: Actor,
        project: ProjectId,
        found: Option<&ProjectAccess>,
    ) -> Result<(), Self> {
        match found {
            Some(found) if actor.owns(found.standing) => Ok(()),
            Some(found) if actor.manages(found.standing) => Err(Self::NotOwner),
            _ => Err(Self::UnknownProject(project)),
        }
    }
}

/// The error of reading or changing a member or an invitation.
#[derive(Debug, thiserror::Error)]
pub enum MemberError {
    #[error(transparent)]
    Rejected(#[from] MemberRejection),
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    #[error(transparent)]
    Template(#[from] askama::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<OwnsSuspended> for MemberError {
    fn from(rejection: OwnsSuspended) -> Self {
        MemberRejection::from(rejection).into()
    }
}

impl From<FreeProjectQuota> for MemberError {
    fn from(FreeProjectQuota(most): FreeProjectQuota) -> Self {
        MemberRejection::TooManyProjects(most).into()
    }
}
