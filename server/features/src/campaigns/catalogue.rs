//! Campaigns: the list, and each by id. A campaign's status depends on the time of the request.

use std::collections::HashMap;
use std::sync::Arc;

use generated::models;
use jiff::Timestamp;

use super::{CampaignBeneficiary, CampaignId, CampaignProgress, CampaignStatus, mapping};
use crate::charities::{Charities, CharityId};
use crate::configs::Beneficiary;
use crate::domain::amount::{UsdE6, Weight};
use crate::domain::config_id::ConfigId;
use crate::domain::paging::PageRequest;
use crate::domain::position::{Placed, Position};
use crate::listing::{Direction, Joined, Listing, Tagged, join};

pub struct Campaigns {
    listing: Listing<Entry>,
    by_id: HashMap<CampaignId, usize>,
    beneficiaries: Beneficiaries,
}

/// The charities of configs with their weights.
pub(crate) type Beneficiaries = Arc<HashMap<ConfigId, Vec<Beneficiary>>>;

struct Entry {
    progress: CampaignProgress,
    /// The charities that it serves, in the order of its config.
    charities: Vec<Beneficiary>,
    /// The encoded campaign before, during and after its period.
    encoded: [Tagged<models::Campaign>; 3],
}

impl Placed for Entry {
    fn position(&self) -> Position {
        self.progress.campaign.position()
    }
}

impl Campaigns {
    /// `beneficiaries` are those of each config that a campaign serves.
    pub(crate) fn build(
        campaigns: Vec<CampaignProgress>,
        charities: &Charities,
        beneficiaries: Beneficiaries,
    ) -> Campaigns {
        let entries = campaigns
            .into_iter()
            .filter_map(|progress| Entry::new(progress, charities, &beneficiaries));
        let listing = Listing::new(entries.collect(), Direction::Descending);
        let places = listing.entries().iter().enumerate();
        Campaigns {
            by_id: places
                .map(|(at, entry)| (entry.progress.campaign.id, at))
                .collect(),
            listing,
            beneficiaries,
        }
    }

    /// The same campaigns with other amounts raised; `None` if none is another one.
    pub(crate) fn with_raised(
        &self,
        raised: &HashMap<CampaignId, UsdE6>,
        charities: &Charities,
    ) -> Option<Campaigns> {
        let known = self.listing.entries().iter().map(|entry| &entry.progress);
        let raised = |it: &CampaignProgress| *raised.get(&it.campaign.id).unwrap_or(&it.raised);
        if known.clone().all(|it| raised(it) == it.raised) {
            return None;
        }
        let progress = known.map(|it| CampaignProgress {
            raised: raised(it),
            ..it.clone()
        });
        let beneficiaries = Arc::clone(&self.beneficiaries);
        Some(Campaigns::build(
            progress.collect(),
            charities,
            beneficiaries,
        ))
    }

    /// The campaigns for one charity, latest start first.
    pub fn of_charity(&self, charity: CharityId) -> impl Iterator<Item = &CampaignProgress> {
        let all = self.listing.entries().iter().map(|entry| &entry.progress);
        let beneficiary = CampaignBeneficiary::Charity(charity);
        all.filter(move |progress| progress.campaign.beneficiary == beneficiary)
    }

    /// A campaign with its status at `now`.
    pub fn find(&self, id: CampaignId, now: Timestamp) -> Option<&Tagged<models::Campaign>> {
        let place = self.by_id.get(&id)?;
        self.listing
            .entries()
            .get(*place)
            .map(|entry| entry.encoded_at(now))
    }

    /// The charities that a campaign serves.
    pub(crate) fn charities(&self, id: CampaignId) -> Option<&[Beneficiary]> {
        let entry = self.listing.entries().get(*self.by_id.get(&id)?)?;
        Some(&entry.charities)
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
        beneficiaries: &Beneficiaries,
    ) -> Option<Entry> {
        let encode = |status| {
            let model = mapping::campaign(&progress, status, |id| charities.any(id).cloned())?;
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
