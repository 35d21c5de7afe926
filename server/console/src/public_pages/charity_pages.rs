//! The pages of charities, each cached for a minute.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::charity::{self, Received};
use crate::donation_chart::DonationChart;
use crate::site::{self, Page, Refusal, SiteInfo};
use edge::http::RequestContext;
use features::api::{Api, PublicReads};
use features::cache_refresh::CacheRefresh;
use features::charities::CharityId;
use features::donations::DonationFilter;
use features::donations::store::donations_of_charity;
use features::rollups::store::days_of_charity;

/// How long a page is cached; one without donations, because the database did not answer, for less.
const LIFE: Duration = Duration::from_secs(60);
const LIFE_WITHOUT: Duration = Duration::from_secs(5);

/// The most cached pages, which bounds their memory.
const MAX_PAGES: usize = 512;

/// The reads of the database that run at a time, and how long a page waits for its own.
const READS: usize = 2;
const DEADLINE: Duration = Duration::from_millis(500);

/// The cache of the pages of charities.
pub(super) struct CharityPages {
    cache: Mutex<HashMap<CharityId, Entry>>,
    reads: PublicReads,
}

/// A cached page.
struct Entry {
    page: Arc<Page>,
    /// The version of the charities that it shows.
    charities: u64,
    until: Instant,
}

impl CharityPages {
    pub(super) fn new() -> Self {
        Self {
            cache: Mutex::default(),
            reads: PublicReads::new(READS, DEADLINE),
        }
    }

    /// The page of the charity with this id or slug.
    pub(super) async fn page(
        &self,
        info: &SiteInfo,
        api: &Api,
        refresh: &CacheRefresh,
        name: &str,
    ) -> Result<Arc<Page>, Refusal> {
        let (id, charities) = {
            let snapshot = api.snapshot();
            let id = snapshot.charities.find_id(name);
            (id.ok_or(Refusal::NoSuchPage)?, snapshot.versions.charities)
        };
        if let Some(page) = self.cached(id, charities) {
            return Ok(page);
        }
        // A client has as many of these at a time as it may have requests without a key.
        let client = RequestContext::current().map(|context| context.client());
        let _counted = match client {
            Some(client) => Some(api.enter(client).ok_or(Refusal::Busy)?),
            None => None,
        };
        let received = match refresh.readiness() {
            Ok(()) => self.received(api, id).await,
            Err(_) => None,
        };
        let snapshot = api.snapshot();
        let page = charity::page(info, &snapshot, id, received.as_ref(), api.now().wall);
        let page = page.ok_or(Refusal::NoSuchPage)?.map_err(site::failed)?;
        let page = Arc::new(page);
        let life = if received.is_some() {
            LIFE
        } else {
            LIFE_WITHOUT
        };
        let cached = Entry {
            page: Arc::clone(&page),
            charities: snapshot.versions.charities,
            until: Instant::now() + life,
        };
        self.keep(id, cached);
        Ok(page)
    }

    /// The newest donations and the days of the chart, if the database answers in time.
    async fn received(&self, api: &Api, id: CharityId) -> Option<Received> {
        let range = DonationChart::range(api.now().wall)?;
        let store = api.store.clone();
        let read = async move {
            let filter = DonationFilter::default();
            let latest = donations_of_charity(&store, id, filter, None, charity::LATEST).await?;
            let days = days_of_charity(&store, id, range).await?;
            Ok(Received { latest, days })
        };
        let read = self.reads.run(read).await;
        read.inspect_err(
            |error| tracing::warn!(%error, "cannot read donations: rendering a page without them"),
        )
        .ok()
    }

    fn cached(&self, id: CharityId, charities: u64) -> Option<Arc<Page>> {
        // A map is consistent between any two statements, so a poisoned lock is harmless.
        let pages = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = pages.get(&id)?;
        let is_new = cached.charities == charities && Instant::now() < cached.until;
        is_new.then(|| Arc::clone(&cached.page))
    }

    fn keep(&self, id: CharityId, page: Entry) {
        let mut pages = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MAX_PAGES {
            let now = Instant::now();
            pages.retain(|_, cached| now < cached.until);
        }
        if pages.len() < MAX_PAGES || pages.contains_key(&id) {
            pages.insert(id, page);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::site::policy;

    fn page(charities: u64) -> Entry {
        Entry {
            page: Arc::new(Page::html(policy::PAGE, String::new())),
            charities,
            until: Instant::now() + LIFE,
        }
    }

    #[test]
    fn a_page_replaces_its_old_one_where_there_is_room_for_no_other() {
        let pages = CharityPages::new();
        let id = |number: usize| CharityId(Uuid::from_u128(number as u128));
        for number in 0..=MAX_PAGES {
            pages.keep(id(number), page(1));
        }
        assert!(pages.cached(id(MAX_PAGES), 1).is_none(), "beyond the bound");
        pages.keep(id(0), page(2));
        assert!(pages.cached(id(0), 2).is_some());
    }
}
