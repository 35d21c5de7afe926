//! The quota of configs: how many a project may have.

use edge::reloadable::Reloadable;
use metrics::{Counter, counter, describe_counter};

use crate::projects::Tier;

const REFUSALS: &str = "config_quota_refusals_total";

/// How many configs a project of each tier may have, those that it deleted in the last 24 hours included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfigQuotas {
    pub free: u32,
    pub pro: u32,
    pub enterprise: u32,
}

impl Default for ConfigQuotas {
    fn default() -> Self {
        Self {
            free: 100,
            pro: 1000,
            enterprise: 10_000,
        }
    }
}

/// The quotas that apply now, and the number of configs that they refused.
pub struct Quota {
    quotas: Reloadable<ConfigQuotas>,
    refusals: [(Tier, Counter); 3],
}

impl Quota {
    /// Registers the counters with the recorder that is current.
    pub fn register(quotas: Reloadable<ConfigQuotas>) -> Self {
        describe_counter!(REFUSALS, "Configs rejected by the quota, by tier.");
        let refusals = [Tier::Free, Tier::Pro, Tier::Enterprise]
            .map(|tier| (tier, counter!(REFUSALS, "tier" => tier.as_str())));
        Self { quotas, refusals }
    }

    /// How many configs a project of this tier may have.
    pub(crate) fn of(&self, tier: Tier) -> u32 {
        let quotas = self.quotas.get();
        match tier {
            Tier::Free => quotas.free,
            Tier::Pro => quotas.pro,
            Tier::Enterprise => quotas.enterprise,
        }
    }

    /// Counts a config that was refused.
    pub(crate) fn refused(&self, tier: Tier) {
        let counters = self.refusals.iter().filter(|(of, _)| *of == tier);
        counters.for_each(|(_, counter)| counter.increment(1));
    }
}
