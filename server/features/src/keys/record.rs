//! The record of a key.

use std::fmt;

use jiff::Timestamp;

use crate::domain::ids::{AccountId, KeyId};
use crate::projects::{ProjectId, Tier};

/// The SHA-256 of a whole key: all that is stored of its secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyDigest(pub [u8; 32]);

db::column!(KeyDigest as [u8; 32], |digest| digest.0, |bytes| Some(
    KeyDigest(bytes)
));

/// A key to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    pub id: KeyId,
    /// The hash of the whole key.
    pub digest: KeyDigest,
    /// The first characters of the key, to recognise it in a list.
    pub display_prefix: String,
    /// The name that its owner gave it, if any.
    pub label: Option<String>,
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
    /// The name that its owner gave it, if any.
    pub label: Option<String>,
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

impl KeyRecord {
    /// From when on the key is refused, if ever: from the beginning of time where it is disabled, or its
    /// project suspended.
    pub fn refused_from(&self) -> Option<Timestamp> {
        match self.is_suspended || self.disabled_at.is_some() {
            true => Some(Timestamp::MIN),
            false => self.revoked_at.into_iter().chain(self.expires_at).min(),
        }
    }

    /// Whether the key is neither revoked nor expired at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.end(now).is_none()
    }

    /// The end of the key, if it is revoked or expired at `now`.
    pub fn end(&self, now: Timestamp) -> Option<KeyEnd> {
        let past = |at: &Timestamp| *at <= now;
        let revoked = self.revoked_at.filter(past).map(KeyEnd::Revoked);
        revoked.or_else(|| self.expires_at.filter(past).map(KeyEnd::Expired))
    }
}
