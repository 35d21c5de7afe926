//! The database operations of members and invitations.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::{
    Invitation, InvitationAnswer, InvitationId, Invited, Member, MemberChange, MemberOfProject,
    MemberRefusal, NewInvitation,
};
use crate::accounts::SecretDigest;
use crate::domain::ids::AccountId;
use crate::mail::NewMail;
use crate::members::sql;
use crate::projects::{Actor, ProjectId};

/// The members of a project, owners first, then by time; `None` if the actor manages no such project.
pub async fn members(
    db: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<Member>>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::members(tx, actor, project)
    })
    .await
}

/// Changes a member or removes it.
pub async fn change_member(
    db: &Db,
    member: MemberOfProject,
    change: MemberChange,
    now: Timestamp,
) -> Result<Result<(), MemberRefusal>, DbError> {
    db.write(member.actor.writer(), Timeouts::Request, move |tx| {
        sql::change_member(tx, member, change, now)
    })
    .await
}

/// The invitations of a project that may be answered at `now`, the latest first; `None` if the actor
/// manages no such project.
pub async fn invitations(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
) -> Result<Option<Vec<Invitation>>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::pending(tx, actor, project, now)
    })
    .await
}

/// Stores an invitation and its mail, unless its account does not own the project, the address is a
/// member's, or one more is above a limit. Both or neither. An earlier invitation of the address to
/// the project ends; old ones are deleted.
pub async fn invite(
    db: &Db,
    invitation: NewInvitation,
    mail: NewMail,
) -> Result<Result<Invited, MemberRefusal>, DbError> {
    db.write(
        Actor::Account(invitation.invited_by).writer(),
        Timeouts::Request,
        move |tx| sql::invite(tx, &invitation, &mail),
    )
    .await
}

/// Ends an invitation.
pub async fn revoke_invitation(
    db: &Db,
    actor: Actor,
    project: ProjectId,
    invitation: InvitationId,
    now: Timestamp,
) -> Result<Result<(), MemberRefusal>, DbError> {
    let (actor, project, id, now) = (actor, project, invitation, now);

    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::revoke(tx, actor, project, id, now)
    })
    .await
}

/// The invitation of a link to a project that is not deleted, whatever its state.
pub async fn invitation(db: &Db, token: SecretDigest) -> Result<Option<Invitation>, DbError> {
    db.read(move |tx| sql::of_token(tx, token)).await
}

/// Ends an invitation with the answer of an account, which becomes a member if it accepts. Of
/// concurrent answers one succeeds. Returns the project.
pub async fn answer_invitation(
    db: &Db,
    account: AccountId,
    token: SecretDigest,
    answer: InvitationAnswer,
    now: Timestamp,
) -> Result<Result<ProjectId, MemberRefusal>, DbError> {
    db.write(
        Actor::Account(account).writer(),
        Timeouts::Request,
        move |tx| sql::answer_invitation(tx, account, token, answer, now),
    )
    .await
}
