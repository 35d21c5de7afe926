//! The public pages about this server and its catalogue: `/`, `/charities`, `/charities/{slug}`, `/status`; and the
//! files for browsers, crawlers and security researchers.
//!
//! They are answered from memory: a page is rendered once for each state that it shows. Only the page of a
//! charity and the start page read the database, each at most once a minute and a few at a time; without an answer in
//! time they are rendered without donations.

mod cached_page;
pub(crate) mod category;
mod charity;
mod charity_card;
mod charity_list;
mod charity_pages;
pub(crate) mod country;
mod home;
mod recent;
mod sitemap;
mod status;
mod well_known;

use std::sync::Arc;

use axum::response::Response;
use edge::http::OperationId;
use http::request::Parts;
use http::{Method, Request};

use cached_page::CachedPage;
pub(crate) use charity::transaction_url;
use charity_pages::CharityPages;
use recent::RecentDonations;
use status::State;

use crate::availability::Availability;
use crate::site::{self, PageError, Refusal, SiteInfo, prefers_html};
use features::api::Api;
use features::cache_refresh::CacheRefresh;
use features::domain::amount::UsdE6;
use features::domain::service_identity::{SecurityContact, ServiceIdentity};

/// The operation of a request for a page, in metrics and the access log.
const OPERATION: OperationId = OperationId("<page>");

/// The public pages of one server.
pub struct PublicPages {
    info: SiteInfo,
    api: Arc<Api>,
    refresh: CacheRefresh,
    contact: Option<SecurityContact>,
    availability: Availability,
    /// The paths of the documentation.
    documentation: Vec<String>,
    /// By the versions of the charities, what they received, and the chains, and by the recent donations.
    home: CachedPage<([u64; 3], Option<UsdE6>)>,
    recent: RecentDonations,
    status: CachedPage<State>,
    /// By the version of the charities.
    sitemap: CachedPage<u64>,
    charities: CharityPages,
}

/// A public page, or a file beside these pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    Home,
    /// The links of the start page, for programs.
    Index,
    Status,
    /// All charities, or those that a query selects.
    Charities,
    /// By id or slug.
    Charity(String),
    Robots,
    Sitemap,
    SecurityTxt,
    Icon,
}

impl Route {
    /// Whether its page is cached for all requests, and needs no search.
    pub(crate) fn is_in_memory(&self) -> bool {
        !matches!(self, Self::Charities | Self::Charity(_))
    }
}

impl PublicPages {
    /// The pages about the data that `api` serves.
    pub fn new(
        info: SiteInfo,
        identity: &ServiceIdentity,
        api: Arc<Api>,
        refresh: CacheRefresh,
        availability: Availability,
        documentation: Vec<String>,
    ) -> Self {
        Self {
            info,
            api,
            refresh,
            contact: identity.security_contact.clone(),
            availability,
            documentation,
            home: CachedPage::default(),
            recent: RecentDonations::new(),
            status: CachedPage::default(),
            sitemap: CachedPage::default(),
            charities: CharityPages::new(),
        }
    }

    /// The page that a request is for, if it is for one.
    pub(crate) fn route<B>(&self, request: &Request<B>) -> Option<Route> {
        match request.uri().path() {
            "/" if prefers_html(request.headers()) => Some(Route::Home),
            "/" => Some(Route::Index),
            "/status" => Some(Route::Status),
            charity_list::PATH => Some(Route::Charities),
            "/robots.txt" => Some(Route::Robots),
            "/sitemap.xml" => Some(Route::Sitemap),
            "/favicon.ico" => Some(Route::Icon),
            "/.well-known/security.txt" if self.contact.is_some() => Some(Route::SecurityTxt),
            path => {
                let charity = path.strip_prefix("/charities/")?;
                Some(Route::Charity(charity.to_owned()))
            }
        }
    }

    /// The answer to a request for a page.
    ///
    /// # Errors
    /// When there is no such page, or the client may not have one now.
    pub(crate) async fn answer(&self, route: Route, asked: &Parts) -> Result<Response, Refusal> {
        if !matches!(asked.method, Method::GET | Method::HEAD) {
            return Err(Refusal::Method);
        }
        let mut response = match route {
            Route::Home => {
                let recently = self.recent.sum(&self.api, &self.refresh).await;
                let page = self.home_page(recently).map_err(site::failed)?;
                page.answer_to(asked).await
            }
            Route::Index => home::index(&self.info).answer_to(asked).await,
            Route::Status => {
                let history = self.availability.history();
                let state = State::of(&self.refresh, &history);
                let write = || status::page(&self.info, state, &history);
                let page = self.status.get(state, write).map_err(site::failed)?;
                page.answer_to(asked).await
            }
            Route::Charities => {
                let snapshot = self.api.snapshot();
                let page = charity_list::page(&self.info, &snapshot, &asked.uri);
                page.map_err(site::failed)?.answer_to(asked).await
            }
            Route::Charity(name) => {
                let page = self
                    .charities
                    .page(&self.info, &self.api, &self.refresh, &name);
                page.await?.answer_to(asked).await
            }
            Route::Robots => well_known::robots(&self.info).answer_to(asked).await,
            Route::Sitemap => {
                let snapshot = self.api.snapshot();
                let write = || Ok(sitemap::page(&self.info, &self.documentation, &snapshot));
                let page = self.sitemap.get(snapshot.versions.charities, write);
                page.map_err(site::failed)?.answer_to(asked).await
            }
            Route::Icon => match site::asset("favicon.ico") {
                Some(icon) => icon.answer_to(asked).await,
                None => return Err(Refusal::NoSuchPage),
            },
            Route::SecurityTxt => match &self.contact {
                Some(contact) => {
                    let now = self.api.now().wall;
                    well_known::security(contact, now).answer_to(asked).await
                }
                None => return Err(Refusal::NoSuchPage),
            },
        };
        response.extensions_mut().insert(OPERATION);
        Ok(response)
    }

    fn home_page(&self, recently: Option<UsdE6>) -> Result<Arc<site::Page>, PageError> {
        let snapshot = self.api.snapshot();
        let versions = &snapshot.versions;
        let state = [versions.charities, versions.received, versions.chains];
        self.home.get((state, recently), || {
            home::page(&self.info, &snapshot, recently)
        })
    }
}
