//! Events of the audit log.

use jiff::Timestamp;

use crate::accounts::{AccountId, Email};
use crate::projects::{Actor, ProjectId, Tier};

/// The place of an event in the log; a later event has a larger one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditEventId(pub i64);

/// An event to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// Who did it.
    pub actor: Actor,
    /// The project that it was done to.
    pub project: ProjectId,
    /// What was done.
    pub action: AuditAction,
    /// When.
    pub at: Timestamp,
}

/// What was done to a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditAction {
    /// The project was created, with this name.
    ProjectCreated(String),
    /// The project was deleted, which had this name.
    ProjectDeleted(String),
    /// The project was given this tier.
    TierSet(Tier),
    /// A key with these first characters was issued.
    KeyIssued(String),
    /// A key with these first characters was given a successor.
    KeyRotated(String),
    /// A key with these first characters was revoked.
    KeyRevoked(String),
    /// The config with this id was created in the dashboard.
    ConfigCreated(String),
    /// The config with this id was deleted in the dashboard.
    ConfigDeleted(String),
}

/// An event as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its place in the log.
    pub id: AuditEventId,
    /// When it was.
    pub at: Timestamp,
    /// Who did it.
    pub by: AuditAuthor,
    /// What was done.
    pub action: AuditAction,
}

/// Who did something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditAuthor {
    /// An operator of the service.
    Operator,
    /// An account, with its address.
    Account(AccountId, Email),
}

impl AuditAction {
    /// Its name in the database.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::ProjectCreated(_) => "project-created",
            Self::ProjectDeleted(_) => "project-deleted",
            Self::TierSet(_) => "tier-set",
            Self::KeyIssued(_) => "key-issued",
            Self::KeyRotated(_) => "key-rotated",
            Self::KeyRevoked(_) => "key-revoked",
            Self::ConfigCreated(_) => "config-created",
            Self::ConfigDeleted(_) => "config-deleted",
        }
    }

    /// What it was done with, in the database.
    pub(super) fn subject(&self) -> &str {
        match self {
            Self::TierSet(tier) => tier.as_str(),
            Self::ProjectCreated(subject)
            | Self::ProjectDeleted(subject)
            | Self::KeyIssued(subject)
            | Self::KeyRotated(subject)
            | Self::KeyRevoked(subject)
            | Self::ConfigCreated(subject)
            | Self::ConfigDeleted(subject) => subject,
        }
    }

    /// The action of a name and a subject, if there is one.
    pub(super) fn of(name: &str, subject: String) -> Option<Self> {
        Some(match name {
            "project-created" => Self::ProjectCreated(subject),
            "project-deleted" => Self::ProjectDeleted(subject),
            "tier-set" => Self::TierSet(subject.parse().ok()?),
            "key-issued" => Self::KeyIssued(subject),
            "key-rotated" => Self::KeyRotated(subject),
            "key-revoked" => Self::KeyRevoked(subject),
            "config-created" => Self::ConfigCreated(subject),
            "config-deleted" => Self::ConfigDeleted(subject),
            _ => return None,
        })
    }
}

impl AuditAuthor {
    /// The author of the columns `account` and `email`.
    pub(super) fn of(account: Option<AccountId>, email: Option<Email>) -> Self {
        match account.zip(email) {
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
        for action in [
            AuditAction::ProjectCreated(text()),
            AuditAction::ProjectDeleted(text()),
            AuditAction::TierSet(Tier::Pro),
            AuditAction::KeyIssued(text()),
            AuditAction::KeyRotated(text()),
            AuditAction::KeyRevoked(text()),
            AuditAction::ConfigCreated(text()),
            AuditAction::ConfigDeleted(text()),
        ] {
            let read = AuditAction::of(action.name(), action.subject().to_owned());
            assert_eq!(read, Some(action));
        }
        assert_eq!(AuditAction::of("tier-set", text()), None);
        assert_eq!(AuditAction::of("", text()), None);
    }
}
