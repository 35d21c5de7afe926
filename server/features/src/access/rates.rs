//! The rate limits of each kind of caller.

use crate::projects::Tier;

/// The limits: requests that are admitted in any 60 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// Of a network, without a valid key.
    pub anonymous: u32,
    pub free: u32,
    pub pro: u32,
    pub enterprise: u32,
    /// Of a network, for pages that ask the database and for addresses that have no page.
    pub pages: u32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            anonymous: 20,
            free: 50,
            pro: 200,
            enterprise: 1000,
            pages: 300,
        }
    }
}

impl RateLimits {
    /// The limit of a project of this tier; without a tier, the limit of a network.
    pub fn of(&self, tier: Option<Tier>) -> u32 {
        match tier {
            None => self.anonymous,
            Some(Tier::Free) => self.free,
            Some(Tier::Pro) => self.pro,
            Some(Tier::Enterprise) => self.enterprise,
        }
    }
}
