//! The catalog in memory, from which catalog reads are answered without the database.
//!
//! A [`Snapshot`] shows one state of the database and never changes; a newer one replaces it, and shares with it what has
//! not changed. Its items are encoded when they change, so that a response joins their bytes, and pages that are requested
//! again are cached.

use std::sync::Arc;

use super::CatalogueUpdate;
use crate::campaigns::Campaigns;
use crate::chains::Chains;
use crate::charities::{Charities, CharityTotals};
use crate::database::{Update, Versions};
use crate::tokens::TokenCache;

/// One state of the catalog. Clones are cheap.
#[derive(Clone)]
pub struct Snapshot {
    /// The counters of the database state that it shows.
    pub versions: Versions,
    pub charities: Arc<Charities>,
    /// The sums of donations to them.
    pub charity_totals: Arc<CharityTotals>,
    pub campaigns: Arc<Campaigns>,
    pub chains: Arc<Chains>,
    /// Recent responses about tokens.
    pub(crate) tokens: Arc<TokenCache>,
}

impl Snapshot {
    /// Builds the snapshot of everything.
    pub fn build(catalogue: CatalogueUpdate) -> Snapshot {
        let charities = Charities::new();
        Snapshot {
            versions: Versions::default(),
            charity_totals: Arc::new(CharityTotals::new()),
            campaigns: Arc::new(Campaigns::new()),
            chains: Arc::new(Chains::build(Vec::new())),
            tokens: Arc::default(),
            charities: Arc::new(charities),
        }
        .updated(catalogue)
    }

    /// A copy with newer data.
    #[must_use]
    pub fn updated(&self, update: CatalogueUpdate) -> Snapshot {
        let CatalogueUpdate {
            versions,
            charities,
            received,
            campaigns,
            campaign_configs,
            chains,
        } = update;
        let mut new = Snapshot {
            versions,
            ..self.clone()
        };
        let changed = charities.changed();
        let has_new_charities = !charities.is_none();
        if has_new_charities {
            new.charities = Arc::new(self.charities.updated(charities));
        }
        if has_new_charities || !received.is_none() {
            let (charities, changed) = (&new.charities, changed.as_ref());
            let totals = self.charity_totals.updated(received, charities, changed);
            new.charity_totals = Arc::new(totals);
        }
        if has_new_charities || !campaigns.is_none() {
            let updated = self.campaigns.updated(
                campaigns,
                campaign_configs,
                &new.charities,
                changed.as_ref(),
            );
            new.campaigns = Arc::new(updated);
        }
        if let Update::All(chains) = chains {
            new.chains = Arc::new(Chains::build(chains));
        }
        if has_new_charities || versions.tokens != self.versions.tokens {
            new.tokens = Arc::default();
        }
        new
    }
}
