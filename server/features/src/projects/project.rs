//! Projects and their tiers.

use std::str::FromStr;

use uuid::Uuid;

/// The identity of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProjectId(pub Uuid);

db::uuid_column!(ProjectId);

/// A customer's project: the unit that owns configs, keys and contracts, and that limits apply to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its identity.
    pub id: ProjectId,
    /// Its name for people.
    pub name: String,
    /// The tier that it pays for.
    pub tier: Tier,
}

/// The tier of a project, which decides its rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// The smallest limit.
    Free,
    /// A larger one.
    Pro,
    /// The largest.
    Enterprise,
}

db::text_column!(Tier);

impl Tier {
    /// All tiers, the smallest limit first.
    pub const ALL: [Self; 3] = [Self::Free, Self::Pro, Self::Enterprise];

    /// The tier's name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Tier::Free => "Free",
            Tier::Pro => "Pro",
            Tier::Enterprise => "Enterprise",
        }
    }

    /// The tier's name in import lines and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Tier::Free => "free",
            Tier::Pro => "pro",
            Tier::Enterprise => "enterprise",
        }
    }
}

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "free" => Ok(Tier::Free),
            "pro" => Ok(Tier::Pro),
            "enterprise" => Ok(Tier::Enterprise),
            _ => Err(UnknownTier),
        }
    }
}

/// The name is none of `free`, `pro` and `enterprise`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is none of free, pro and enterprise")]
pub struct UnknownTier;
