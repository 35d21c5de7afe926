//! The choices that forms offer: the expiry of a key, the overlap of a rotation, the role of a member.

use std::time::Duration;

use serde::Deserialize;

use features::domain::day::DAY;
use features::projects::Role;

const HOUR: Duration = Duration::from_secs(3600);

/// Defines a choice: for each value of the form its label, and a note under it or nothing.
macro_rules! choices {
    ($(#[$about:meta])* $name:ident; $(
        $(#[$default:meta])* $choice:ident: $value:literal, $label:literal, $note:literal;
    )*) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
        pub(super) enum $name {
            $($(#[$default])* #[serde(rename = $value)] $choice,)*
        }

        impl $name {
            pub(super) const ALL: [Self; [$(Self::$choice),*].len()] = [$(Self::$choice),*];

            pub(super) fn value(self) -> &'static str {
                match self { $(Self::$choice => $value,)* }
            }

            pub(super) fn label(self) -> &'static str {
                match self { $(Self::$choice => $label,)* }
            }

            pub(super) fn note(self) -> Option<&'static str> {
                let note = match self { $(Self::$choice => $note,)* };
                (!note.is_empty()).then_some(note)
            }
        }
    };
}

choices! {
    /// The expiry of a new key.
    Expiry;
    Days30: "30d", "in 30 days", "";
    #[default]
    Days90: "90d", "in 90 days", "Recommended.";
    Days365: "365d", "in 365 days", "";
    Never: "never", "never", "If it leaks, it works until you revoke it.";
}

choices! {
    /// The overlap of a rotation: how long the old key goes on working.
    Overlap;
    None: "0", "immediately", "Choose this if the key leaked.";
    Hour: "1h", "in 1 hour", "";
    #[default]
    Day: "24h", "in 24 hours", "";
    Week: "7d", "in 7 days", "";
}

choices! {
    /// The role of a member.
    RoleChoice;
    #[default]
    Member: "member", "Member",
        "Can view the project, manage keys, configs and webhooks, claim contracts and request tiers.";
    Owner: "owner", "Owner", "Can also manage members and delete the project.";
}

impl Expiry {
    /// The life of the key; `None` if it never expires.
    pub(super) fn life(self) -> Option<Duration> {
        match self {
            Self::Days30 => Some(DAY * 30),
            Self::Days90 => Some(DAY * 90),
            Self::Days365 => Some(DAY * 365),
            Self::Never => None,
        }
    }
}

impl Overlap {
    pub(super) const LONGEST: Duration = DAY.saturating_mul(7);

    pub(super) fn time(self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Hour => HOUR,
            Self::Day => DAY,
            Self::Week => Self::LONGEST,
        }
    }
}

impl RoleChoice {
    pub(super) fn role(self) -> Role {
        match self {
            Self::Member => Role::Member,
            Self::Owner => Role::Owner,
        }
    }
}
