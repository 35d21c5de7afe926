//! Events of the audit log.

use jiff::Timestamp;
use uuid::Uuid;

use crate::domain::claim_state::ClaimState;
use crate::domain::email::Email;
use crate::domain::ids::AccountId;
use crate::projects::{Actor, ProjectId, Requester, Role, Tier};

/// The place of an event in the log; a later event has a larger one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditEventId(pub i64);

/// An event to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    pub by: Requester,
    pub project: ProjectId,
    pub action: AuditAction,
    /// The webhook that it is about.
    pub webhook: Option<Uuid>,
    pub at: Timestamp,
}

/// An action on a project. It names members by their accounts, whose addresses are read when it is; the address of
/// an invitation, which may have no account, is forgotten with its account or its project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditAction {
    /// The project was created, with this name.
    ProjectCreated(String),
    /// The project was given this name.
    ProjectRenamed(String),
    /// The project was deleted, which had this name.
    ProjectDeleted(String),
    TierSet(Tier),
    TierAskedFor(Tier),
    TierDeclined(Tier),
    /// The project was suspended, for this reason.
    ProjectSuspended(String),
    ProjectResumed,
    /// A key with these first characters was issued.
    KeyIssued(String),
    /// A key with these first characters was given a successor.
    KeyRotated(String),
    /// A key with these first characters was given another label.
    KeyRenamed(String),
    /// A key with these first characters was disabled.
    KeyDisabled(String),
    /// A key with these first characters was enabled again.
    KeyEnabled(String),
    /// A key with these first characters was revoked.
    KeyRevoked(String),
    /// A key with these first characters was reported as leaked, and so revoked.
    KeyLeaked(String),
    /// The config with this id was created.
    ConfigCreated(String),
    /// The config with this id was deleted.
    ConfigDeleted(String),
    /// The webhook with this URL was created.
    WebhookCreated(String),
    /// The webhook with this URL was changed.
    WebhookChanged(String),
    /// The webhook with this URL was enabled.
    WebhookEnabled(String),
    /// The webhook with this URL was disabled.
    WebhookDisabled(String),
    /// The webhook with this URL was switched off, because no request to it had arrived for days.
    WebhookSwitchedOff(String),
    /// The webhook with this URL was given another secret.
    WebhookSecretReplaced(String),
    /// The webhook with this URL was deleted.
    WebhookDeleted(String),
    /// This address was invited to become this.
    MemberInvited(Option<Email>, Role),
    /// The invitation of this address to become this was revoked.
    InvitationRevoked(Option<Email>, Role),
    /// An invitation to become this was declined.
    InvitationDeclined(Role),
    /// The account accepted an invitation to become this.
    MemberJoined(Role),
    RoleSet(AccountId, Role),
    MemberRemoved(AccountId),
    MemberLeft,
    /// The project's claim of this contract came into this state.
    ClaimBecame(ClaimState, String),
    /// The project's claim of this contract was withdrawn.
    ClaimWithdrawn(String),
    /// The project released this contract.
    ContractReleased(String),
    /// This contract, which was the project's, was given to another project.
    ContractLost(String),
}

/// An event as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its place in the log.
    pub id: AuditEventId,
    pub at: Timestamp,
    pub by: AuditAuthor,
    pub action: AuditAction,
    /// The address of the member that it was done to, if it was done to one.
    pub member: Option<Email>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditAuthor {
    /// An operator of the service, on the command line.
    Operator,
    /// An operator of the service, in the dashboard.
    OperatorAccount(AccountId, Email),
    Account(AccountId, Email),
    /// A program with this key.
    Key {
        prefix: String,
        label: Option<String>,
    },
}

impl AuditEvent {
    /// Whether an account did it as an operator.
    pub(super) fn as_operator(&self) -> bool {
        matches!(self.by, Requester::Actor(Actor::OperatorAccount(_)))
    }
}

impl AuditAction {
    /// Its name in the database.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ProjectCreated(_) => "project-created",
            Self::ProjectRenamed(_) => "project-renamed",
            Self::ProjectDeleted(_) => "project-deleted",
            Self::TierSet(_) => "tier-set",
            Self::TierAskedFor(_) => "tier-asked-for",
            Self::TierDeclined(_) => "tier-declined",
            Self::ProjectSuspended(_) => "project-suspended",
            Self::ProjectResumed => "project-resumed",
            Self::KeyIssued(_) => "key-issued",
            Self::KeyRotated(_) => "key-rotated",
            Self::KeyRenamed(_) => "key-renamed",
            Self::KeyDisabled(_) => "key-disabled",
            Self::KeyEnabled(_) => "key-enabled",
            Self::KeyRevoked(_) => "key-revoked",
            Self::KeyLeaked(_) => "key-leaked",
            Self::ConfigCreated(_) => "config-created",
            Self::ConfigDeleted(_) => "config-deleted",
            Self::WebhookCreated(_) => "webhook-created",
            Self::WebhookChanged(_) => "webhook-changed",
            Self::WebhookEnabled(_) => "webhook-enabled",
            Self::WebhookDisabled(_) => "webhook-disabled",
            Self::WebhookSwitchedOff(_) => "webhook-switched-off",
            Self::WebhookSecretReplaced(_) => "webhook-secret-replaced",
            Self::WebhookDeleted(_) => "webhook-deleted",
            Self::MemberInvited(..) => "member-invited",
            Self::InvitationRevoked(..) => "invitation-revoked",
            Self::InvitationDeclined(_) => "invitation-declined",
            Self::MemberJoined(_) => "member-joined",
            Self::RoleSet(..) => "role-set",
            Self::MemberRemoved(_) => "member-removed",
            Self::MemberLeft => "member-left",
            Self::ClaimBecame(ClaimState::Open, _) => "claim-open",
            Self::ClaimBecame(ClaimState::Waiting, _) => "claim-waiting",
            Self::ClaimBecame(ClaimState::Proven, _) => "claim-proven",
            Self::ClaimBecame(ClaimState::Accepted, _) => "claim-accepted",
            Self::ClaimBecame(ClaimState::Declined, _) => "claim-declined",
            Self::ClaimWithdrawn(_) => "claim-withdrawn",
            Self::ContractReleased(_) => "contract-released",
            Self::ContractLost(_) => "contract-lost",
        }
    }

    /// The object of the action, in the database.
    pub fn subject(&self) -> &str {
        match self {
            Self::TierSet(tier) | Self::TierAskedFor(tier) | Self::TierDeclined(tier) => {
                tier.as_str()
            }
            Self::ProjectResumed => "",
            Self::ProjectCreated(subject)
            | Self::ProjectRenamed(subject)
            | Self::ProjectDeleted(subject)
            | Self::ProjectSuspended(subject)
            | Self::KeyIssued(subject)
            | Self::KeyRotated(subject)
            | Self::KeyRenamed(subject)
            | Self::KeyDisabled(subject)
            | Self::KeyEnabled(subject)
            | Self::KeyRevoked(subject)
            | Self::KeyLeaked(subject)
            | Self::ConfigCreated(subject)
            | Self::ConfigDeleted(subject)
            | Self::WebhookCreated(subject)
            | Self::WebhookChanged(subject)
            | Self::WebhookEnabled(subject)
            | Self::WebhookDisabled(subject)
            | Self::WebhookSwitchedOff(subject)
            | Self::WebhookSecretReplaced(subject)
            | Self::WebhookDeleted(subject)
            | Self::ClaimBecame(_, subject)
            | Self::ClaimWithdrawn(subject)
            | Self::ContractReleased(subject)
            | Self::ContractLost(subject) => subject,
            Self::MemberInvited(_, role)
            | Self::InvitationRevoked(_, role)
            | Self::InvitationDeclined(role)
            | Self::MemberJoined(role)
            | Self::RoleSet(_, role) => role.as_str(),
            Self::MemberRemoved(_) | Self::MemberLeft => "",
        }
    }

    /// The member that it was done to, in the database.
    pub fn member(&self) -> Option<AccountId> {
        match self {
            Self::RoleSet(member, _) | Self::MemberRemoved(member) => Some(*member),
            _ => None,
        }
    }

    /// The address that it invited or did not invite any more, in the database.
    pub fn invited(&self) -> Option<&Email> {
        match self {
            Self::MemberInvited(address, _) | Self::InvitationRevoked(address, _) => {
                address.as_ref()
            }
            _ => None,
        }
    }

    /// The action of a name, a subject, and the member or the address that it is about, if it is about one.
    pub(super) fn of(
        name: &str,
        subject: String,
        member: Option<AccountId>,
        invited: Option<Email>,
    ) -> Option<Self> {
        Some(match name {
            "project-created" => Self::ProjectCreated(subject),
            "project-renamed" => Self::ProjectRenamed(subject),
            "project-deleted" => Self::ProjectDeleted(subject),
            "tier-set" => Self::TierSet(subject.parse().ok()?),
            "tier-asked-for" => Self::TierAskedFor(subject.parse().ok()?),
            "tier-declined" => Self::TierDeclined(subject.parse().ok()?),
            "project-suspended" => Self::ProjectSuspended(subject),
            "project-resumed" => Self::ProjectResumed,
            "key-issued" => Self::KeyIssued(subject),
            "key-rotated" => Self::KeyRotated(subject),
            "key-renamed" => Self::KeyRenamed(subject),
            "key-disabled" => Self::KeyDisabled(subject),
            "key-enabled" => Self::KeyEnabled(subject),
            "key-revoked" => Self::KeyRevoked(subject),
            "key-leaked" => Self::KeyLeaked(subject),
            "config-created" => Self::ConfigCreated(subject),
            "config-deleted" => Self::ConfigDeleted(subject),
            "webhook-created" => Self::WebhookCreated(subject),
            "webhook-changed" => Self::WebhookChanged(subject),
            "webhook-enabled" => Self::WebhookEnabled(subject),
            "webhook-disabled" => Self::WebhookDisabled(subject),
            "webhook-switched-off" => Self::WebhookSwitchedOff(subject),
            "webhook-secret-replaced" => Self::WebhookSecretReplaced(subject),
            "webhook-deleted" => Self::WebhookDeleted(subject),
            "member-invited" => Self::MemberInvited(invited, subject.parse().ok()?),
            "invitation-revoked" => Self::InvitationRevoked(invited, subject.parse().ok()?),
            "invitation-declined" => Self::InvitationDeclined(subject.parse().ok()?),
            "member-joined" => Self::MemberJoined(subject.parse().ok()?),
            "role-set" => Self::RoleSet(member?, subject.parse().ok()?),
            "member-removed" => Self::MemberRemoved(member?),
            "member-left" => Self::MemberLeft,
            "claim-withdrawn" => Self::ClaimWithdrawn(subject),
            "contract-released" => Self::ContractReleased(subject),
            "contract-lost" => Self::ContractLost(subject),
            _ if name.starts_with("claim-") => {
                let state = name.trim_start_matches("claim-").parse().ok()?;
                Self::ClaimBecame(state, subject)
            }
            _ => return None,
        })
    }
}

impl AuditAuthor {
    /// The author of the columns `account`, `email` and `as_operator`.
    pub(super) fn of(account: Option<AccountId>, email: Option<Email>, as_operator: bool) -> Self {
        match account.zip(email) {
            Some((account, email)) if as_operator => Self::OperatorAccount(account, email),
            Some((account, email)) => Self::Account(account, email),
            None => Self::Operator,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_read_back() {
        let text = || "sk_abcdefgh".to_owned();
        let address = || "ada@example.org".parse().ok();
        for action in [
            AuditAction::ProjectCreated(text()),
            AuditAction::ProjectRenamed(text()),
            AuditAction::ProjectDeleted(text()),
            AuditAction::TierSet(Tier::Pro),
            AuditAction::TierAskedFor(Tier::Pro),
            AuditAction::TierDeclined(Tier::Pro),
            AuditAction::ProjectSuspended(text()),
            AuditAction::ProjectResumed,
            AuditAction::KeyIssued(text()),
            AuditAction::KeyRotated(text()),
            AuditAction::KeyRenamed(text()),
            AuditAction::KeyDisabled(text()),
            AuditAction::KeyEnabled(text()),
            AuditAction::KeyRevoked(text()),
            AuditAction::KeyLeaked(text()),
            AuditAction::ConfigCreated(text()),
            AuditAction::ConfigDeleted(text()),
            AuditAction::WebhookCreated(text()),
            AuditAction::WebhookChanged(text()),
            AuditAction::WebhookEnabled(text()),
            AuditAction::WebhookDisabled(text()),
            AuditAction::WebhookSwitchedOff(text()),
            AuditAction::WebhookSecretReplaced(text()),
            AuditAction::WebhookDeleted(text()),
            AuditAction::MemberInvited(address(), Role::Member),
            AuditAction::MemberInvited(None, Role::Owner),
            AuditAction::InvitationRevoked(address(), Role::Member),
            AuditAction::InvitationDeclined(Role::Member),
            AuditAction::MemberJoined(Role::Owner),
            AuditAction::RoleSet(AccountId(uuid::Uuid::nil()), Role::Owner),
            AuditAction::MemberRemoved(AccountId(uuid::Uuid::nil())),
            AuditAction::MemberLeft,
            AuditAction::ClaimBecame(ClaimState::Open, text()),
            AuditAction::ClaimBecame(ClaimState::Waiting, text()),
            AuditAction::ClaimBecame(ClaimState::Proven, text()),
            AuditAction::ClaimBecame(ClaimState::Accepted, text()),
            AuditAction::ClaimBecame(ClaimState::Declined, text()),
            AuditAction::ClaimWithdrawn(text()),
            AuditAction::ContractReleased(text()),
            AuditAction::ContractLost(text()),
        ] {
            let subject = action.subject().to_owned();
            let (member, invited) = (action.member(), action.invited().cloned());
            let read = AuditAction::of(action.name(), subject, member, invited);
            assert_eq!(read, Some(action));
        }
        assert_eq!(AuditAction::of("tier-set", text(), None, None), None);
        assert_eq!(AuditAction::of("member-removed", text(), None, None), None);
        assert_eq!(AuditAction::of("", text(), None, None), None);
    }
}
