//! An invitation to become a member of a project.

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use super::MemberRejection;
use crate::accounts::{Network, SecretDigest};
use edge::clock::{after, is_within};
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::mail::MailId;
use features::projects::{ProjectId, Role};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationId(pub Uuid);

db::uuid_column!(InvitationId);

/// An invitation to be stored.
#[derive(Debug, Clone)]
pub struct NewInvitation {
    pub id: InvitationId,
    pub token: SecretDigest,
    pub project: ProjectId,
    pub email: Email,
    pub role: Role,
    pub invited_by: AccountId,
    pub network: Network,
    pub created_at: Timestamp,
}

/// An invitation as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    pub project: ProjectId,
    pub project_name: String,
    pub email: Email,
    pub role: Role,
    /// The address of the account that invites.
    pub invited_by: Email,
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
    Accept,
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
        self.ended_at.is_none() && is_within(self.created_at, Self::LIFE, now)
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
