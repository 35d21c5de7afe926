//! Charities: the list of active ones, the feed, and all of them by id.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use generated::operations::BASE_PATH;
use generated::runtime::{self, EntityTag};
use generated::{Encoded, models};
use uuid::Uuid;

use super::order::{CharityOrder, Place};
use super::{Category, Charity, CharityId, atom, mapping};
use crate::domain::paging::PageRequest;
use crate::domain::position::{Placed, Position};
use crate::domain::service_identity::ServiceIdentity;
use crate::listing::{Direction, Joined, Listing, Pages, Run, Tagged, join};

/// The number of charities in the feed.
const FEED: usize = 50;

/// The filter of a list of charities; all fields that are set must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CharityFilter {
    /// Words that must each occur in the name, the slug or the description, ignoring case.
    pub words: Vec<String>,
    /// An ISO 3166-1 alpha-2 code.
    pub country: Option<String>,
    pub category: Option<Category>,
    /// Only charities with these ids.
    pub ids: Option<HashSet<CharityId>>,
    /// The registration with its country's tax authority.
    pub tax_id: Option<String>,
    /// The city or place of its postal address, in lower case.
    pub city: Option<String>,
    /// Whether its identity has been verified.
    pub verified: Option<bool>,
}

pub struct Charities {
    active: Listing<Entry>,
    by_name: CharityOrder,
    /// Pages of the list without filters.
    pages: Pages<PageRequest, models::CharityPage>,
    by_slug: HashMap<String, usize>,
    by_id: HashMap<CharityId, usize>,
    all: HashMap<CharityId, models::Charity>,
    feed: Tagged<models::CharityFeed>,
    /// The feed as Atom, written when it is first requested; `None` if it cannot be.
    atom_feed: OnceLock<Option<runtime::Tagged<String>>>,
}

struct Entry {
    charity: Charity,
    shown: Tagged<models::Charity>,
    /// The text that is searched for words.
    text: String,
}

impl Placed for Entry {
    fn position(&self) -> Position {
        self.charity.position()
    }
}

impl Charities {
    pub(crate) fn build(charities: Vec<Charity>) -> Charities {
        let shown = charities
            .iter()
            .map(|charity| (charity.id, mapping::charity(charity)));
        let all: HashMap<_, _> = shown.collect();
        let active = charities
            .into_iter()
            .filter(|charity| charity.active)
            .map(Entry::new);
        let active = Listing::new(active.collect(), Direction::Descending);
        let newest = active
            .entries()
            .iter()
            .take(FEED)
            .map(|entry| &entry.shown.body);
        let feed = models::CharityFeed::join(&Encoded::join(newest));
        let places = active.entries().iter().enumerate();
        Charities {
            by_name: CharityOrder::by_name(active.entries().iter().map(|it| &it.charity)),
            by_slug: places
                .clone()
                .map(|(at, entry)| (entry.charity.slug.clone(), at))
                .collect(),
            by_id: places.map(|(at, entry)| (entry.charity.id, at)).collect(),
            active,
            pages: Pages::new(),
            all,
            feed: Tagged::new(feed),
            atom_feed: OnceLock::new(),
        }
    }

    /// An active charity by its id or its slug.
    pub fn find(&self, id_or_slug: &str) -> Option<&Tagged<models::Charity>> {
        self.entry(id_or_slug).map(|entry| &entry.shown)
    }

    /// An active charity by its id or its slug, as the catalogue has it.
    pub fn profile(&self, id_or_slug: &str) -> Option<&Charity> {
        self.entry(id_or_slug).map(|entry| &entry.charity)
    }

    /// The active charity that was listed most recently.
    pub fn newest(&self) -> Option<&models::Charity> {
        let newest = self.active.entries().first()?;
        self.any(newest.charity.id)
    }

    /// The active charities, most recently listed first.
    pub(super) fn active(&self) -> impl Iterator<Item = &Charity> {
        self.active.entries().iter().map(|entry| &entry.charity)
    }

    /// The number of active charities.
    pub fn count(&self) -> usize {
        self.active.entries().len()
    }

    /// The id of an active charity by its id or its slug.
    pub fn find_id(&self, id_or_slug: &str) -> Option<CharityId> {
        self.entry(id_or_slug).map(|entry| entry.charity.id)
    }

    fn entry(&self, id_or_slug: &str) -> Option<&Entry> {
        let by_id = Uuid::try_parse(id_or_slug)
            .ok()
            .and_then(|id| self.by_id.get(&CharityId(id)));
        let place = by_id.or_else(|| self.by_slug.get(id_or_slug))?;
        self.active.entries().get(*place)
    }

    /// Any charity, active or not.
    pub fn any(&self, id: CharityId) -> Option<&models::Charity> {
        self.all.get(&id)
    }

    /// The first of the active charities that fit a filter, newest first, and the number of all that do.
    pub fn search(&self, filter: &CharityFilter, most: usize) -> (Vec<&Charity>, usize) {
        let fitting = self.active.entries().iter().filter(|it| it.fits(filter));
        let charities = fitting.clone().map(|entry| &entry.charity);
        (charities.take(most).collect(), fitting.count())
    }

    /// The active charities from A to Z.
    pub(crate) fn by_name(&self) -> &CharityOrder {
        &self.by_name
    }

    /// A page of active charities, most recently listed first.
    pub fn page(&self, filter: &CharityFilter, page: PageRequest) -> Tagged<models::CharityPage> {
        if *filter == CharityFilter::default() {
            self.pages.get(page, |page| self.make(page, |_| true))
        } else {
            self.make(&page, |entry| entry.fits(filter))
        }
    }

    fn make(
        &self,
        page: &PageRequest,
        keep: impl Fn(&Entry) -> bool,
    ) -> Tagged<models::CharityPage> {
        let Run { entries, page_key } = self.active.run(page, keep);
        encoded(page_key.as_deref(), entries.into_iter())
    }

    /// A page in another order of the same charities.
    pub(crate) fn page_in(
        &self,
        order: &CharityOrder,
        filter: &CharityFilter,
        page: &PageRequest,
    ) -> Tagged<models::CharityPage> {
        let entry = |place: &Place| self.active.entries().get(place.index);
        let fits = |place: &Place| entry(place).is_some_and(|entry| entry.fits(filter));
        let Run { entries, page_key } = order.0.run(page, fits);
        let entries: Vec<_> = entries.into_iter().filter_map(entry).collect();
        encoded(page_key.as_deref(), entries.into_iter())
    }

    pub fn feed(&self) -> &Tagged<models::CharityFeed> {
        &self.feed
    }

    /// The feed as Atom, the same for all requests; `None` if it cannot be written.
    pub fn atom_feed(&self, identity: &ServiceIdentity) -> Option<&runtime::Tagged<String>> {
        let newest = self.active.entries().iter().take(FEED);
        let write = || {
            let base = &identity.public_base_url;
            let own = format!("{base}{BASE_PATH}/charities/feed.atom");
            let body = atom::feed(&own, identity, newest.map(|entry| &entry.charity)).ok()?;
            let tag = Some(EntityTag::of(body.as_bytes()));
            Some(runtime::Tagged { body, tag })
        };
        self.atom_feed.get_or_init(write).as_ref()
    }
}

fn encoded<'e>(
    page_key: Option<&str>,
    entries: impl Iterator<Item = &'e Entry> + Clone,
) -> Tagged<models::CharityPage> {
    let Joined { items, tag } = join(page_key, entries.map(|entry| &entry.shown));
    let body = models::CharityPage::join(&page_key.map(str::to_owned), &items);
    Tagged { body, tag }
}

impl Entry {
    fn new(charity: Charity) -> Entry {
        let text = format!(
            "{}\n{}\n{}",
            charity.name, charity.slug, charity.description
        );
        Entry {
            shown: Tagged::new(mapping::charity(&charity).into()),
            text: text.to_lowercase(),
            charity,
        }
    }

    fn fits(&self, filter: &CharityFilter) -> bool {
        filter
            .country
            .as_ref()
            .is_none_or(|country| *country == self.charity.country)
            && filter
                .category
                .is_none_or(|category| category == self.charity.category)
            && filter
                .ids
                .as_ref()
                .is_none_or(|ids| ids.contains(&self.charity.id))
            && filter
                .tax_id
                .as_ref()
                .is_none_or(|tax_id| self.charity.tax_id.as_ref() == Some(tax_id))
            && filter.city.as_ref().is_none_or(|city| self.is_in(city))
            && filter
                .verified
                .is_none_or(|verified| verified == self.charity.verified)
            && filter
                .words
                .iter()
                .all(|word| self.text.contains(word.as_str()))
    }

    /// Whether its address is in a city, whose name is in lower case.
    fn is_in(&self, city: &str) -> bool {
        let own = self.charity.address.city.as_ref();
        own.is_some_and(|own| own.to_lowercase() == city)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::List;
    use crate::test_records::charity;

    #[test]
    fn names_order_ignoring_case_and_equal_ones_by_id() {
        let long = "x".repeat(300);
        let names = ["b", "A", "a", "ab", "", "É", &long, &long];
        let named = (1..).zip(names).map(|(n, name)| Charity {
            name: name.to_owned(),
            ..charity(n)
        });
        let charities = Charities::build(named.collect());
        let mut ids = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = PageRequest::new(List::of("charities"), cursor.as_deref(), 3).unwrap();
            let all = CharityFilter::default();
            let page = charities.page_in(charities.by_name(), &all, &page);
            let page = page.body.decode().unwrap();
            ids.extend(page.response.iter().map(|it| it.id.0.as_bytes()[0]));
            cursor = page.page_key;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(ids, [5, 2, 3, 4, 1, 7, 8, 6]);
    }
}
