//! An invitation to become a member of a project.

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use super::MemberRejection;
use crate::accounts::{Network, SecretDigest};
use edge::clock::after;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::mail::MailId;
use features::projects::{ProjectId, Role};

/// The identity of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationId(pub Uuid);

db::uuid_column!(InvitationId);

/// An invitation to be stored.
#[derive(Debug, Clone)]
pub struct NewInvitation {
    /// Its identity.
    pub id: InvitationId,
    /// Of the link's token.
    pub token: SecretDigest,
    /// The project.
    pub project: ProjectId,
    /// The address that is invited.
    pub email: Email,
    /// The role that is offered.
    pub role: Role,
    /// The account that invites.
    pub invited_by: AccountId,
    /// The network that it is in.
    pub network: Network,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// An invitation as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its identity.
    pub id: InvitationId,
    /// The project.
    pub project: ProjectId,
    /// The project's name.
    pub project_name: String,
    /// The address that is invited.
    pub email: Email,
    /// The role that is offered.
    pub role: Role,
    /// The address of the account that invites.
    pub invited_by: Email,
    /// When it was sent.
    pub created_at: Timestamp,
    /// When it was answered, revoked or replaced, if it was.
    pub ended_at: Option<Timestamp>,
}

/// Whether an address is invited to a project for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invited {
    /// None waited for its answer.
    First,
    /// An earlier invitation has ended, which waited for its answer.
    Again,
}

impl Invited {
    /// The invitation after which so many earlier ones have ended.
    pub(crate) fn after(ended: usize) -> Self {
        match ended {
            0 => Self::First,
            _ => Self::Again,
        }
    }
}

/// The answer of the invited person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvitationAnswer {
    /// To become a member.
    Accept,
    /// Not to.
    Decline,
}

impl InvitationId {
    /// The mail with the invitation: it leaves the outbox when the invitation ends before it is sent.
    pub(crate) fn mail(self) -> MailId {
        MailId(self.0)
    }
}

impl Invitation {
    /// How long it may be answered.
    pub const LIFE: Duration = Duration::from_secs(7 * 24 * 3600);

    /// When it ends by itself.
    pub fn expires_at(&self) -> Timestamp {
        after(self.created_at, Self::LIFE)
    }

    /// Whether it may be answered.
    pub(crate) fn is_live(&self, now: Timestamp) -> bool {
        self.ended_at.is_none() && now < self.expires_at()
    }

    /// The invitation, if the account of an address may answer it.
    pub(crate) fn for_account(
        found: Option<Self>,
        email: &Email,
        now: Timestamp,
    ) -> Result<Self, MemberRejection> {
        let found = found.filter(|found| found.is_live(now));
        let found = found.ok_or(MemberRejection::Ended)?;
        match found.email.key() == email.key() {
            true => Ok(found),
            false => Err(MemberRejection::OtherAddress),
        }
    }
}
