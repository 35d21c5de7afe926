//! The choices that forms offer: the expiry of a key, the overlap of a rotation, the role of a member.

use std::time::Duration;

use serde::Deserialize;

use crate::projects::Role;

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// The expiry of a new key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub(super) enum Expiry {
    #[serde(rename = "30d")]
    Days30,
    #[default]
    #[serde(rename = "90d")]
    Days90,
    #[serde(rename = "365d")]
    Days365,
    #[serde(rename = "never")]
    Never,
}

impl Expiry {
    pub(super) const ALL: [Self; 4] = [Self::Days30, Self::Days90, Self::Days365, Self::Never];

    /// The life of the key; `None` if it has no end.
    pub(super) fn life(self) -> Option<Duration> {
        match self {
            Self::Days30 => Some(DAY * 30),
            Self::Days90 => Some(DAY * 90),
            Self::Days365 => Some(DAY * 365),
            Self::Never => None,
        }
    }

    pub(super) fn value(self) -> &'static str {
        match self {
            Self::Days30 => "30d",
            Self::Days90 => "90d",
            Self::Days365 => "365d",
            Self::Never => "never",
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Days30 => "in 30 days",
            Self::Days90 => "in 90 days",
            Self::Days365 => "in 365 days",
            Self::Never => "never",
        }
    }

    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::Never => Some("A key that leaks works until somebody notices and revokes it."),
            Self::Days90 => Some("Long enough to plan the next rotation."),
            Self::Days30 | Self::Days365 => None,
        }
    }
}

/// The overlap of a rotation: how long the old key goes on working.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub(super) enum Overlap {
    #[serde(rename = "0")]
    None,
    #[serde(rename = "1h")]
    Hour,
    #[default]
    #[serde(rename = "24h")]
    Day,
    #[serde(rename = "7d")]
    Week,
}

impl Overlap {
    pub(super) const ALL: [Self; 4] = [Self::None, Self::Hour, Self::Day, Self::Week];
    pub(super) const LONGEST: Duration = DAY.saturating_mul(7);

    pub(super) fn time(self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Hour => HOUR,
            Self::Day => DAY,
            Self::Week => Self::LONGEST,
        }
    }

    pub(super) fn value(self) -> &'static str {
        match self {
            Self::None => "0",
            Self::Hour => "1h",
            Self::Day => "24h",
            Self::Week => "7d",
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::None => "at once",
            Self::Hour => "in 1 hour",
            Self::Day => "in 24 hours",
            Self::Week => "in 7 days",
        }
    }

    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::None => Some("For a key that has leaked: what uses it is refused."),
            Self::Hour | Self::Day | Self::Week => None,
        }
    }
}

/// The role of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub(super) enum RoleChoice {
    #[default]
    #[serde(rename = "member")]
    Member,
    #[serde(rename = "owner")]
    Owner,
}

impl RoleChoice {
    pub(super) const ALL: [Self; 2] = [Self::Member, Self::Owner];

    pub(super) fn role(self) -> Role {
        match self {
            Self::Member => Role::Member,
            Self::Owner => Role::Owner,
        }
    }

    pub(super) fn value(self) -> &'static str {
        self.role().as_str()
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Member => "Member",
            Self::Owner => "Owner",
        }
    }

    pub(super) fn note(self) -> Option<&'static str> {
        Some(match self {
            Self::Member => {
                "Sees the project, manages its keys, configs and webhooks, claims contracts and asks for tiers."
            }
            Self::Owner => "Also invites and removes people, and may delete the project.",
        })
    }
}
