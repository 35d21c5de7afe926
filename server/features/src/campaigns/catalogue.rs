//! Campaigns: the list, and each by id. A campaign's status depends on the time of the request.

use std::collections::BTreeSet;
use std::sync::Arc;

use generated::models;
use imbl::HashMap;
use jiff::Timestamp;

use super::{CampaignBeneficiary, CampaignId, CampaignProgress, CampaignStatus, mapping};
use crate::charities::{Charities, CharityId};
use crate::configs::{Beneficiary, Config};
use crate::database::Update;
use crate::domain::amount::Weight;
use crate::domain::config_id::ConfigId;
use crate::domain::paging::PageRequest;
use crate::domain::position::Placed as _;
use crate::listing::{Direction, Joined, Listing, Tagged, join};

/// Every campaign. A clone shares them.
#[derive(Clone)]
pub struct Campaigns {
    listing: Listing<Entry>,
    by_id: HashMap<CampaignId, Arc<Entry>>,
    /// The charities of the configs that campaigns serve, with their weights.
    beneficiaries: HashMap<ConfigId, Vec<Beneficiary>>,
}

struct Entry {
    progress: CampaignProgress,
    /// The charities that it serves, in the order of its config.
    charities: Vec<Beneficiary>,
    /// The encoded campaign before, during and after its period.
    encoded: [Tagged<models::Campaign>; 3],
}

impl Campaigns {
    /// No campaigns.
    pub(crate) fn new() -> Campaigns {
        Campaigns {
            listing: Listing::new(Direction::Descending),
            by_id: HashMap::new(),
            beneficiaries: HashMap::new(),
        }
    }

    /// A copy with newer campaigns, which may serve `configs`, and with the newer names of the charities `renamed`, or
    /// of all.
    pub(crate) fn updated(
        &self,
        update: Update<CampaignId, CampaignProgress>,
        configs: Vec<Config>,
        charities: &Charities,
        renamed: Option<&BTreeSet<CharityId>>,
    ) -> Campaigns {
        let mut campaigns = match &update {
            Update::All(_) => Campaigns::new(),
            Update::None | Update::Some { .. } => self.clone(),
        };
        let configs = configs.into_iter();
        let beneficiaries = configs.map(|config| (config.id, config.beneficiaries));
        campaigns.beneficiaries.extend(beneficiaries);
        for id in update.changed().unwrap_or_default() {
            campaigns.remove(id);
        }
        let is_renamed = |entry: &&Arc<Entry>| match entry.progress.campaign.beneficiary {
            CampaignBeneficiary::Charity(id) => renamed.is_none_or(|it| it.contains(&id)),
            CampaignBeneficiary::Config(_) => false,
        };
        let stale = campaigns.listing.iter().filter(is_renamed);
        let stale: Vec<_> = stale.map(|entry| entry.progress.clone()).collect();
        for progress in stale.into_iter().chain(update.into_rows()) {
            campaigns.insert(progress, charities);
        }
        campaigns
    }

    fn remove(&mut self, id: CampaignId) {
        if let Some(entry) = self.by_id.remove(&id) {
            self.listing.remove(&entry.progress.campaign.position());
        }
    }

    fn insert(&mut self, progress: CampaignProgress, charities: &Charities) {
        if let Some(entry) = Entry::new(progress, charities, &self.beneficiaries) {
            let entry = Arc::new(entry);
            let campaign = &entry.progress.campaign;
            self.listing.insert(campaign.position(), Arc::clone(&entry));
            self.by_id.insert(campaign.id, Arc::clone(&entry));
        }
    }

    /// The campaigns for one charity, latest start first.
    pub fn of_charity(&self, charity: CharityId) -> impl Iterator<Item = &CampaignProgress> {
        let all = self.listing.iter().map(|entry| &entry.progress);
        let beneficiary = CampaignBeneficiary::Charity(charity);
        all.filter(move |progress| progress.campaign.beneficiary == beneficiary)
    }

    /// A campaign with its status at `now`.
    pub fn find(&self, id: CampaignId, now: Timestamp) -> Option<&Tagged<models::Campaign>> {
        self.by_id.get(&id).map(|entry| entry.encoded_at(now))
    }

    /// The charities that a campaign serves.
    pub(crate) fn charities(&self, id: CampaignId) -> Option<&[Beneficiary]> {
        self.by_id.get(&id).map(|entry| entry.charities.as_slice())
    }

    /// A page of campaigns, latest start first, with the status that they have at `now`; those alone that
    /// serve a charity, if one is given.
    pub fn page(
        &self,
        status: Option<CampaignStatus>,
        charity: Option<CharityId>,
        now: Timestamp,
        page: &PageRequest,
    ) -> Tagged<models::CampaignPage> {
        let run = self.listing.run(page, |entry| {
            status.is_none_or(|status| entry.progress.campaign.status(now) == status)
                && charity.is_none_or(|charity| entry.serves(charity))
        });
        let items = run.entries.iter().map(|entry| entry.encoded_at(now));
        let Joined { items, tag } = join(run.page_key.as_deref(), items);
        let body = models::CampaignPage::join(&run.page_key, &items);
        Tagged { body, tag }
    }
}

impl Entry {
    /// Encodes a campaign; `None` if its charity or its config is unknown, which the database rules out.
    fn new(
        progress: CampaignProgress,
        charities: &Charities,
        beneficiaries: &HashMap<ConfigId, Vec<Beneficiary>>,
    ) -> Option<Entry> {
        let encode = |status| {
            let model = mapping::campaign(&progress, status, |id| charities.any(id))?;
            Some(Tagged::new(model.into()))
        };
        let encoded = [
            encode(CampaignStatus::Upcoming)?,
            encode(CampaignStatus::Active)?,
            encode(CampaignStatus::Ended)?,
        ];
        let charities = match progress.campaign.beneficiary {
            CampaignBeneficiary::Charity(charity) => {
                let weight = Weight::new(1)?;
                vec![Beneficiary { charity, weight }]
            }
            CampaignBeneficiary::Config(config) => beneficiaries.get(&config)?.clone(),
        };
        Some(Entry {
            progress,
            charities,
            encoded,
        })
    }

    fn serves(&self, charity: CharityId) -> bool {
        self.charities.iter().any(|it| it.charity == charity)
    }

    fn encoded_at(&self, now: Timestamp) -> &Tagged<models::Campaign> {
        let [upcoming, active, ended] = &self.encoded;
        match self.progress.campaign.status(now) {
            CampaignStatus::Upcoming => upcoming,
            CampaignStatus::Active => active,
            CampaignStatus::Ended => ended,
        }
    }
}
