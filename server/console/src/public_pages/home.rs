//! The start page: what the service is, live numbers, charities and a live response.

use askama::Template;
use serde_json::json;

use super::charity_card::CharityCard;
use crate::chart::grouped;
use crate::highlight;
use crate::money;
use crate::site::{Page, PageError, Shell, SiteInfo, policy};
use features::catalogue::Snapshot;
use features::charities::{CharityFilter, CharityOrder};
use features::domain::amount::UsdE6;
use features::domain::paging::{List, PageRequest};
use features::donations;

/// The charities that are shown.
const CHARITIES: usize = 3;

#[derive(Template)]
#[template(path = "public_pages/home.html")]
struct Home<'a> {
    shell: Shell<'a>,
    charity_count: String,
    donated: String,
    /// What was donated in the last 30 days, if that is known.
    recently: Option<String>,
    chain_count: usize,
    /// Those that received the most.
    charities: Vec<CharityCard<'a>>,
    /// What the API responds about the first of them, as colored JSON.
    totals: Option<String>,
}

/// The start page of a catalogue.
pub(super) fn page(
    info: &SiteInfo,
    snapshot: &Snapshot,
    recently: Option<UsdE6>,
) -> Result<Page, PageError> {
    let (charities, totals) = (&snapshot.charities, &snapshot.charity_totals);
    let request = PageRequest::or_first(List::of("start page"), None, CHARITIES);
    let (filter, order) = (CharityFilter::default(), CharityOrder::Received);
    let (top, _) = charities.in_order(totals, &filter, order, &request);
    let first = top.first().map(|charity| totals.of(charity.id));
    let home = Home {
        shell: Shell::public(info, "/"),
        charity_count: grouped(charities.count() as u64),
        donated: money::whole_dollars(totals.sum()),
        recently: recently.map(money::whole_dollars),
        chain_count: snapshot.chains.all().count(),
        totals: first.and_then(|stats| {
            let stats = donations::mapping::stats(&stats);
            let json = serde_json::to_string_pretty(&stats).ok()?;
            Some(highlight::html("json", &json))
        }),
        charities: top
            .into_iter()
            .map(|charity| CharityCard::of(charity, totals))
            .collect(),
    };
    Ok(Page::html(policy::PAGE, home.render()?).chosen_by_accept())
}

/// The links of the start page, for programs.
pub(super) fn index(info: &SiteInfo) -> Page {
    let (api, root) = (&info.api, info.site());
    let links = json!({
        "name": info.service,
        "api": api,
        "contract": format!("{api}/openapi"),
        "documentation": format!("{root}/docs/"),
        "status": format!("{root}/status"),
    });
    Page::new("application/json", policy::FILE, links.to_string()).chosen_by_accept()
}
