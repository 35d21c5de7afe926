//! Inviting people to a project, and answering invitations: use cases for the dashboard.

mod message;

use jiff::Timestamp;
use uuid::Uuid;

use super::{
    Invitation, InvitationAnswer, InvitationId, Invited, MemberError, MemberRejection,
    NewInvitation, sql, store,
};
use crate::accounts::{Account, InvitationToken, Network};
use db::{Db, Timeouts};
use features::console_config::AccountRules;
use features::domain::email::Email;
use features::domain::service_identity::ServiceIdentity;
use features::mail::NewMail;
use features::projects::{Actor, ProjectId, Role};

/// A request to invite an address.
#[derive(Debug)]
pub struct InvitationRequest<'a> {
    /// The account that invites.
    pub by: &'a Account,
    pub network: Network,
    pub project: ProjectId,
    pub email: Email,
    pub role: Role,
}

/// Invites an address to a project: a mail is put into the outbox, whether the address has an account or
/// not. An earlier invitation of the address to the project ends, and old ones are deleted.
///
/// # Errors
/// When the account does not own the project, the address is a member's, a limit is reached, or the mail
/// cannot be made or stored.
pub async fn invite(
    store: &Db,
    service: &ServiceIdentity,
    request: InvitationRequest<'_>,
    now: Timestamp,
) -> Result<Invited, MemberError> {
    let token = InvitationToken::generate()?;
    let invitation = NewInvitation {
        id: InvitationId(Uuid::now_v7()),
        token: token.digest(),
        project: request.project,
        email: request.email,
        role: request.role,
        invited_by: request.by.id,
        network: request.network,
        created_at: now,
    };
    let message = message::invitation(service, &invitation, &request.by.email, &token)?;
    let mail = NewMail {
        id: invitation.id.mail(),
        ..NewMail::new(message, now)
    };
    let writer = Actor::Account(invitation.invited_by).writer();
    store
        .write(writer, Timeouts::Request, move |tx| {
            sql::invite(tx, &invitation, &mail)
        })
        .await
}

/// The invitations of a project that wait for an answer, the latest first.
///
/// # Errors
/// When the actor manages no such project, or the database fails.
pub async fn list(
    store: &Db,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
) -> Result<Vec<Invitation>, MemberError> {
    let found = store.snapshot(Timeouts::Request, move |tx| {
        sql::pending(tx, actor, project, now)
    });
    Ok(found
        .await?
        .ok_or(MemberRejection::UnknownProject(project))?)
}

/// Ends an invitation before it is answered.
///
/// # Errors
/// When the actor does not own the project, it has no such invitation, or the database fails.
pub async fn revoke(
    store: &Db,
    actor: Actor,
    project: ProjectId,
    invitation: InvitationId,
    now: Timestamp,
) -> Result<(), MemberError> {
    store
        .write(actor.writer(), Timeouts::Request, move |tx| {
            sql::revoke(tx, actor, project, invitation, now)
        })
        .await
}

/// The invitation of a link, for the page that asks the invited account. Changes nothing.
///
/// # Errors
/// When the link does not work any more, is for another address, or the database fails.
pub async fn of_link(
    store: &Db,
    account: &Account,
    token: &InvitationToken,
    now: Timestamp,
) -> Result<Invitation, MemberError> {
    let found = store::invitation(store, token.digest()).await?;
    Ok(Invitation::for_account(found, &account.email, now)?)
}

/// Answers an invitation; returns the project, of which the account is a member if it accepts. Of
/// concurrent answers one succeeds.
///
/// # Errors
/// When the link does not work any more, is for another address, the account may not own one more project, or the
/// database fails.
pub async fn answer(
    store: &Db,
    account: &Account,
    token: &InvitationToken,
    answer: InvitationAnswer,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<ProjectId, MemberError> {
    let (account, token, most) = (account.id, token.digest(), rules.free_projects);
    let writer = Actor::Account(account).writer();
    store
        .write(writer, Timeouts::Request, move |tx| {
            sql::answer_invitation(tx, account, token, answer, most, now)
        })
        .await
}
