//! The record of a key.

use std::fmt;

use jiff::Timestamp;

use crate::domain::ids::{AccountId, KeyId};
use crate::domain::printable::{is_unprintable, is_visible};
use crate::projects::{ProjectId, Tier};

/// The SHA-256 of a whole key: all that is stored of its secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyDigest(pub [u8; 32]);

db::column!(KeyDigest as [u8; 32], |digest| digest.0, |bytes| Some(
    KeyDigest(bytes)
));

/// Descriptions of a key by its owner. They have no effect on requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyLabels {
    pub label: Option<String>,
}

/// A label that is too long or has control characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a {name} has at most {max_chars} characters, and no control characters")]
pub struct InvalidLabel {
    name: &'static str,
    max_chars: usize,
}

impl KeyLabels {
    pub fn with_label(label: impl Into<String>) -> Self {
        Self {
            label: Some(label.into()),
        }
    }

    /// Trims and validates the labels. Empty labels are removed.
    pub(crate) fn checked(self) -> Result<Self, InvalidLabel> {
        Ok(Self {
            label: checked_label("label", self.label, 60)?,
        })
    }

    /// Fills absent labels from the key's predecessor.
    pub(crate) fn or(self, predecessor: &Self) -> Self {
        let predecessor = predecessor.clone();
        Self {
            label: self.label.or(predecessor.label),
        }
    }
}

fn checked_label(
    name: &'static str,
    label: Option<String>,
    max_chars: usize,
) -> Result<Option<String>, InvalidLabel> {
    let label = label.unwrap_or_default();
    let label = label.trim();
    match label.chars().count() > max_chars || label.chars().any(is_unprintable) {
        true => Err(InvalidLabel { name, max_chars }),
        false => Ok(is_visible(label).then(|| label.to_owned())),
    }
}

/// A key to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    pub id: KeyId,
    /// The hash of the whole key.
    pub digest: KeyDigest,
    /// The first characters of the key, to recognise it in a list.
    pub display_prefix: String,
    pub labels: KeyLabels,
    pub created_at: Timestamp,
    /// From when on it is refused, if ever.
    pub expires_at: Option<Timestamp>,
    /// The quota that it has to fit in, if there is one: the most keys of its project that are valid or were
    /// issued in the last 24 hours.
    pub quota: Option<u32>,
}

/// A key as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    pub id: KeyId,
    /// The hash that a presented key is looked up by.
    pub digest: KeyDigest,
    pub project: ProjectId,
    pub tier: Tier,
    pub is_suspended: bool,
    /// The first characters of the key, to recognise it in a list.
    pub display_prefix: String,
    pub labels: KeyLabels,
    /// The account that issued it; `None` for an operator.
    pub made_by: Option<AccountId>,
    pub created_at: Timestamp,
    /// From when on it is refused, if ever.
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// Since when it is disabled, if it is.
    pub disabled_at: Option<Timestamp>,
    /// The key that replaces it, if it was rotated.
    pub successor: Option<KeyId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyEnd {
    Revoked(Timestamp),
    Expired(Timestamp),
}

impl fmt::Display for KeyEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revoked(at) => write!(f, "was revoked at {at:.0}"),
            Self::Expired(at) => write!(f, "expired at {at:.0}"),
        }
    }
}

impl NewKey {
    /// Creates a key without labels, expiry and quota.
    pub fn issued(
        id: KeyId,
        digest: KeyDigest,
        display_prefix: &str,
        created_at: Timestamp,
    ) -> Self {
        Self {
            id,
            digest,
            display_prefix: display_prefix.to_owned(),
            labels: KeyLabels::default(),
            created_at,
            expires_at: None,
            quota: None,
        }
    }
}

impl KeyRecord {
    /// Creates the record of a key that an operator issued.
    pub fn from_new_key(key: NewKey, project: ProjectId, tier: Tier) -> Self {
        Self {
            id: key.id,
            digest: key.digest,
            project,
            tier,
            is_suspended: false,
            display_prefix: key.display_prefix,
            labels: key.labels,
            made_by: None,
            created_at: key.created_at,
            expires_at: key.expires_at,
            revoked_at: None,
            disabled_at: None,
            successor: None,
        }
    }

    /// From when on the key is rejected, if ever: from the beginning of time where it is revoked or disabled, or its
    /// project suspended. A clock that was ahead may have stored a later time.
    pub fn refused_from(&self) -> Option<Timestamp> {
        match self.is_suspended || self.disabled_at.is_some() || self.revoked_at.is_some() {
            true => Some(Timestamp::MIN),
            false => self.expires_at,
        }
    }

    /// Whether the key is neither revoked nor expired at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.end(now).is_none()
    }

    /// The end of the key, if it is revoked or expired at `now`.
    pub fn end(&self, now: Timestamp) -> Option<KeyEnd> {
        let past = |at: &Timestamp| *at <= now;
        let revoked = self.revoked_at.map(KeyEnd::Revoked);
        revoked.or_else(|| self.expires_at.filter(past).map(KeyEnd::Expired))
    }
}
