//! Charities: the list of active ones, the feed, and all of them by id.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

use generated::operations::BASE_PATH;
use generated::runtime::{self, EntityTag};
use generated::{Encoded, models};
use imbl::HashMap;
use uuid::Uuid;

use super::{Category, Charity, CharityId, CharityTotals, atom, mapping};
use crate::database::Update;
use crate::domain::paging::PageRequest;
use crate::domain::position::{Placed, Position};
use crate::domain::service_identity::ServiceIdentity;
use crate::listing::{Direction, Joined, Listing, Pages, Run, Tagged, join};

/// The number of charities in the feed.
const FEED: usize = 50;

/// The filter of a list of charities; all fields that are set must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CharityFilter {
    /// Words that must each occur in the name, the slug or the description, ignoring case. See [`search_words`].
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

/// The words of a search, in lower case. Only the first 100 characters count: each word is looked for in every charity.
pub fn search_words(search: &str) -> Vec<String> {
    let bounded: String = search.chars().take(100).collect();
    let words = bounded.split_whitespace();
    words.map(str::to_lowercase).collect()
}

/// The order of a list of charities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CharityOrder {
    /// By what they have received, the largest amount first.
    #[default]
    Received,
    /// Most recently listed first.
    Listed,
    /// From A to Z.
    Name,
}

/// Every charity. A clone shares the charities.
#[derive(Clone)]
pub struct Charities {
    /// The active charities, most recently listed first.
    active: Listing<Entry>,
    /// The active charities from A to Z.
    by_name: Listing<Entry>,
    /// The active charities.
    by_slug: HashMap<String, CharityId>,
    all: HashMap<CharityId, Arc<Entry>>,
    /// Pages of the list without filters.
    pages: Arc<Pages<PageRequest, models::CharityPage>>,
    feed: Tagged<models::CharityFeed>,
    /// The feed as Atom, written when it is first requested; `None` if it cannot be.
    atom_feed: Arc<OnceLock<Option<runtime::Tagged<String>>>>,
    /// The countries of active charities, collected when they are first requested.
    countries: Arc<OnceLock<BTreeSet<String>>>,
}

pub(super) struct Entry {
    charity: Charity,
    shown: Tagged<models::Charity>,
    /// The text that is searched for words.
    text: String,
}

impl Charities {
    /// No charities.
    pub(crate) fn new() -> Charities {
        Charities {
            active: Listing::new(Direction::Descending),
            by_name: Listing::new(Direction::Ascending),
            by_slug: HashMap::new(),
            all: HashMap::new(),
            pages: Arc::new(Pages::new()),
            feed: Tagged::new(models::CharityFeed::join(
                &Encoded::join(std::iter::empty()),
            )),
            atom_feed: Arc::default(),
            countries: Arc::default(),
        }
    }

    /// A copy with newer charities.
    pub(crate) fn updated(&self, update: Update<CharityId, Charity>) -> Charities {
        let mut charities = match &update {
            Update::All(_) => Charities::new(),
            Update::None | Update::Some { .. } => self.clone(),
        };
        for id in update.changed().unwrap_or_default() {
            charities.remove(id);
        }
        for charity in update.into_rows() {
            charities.insert(charity);
        }
        let newest = charities.active.iter().take(FEED);
        let newest = newest.map(|entry| &entry.shown.body);
        charities.feed = Tagged::new(models::CharityFeed::join(&Encoded::join(newest)));
        charities.atom_feed = Arc::default();
        charities.countries = Arc::default();
        charities.pages = Arc::new(Pages::new());
        charities
    }

    fn remove(&mut self, id: CharityId) {
        if let Some(entry) = self.all.remove(&id) {
            self.active.remove(&entry.charity.position());
            self.by_name.remove(&name_position(&entry.charity));
            // Another charity may have taken its slug in the same update.
            if self.by_slug.get(&entry.charity.slug) == Some(&id) {
                self.by_slug.remove(&entry.charity.slug);
            }
        }
    }

    fn insert(&mut self, charity: Charity) {
        let entry = Arc::new(Entry::new(charity));
        let charity = &entry.charity;
        if charity.active {
            self.active.insert(charity.position(), Arc::clone(&entry));
            self.by_name
                .insert(name_position(charity), Arc::clone(&entry));
            self.by_slug.insert(charity.slug.clone(), charity.id);
        }
        self.all.insert(charity.id, Arc::clone(&entry));
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
    pub fn newest(&self) -> Option<models::Charity> {
        self.active().next().map(mapping::charity)
    }

    /// The active charities, most recently listed first.
    pub(super) fn active(&self) -> impl Iterator<Item = &Charity> {
        self.active.iter().map(|entry| &entry.charity)
    }

    /// The slugs of the active charities, most recently listed first.
    pub fn slugs(&self) -> impl Iterator<Item = &str> {
        self.active().map(|charity| charity.slug.as_str())
    }

    /// The number of active charities.
    pub fn count(&self) -> usize {
        self.active.len()
    }

    /// The id of an active charity by its id or its slug.
    pub fn find_id(&self, id_or_slug: &str) -> Option<CharityId> {
        self.entry(id_or_slug).map(|entry| entry.charity.id)
    }

    fn entry(&self, id_or_slug: &str) -> Option<&Entry> {
        let by_id = Uuid::try_parse(id_or_slug).ok();
        let by_id = by_id.and_then(|id| self.active_entry(CharityId(id)));
        by_id.or_else(|| self.active_entry(*self.by_slug.get(id_or_slug)?))
    }

    pub(super) fn active_entry(&self, id: CharityId) -> Option<&Entry> {
        let entry = self.all.get(&id)?;
        entry.charity.active.then_some(entry)
    }

    /// Any charity, active or not.
    pub fn any(&self, id: CharityId) -> Option<&Charity> {
        self.all.get(&id).map(|entry| &entry.charity)
    }

    /// The first of the active charities that fit a filter, newest first, and the number of all that do.
    pub fn search(&self, filter: &CharityFilter, most: usize) -> (Vec<&Charity>, usize) {
        let mut fitting = self.active.iter().filter(|it| it.fits(filter));
        let charities = fitting.by_ref().take(most);
        let charities: Vec<_> = charities.map(|entry| &entry.charity).collect();
        let count = charities.len() + fitting.count();
        (charities, count)
    }

    /// The countries of active charities: ISO 3166-1 alpha-2 codes.
    pub fn countries(&self) -> &BTreeSet<String> {
        self.countries
            .get_or_init(|| self.active().map(|it| it.country.clone()).collect())
    }

    /// The active charities of a page in an order, and the cursor of the next page, if there is one.
    pub fn in_order(
        &self,
        totals: &CharityTotals,
        filter: &CharityFilter,
        order: CharityOrder,
        page: &PageRequest,
    ) -> (Vec<&Charity>, Option<String>) {
        let (entries, page_key): (Vec<&Entry>, _) = match order {
            CharityOrder::Received => self.run_by_received(totals, filter, page),
            CharityOrder::Listed | CharityOrder::Name => {
                let list = match order {
                    CharityOrder::Name => &self.by_name,
                    _ => &self.active,
                };
                let run = list.run(page, |entry| entry.fits(filter));
                let entries = run.entries.iter().map(|entry| &***entry);
                (entries.collect(), run.page_key)
            }
        };
        let charities = entries.into_iter().map(|entry| &entry.charity);
        (charities.collect(), page_key)
    }

    /// A page of active charities, most recently listed first.
    pub fn page(&self, filter: &CharityFilter, page: PageRequest) -> Tagged<models::CharityPage> {
        if *filter == CharityFilter::default() {
            self.pages
                .get(page, |page| encoded(&self.active.run(page, |_| true)))
        } else {
            encoded(&self.active.run(&page, |entry| entry.fits(filter)))
        }
    }

    /// A page of active charities from A to Z.
    pub fn page_by_name(
        &self,
        filter: &CharityFilter,
        page: &PageRequest,
    ) -> Tagged<models::CharityPage> {
        encoded(&self.by_name.run(page, |entry| entry.fits(filter)))
    }

    /// A page of active charities by what they have received, the largest amount first.
    pub fn page_by_received(
        &self,
        totals: &CharityTotals,
        filter: &CharityFilter,
        page: &PageRequest,
    ) -> Tagged<models::CharityPage> {
        let (entries, page_key) = self.run_by_received(totals, filter, page);
        joined(page_key.as_deref(), &entries)
    }

    fn run_by_received(
        &self,
        totals: &CharityTotals,
        filter: &CharityFilter,
        page: &PageRequest,
    ) -> (Vec<&Entry>, Option<String>) {
        let entry = |id: &CharityId| self.active_entry(*id);
        let fits = |id: &CharityId| entry(id).is_some_and(|entry| entry.fits(filter));
        let run = totals.order().run(page, fits);
        let entries = run.entries.iter().filter_map(|id| entry(id));
        (entries.collect(), run.page_key)
    }

    pub fn feed(&self) -> &Tagged<models::CharityFeed> {
        &self.feed
    }

    /// The feed as Atom, the same for all requests; `None` if it cannot be written.
    pub fn atom_feed(&self, identity: &ServiceIdentity) -> Option<&runtime::Tagged<String>> {
        let write = || {
            let base = &identity.public_base_url;
            let own = format!("{base}{BASE_PATH}/charities/feed.atom");
            let newest: Vec<_> = self.active().take(FEED).collect();
            let body = atom::feed(&own, identity, newest.into_iter()).ok()?;
            let tag = Some(EntityTag::of(body.as_bytes()));
            Some(runtime::Tagged { body, tag })
        };
        self.atom_feed.get_or_init(write).as_ref()
    }
}

fn encoded(run: &Run<'_, Entry>) -> Tagged<models::CharityPage> {
    let entries: Vec<_> = run.entries.iter().map(|entry| &***entry).collect();
    joined(run.page_key.as_deref(), &entries)
}

fn joined(page_key: Option<&str>, entries: &[&Entry]) -> Tagged<models::CharityPage> {
    let Joined { items, tag } = join(page_key, entries.iter().map(|entry| &entry.shown));
    let body = models::CharityPage::join(&page_key.map(str::to_owned), &items);
    Tagged { body, tag }
}

/// The position from A to Z, ignoring case: the name in lowercase and the id, as far as a cursor can hold them.
fn name_position(charity: &Charity) -> Position {
    let id = charity.id.0.as_bytes();
    let mut key = charity.name.to_lowercase().into_bytes();
    key.truncate(Position::MAX_KEY - id.len() - 1);
    // A name comes before those that begin with it.
    key.push(0);
    key.extend(id);
    Position { ordinal: 0, key }
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
    fn a_search_has_a_bounded_number_of_words() {
        assert_eq!(search_words(" Otter  HAVEN"), ["otter", "haven"]);
        assert_eq!(search_words(&"a ".repeat(16_000)).len(), 50);
    }

    #[test]
    fn names_order_ignoring_case_and_equal_ones_by_id() {
        let long = "x".repeat(300);
        let names = ["b", "A", "a", "ab", "", "É", &long, &long];
        let named = (1..).zip(names).map(|(n, name)| Charity {
            name: name.to_owned(),
            ..charity(n)
        });
        let charities = Charities::new().updated(Update::All(named.collect()));
        let mut ids = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = PageRequest::new(List::of("charities"), cursor.as_deref(), 3).unwrap();
            let all = CharityFilter::default();
            let page = charities.page_by_name(&all, &page);
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
