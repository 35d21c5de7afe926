//! The catalogue in memory, from which catalogue reads are answered without the database.
//!
//! A [`Snapshot`] shows one state of the database and never changes; a newer one replaces it. Its items
//! are encoded when it is built, so that a response joins their bytes, and pages that are requested
//! again are cached. It depends on the contract's models and the domain, and not on HTTP.

use std::collections::HashMap;
use std::sync::Arc;

use super::Catalogue;
use crate::campaigns::{CampaignId, Campaigns};
use crate::chains::Chains;
use crate::charities::{Charities, CharityId, CharityTotals};
use crate::database::Versions;
use crate::domain::amount::UsdE6;
use crate::domain::donation_stats::DonationStats;
use crate::tokens::Tokens;

/// One state of the catalogue. Clones are cheap.
#[derive(Clone)]
pub struct Snapshot {
    /// The counters of the database state that it shows.
    pub versions: Versions,
    pub charities: Arc<Charities>,
    /// The sums of donations to them.
    pub charity_totals: Arc<CharityTotals>,
    pub campaigns: Arc<Campaigns>,
    pub chains: Arc<Chains>,
    pub tokens: Arc<Tokens>,
}

impl Snapshot {
    /// Builds the snapshot of a database state.
    pub fn build(catalogue: Catalogue) -> Snapshot {
        let charities = Charities::build(catalogue.charities);
        let totals = CharityTotals::build(&charities, catalogue.received);
        let configs = catalogue.campaign_configs.into_iter();
        let beneficiaries = configs.map(|config| (config.id, config.beneficiaries));
        let beneficiaries = Arc::new(beneficiaries.collect());
        let campaigns = Campaigns::build(catalogue.campaigns, &charities, beneficiaries);
        Snapshot {
            versions: catalogue.versions,
            charity_totals: Arc::new(totals),
            campaigns: Arc::new(campaigns),
            chains: Arc::new(Chains::build(catalogue.chains)),
            tokens: Arc::new(Tokens::build(catalogue.tokens, catalogue.partners)),
            charities: Arc::new(charities),
        }
    }

    /// A copy of this catalogue with newer amounts that campaigns have raised and charities received, which
    /// change more often.
    pub fn with_raised(
        &self,
        raised: &HashMap<CampaignId, UsdE6>,
        received: HashMap<CharityId, DonationStats>,
        versions: Versions,
    ) -> Snapshot {
        let campaigns = self.campaigns.with_raised(raised, &self.charities);
        let totals = CharityTotals::build(&self.charities, received);
        Snapshot {
            versions: Versions {
                raised: versions.raised,
                ..self.versions
            },
            campaigns: campaigns.map_or_else(|| Arc::clone(&self.campaigns), Arc::new),
            charity_totals: Arc::new(totals),
            ..self.clone()
        }
    }
}
