//! The database operations of members and invitations.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{
    Invitation, InvitationAnswer, InvitationId, Invited, Member, MemberChange, MemberOfProject,
    MemberRefusal, NewInvitation,
};
use crate::accounts::{AccountId, SecretDigest};
use crate::database::StoreError;
use crate::mail::NewMail;
use crate::projects::{Actor, ProjectId};

/// The database operations of members and invitations. See [`Database`](crate::database::Database).
///
/// Changes of one project wait for each other, so that of two owners that leave at the same time one
/// stays.
#[async_trait]
pub trait MemberStore {
    /// The members of a project, owners first, then by time; `None` if the actor manages no such project.
    async fn members(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<Member>>, StoreError>;

    /// Changes a member or removes it.
    async fn change_member(
        &self,
        member: MemberOfProject,
        change: MemberChange,
        now: Timestamp,
    ) -> Result<Result<(), MemberRefusal>, StoreError>;

    /// The invitations of a project that may be answered at `now`, the latest first; `None` if the actor
    /// manages no such project.
    async fn invitations(
        &self,
        actor: Actor,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Option<Vec<Invitation>>, StoreError>;

    /// Stores an invitation and its mail, unless its account does not own the project, the address is a
    /// member's, or one more is above a limit. Both or neither. An earlier invitation of the address to
    /// the project ends; old ones are deleted.
    async fn invite(
        &self,
        invitation: NewInvitation,
        mail: NewMail,
    ) -> Result<Result<Invited, MemberRefusal>, StoreError>;

    /// Ends an invitation.
    async fn revoke_invitation(
        &self,
        actor: Actor,
        project: ProjectId,
        invitation: InvitationId,
        now: Timestamp,
    ) -> Result<Result<(), MemberRefusal>, StoreError>;

    /// The invitation of a link to a project that is not deleted, whatever its state.
    async fn invitation(&self, token: SecretDigest) -> Result<Option<Invitation>, StoreError>;

    /// Ends an invitation with the answer of an account, which becomes a member if it accepts. Of
    /// concurrent answers one succeeds. Returns the project.
    async fn answer_invitation(
        &self,
        account: AccountId,
        token: SecretDigest,
        answer: InvitationAnswer,
        now: Timestamp,
    ) -> Result<Result<ProjectId, MemberRefusal>, StoreError>;
}
