//! Projects and their tiers.

use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProjectId(pub Uuid);

db::uuid_column!(ProjectId);

/// A customer's project: the unit that owns configs, keys and contracts, and that limits apply to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    pub tier: Tier,
}

db::named! {
    /// The tier of a project, which decides its rate limit. A later one has a larger limit.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Tier {
        Free = "free",
        Pro = "pro",
        Enterprise = "enterprise",
    }
}

impl Tier {
    /// The tier's name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Tier::Free => "Free",
            Tier::Pro => "Pro",
            Tier::Enterprise => "Enterprise",
        }
    }
}
