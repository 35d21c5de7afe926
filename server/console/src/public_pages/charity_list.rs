//! The page of all charities: a grid with search and filters, which are those of the API.

use askama::Template;
use axum::extract::Query;
use http::Uri;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::charity_card::CharityCard;
use super::{category, country};
use crate::chart::grouped;
use crate::site::{Page, PageError, Shell, SiteInfo, policy};
use features::catalogue::Snapshot;
use features::charities::{Category, CharityFilter, CharityOrder, search_words};
use features::domain::paging::{List, PageRequest};

pub(super) const PATH: &str = "/charities";

/// The charities of a page.
const PAGE: usize = 24;

/// The most characters of a query; longer ones are cut.
const MAX_QUERY: usize = 100;

/// Caches keep this page for a moment only: sums change.
const CACHE: &str = "public, max-age=5";

#[derive(Template)]
#[template(path = "public_pages/charities.html")]
struct CharitiesPage<'a> {
    shell: Shell<'a>,
    search: &'a Search,
    /// The values and labels of the categories.
    categories: Vec<(&'static str, String)>,
    countries: Vec<Country<'a>>,
    charities: Vec<CharityCard<'a>>,
    /// The number of charities that fit.
    count: String,
    /// The query of the next page, if there is one.
    next: Option<String>,
}

struct Country<'a> {
    code: &'a str,
    name: &'a str,
}

/// What is searched for. Values that the page has no choice of are ignored.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Search {
    q: String,
    category: String,
    country: String,
    sort: String,
    cursor: Option<String>,
}

/// The orders of the page: their values and labels.
const ORDERS: [(&str, &str, CharityOrder); 3] = [
    ("donated", "Most received", CharityOrder::Received),
    ("listedAt", "Newest", CharityOrder::Listed),
    ("name", "A to Z", CharityOrder::Name),
];

impl Search {
    fn of(address: &Uri) -> Self {
        let read = Query::<Self>::try_from_uri(address);
        let mut search = read.map(|Query(search)| search).unwrap_or_default();
        let cut: String = search.q.chars().take(MAX_QUERY).collect();
        search.q = cut.trim().to_owned();
        search
    }

    fn category(&self) -> Option<Category> {
        self.category.parse().ok()
    }

    fn order(&self) -> CharityOrder {
        let order = ORDERS.iter().find(|(value, ..)| *value == self.sort);
        order.map_or_else(CharityOrder::default, |(.., order)| *order)
    }

    fn filter(&self, snapshot: &Snapshot) -> CharityFilter {
        let country = Some(&self.country).filter(|it| snapshot.charities.countries().contains(*it));
        CharityFilter {
            words: search_words(&self.q),
            category: self.category(),
            country: country.cloned(),
            ..CharityFilter::default()
        }
    }

    fn is_empty(&self) -> bool {
        self.q.is_empty() && self.category.is_empty() && self.country.is_empty()
    }

    /// The request for the page; one with a cursor of another search is for the first.
    fn request(&self) -> PageRequest {
        let list = List::of("charities page")
            .filtered("q", Some(&self.q))
            .filtered("category", Some(&self.category))
            .filtered("country", Some(&self.country))
            .filtered("sort", Some(&self.sort));
        PageRequest::or_first(list, self.cursor.as_deref(), PAGE)
    }

    /// The query of the page after a cursor.
    fn next(&self, cursor: &str) -> String {
        let Self {
            q,
            category,
            country,
            sort,
            ..
        } = self;
        let fields = [
            ("q", &**q),
            ("category", category),
            ("country", country),
            ("sort", sort),
            ("cursor", cursor),
        ];
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let field =
            |(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
        let fields = fields.map(field);
        fields.collect::<Vec<_>>().join("&")
    }
}

/// The page of a search.
pub(super) fn page(info: &SiteInfo, snapshot: &Snapshot, address: &Uri) -> Result<Page, PageError> {
    let search = Search::of(address);
    let (charities, totals) = (&snapshot.charities, &snapshot.charity_totals);
    let (filter, request) = (search.filter(snapshot), search.request());
    let (found, cursor) = charities.in_order(totals, &filter, search.order(), &request);
    let (_, count) = charities.search(&filter, 0);
    let categories = Category::ALL.into_iter();
    let categories = categories.map(|it| (it.as_str(), category::name(it)));
    let country = |code| {
        let name = country::name(code);
        Country { code, name }
    };
    let countries = charities.countries().iter().map(String::as_str);
    let mut countries: Vec<_> = countries.map(country).collect();
    countries.sort_by_key(|country| country.name);
    let page = CharitiesPage {
        shell: Shell::public(info, PATH),
        categories: categories.collect(),
        countries,
        charities: found
            .into_iter()
            .map(|charity| CharityCard::of(charity, totals))
            .collect(),
        count: grouped(count as u64),
        next: cursor.map(|cursor| search.next(&cursor)),
        search: &search,
    };
    Ok(Page::html(policy::FORM, page.render()?).cached(CACHE))
}
