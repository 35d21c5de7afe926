//! The public page of a charity.

use askama::Template;
use jiff::Timestamp;

use super::{category, country};
use crate::chart::grouped;
use crate::donation_chart::DonationChart;
use crate::logo::Logo;
use crate::money;
use crate::site::{Page, PageError, Shell, SiteInfo, policy};
use features::analytics::series::Point;
use features::campaigns::{CampaignProgress, CampaignStatus};
use features::catalogue::Snapshot;
use features::chains::Chain;
use features::charities::{Charity, CharityId};
use features::domain::day::Day;
use features::donations::ReceivedDonation;
use features::rollups::ReceivedOnDay;

/// Caches keep this page for as long as the server does, which is shorter for one without donations.
const CACHE: &str = "public, max-age=60";
const CACHE_WITHOUT: &str = "public, max-age=5";

/// The latest donations that a page lists.
pub(super) const LATEST: usize = 10;

/// What the page shows of the donations to a charity.
pub(super) struct Received {
    /// The latest ones.
    pub(super) latest: Vec<ReceivedDonation>,
    /// The sums of the days of the chart.
    pub(super) days: Vec<(Day, ReceivedOnDay)>,
}

#[derive(Template)]
#[template(path = "public_pages/charity.html")]
struct CharityPage<'a> {
    shell: Shell<'a>,
    charity: &'a Charity,
    category: String,
    place: String,
    website: Option<&'a str>,
    links: Vec<(&'a str, &'a str)>,
    campaigns: Vec<CampaignRow<'a>>,
    logo: Logo,
    /// The sum of donations to it, and their number.
    total: (String, String),
    last: Option<String>,
    /// The latest ones; `None` if they are not known now.
    donations: Option<Vec<DonationRow<'a>>>,
    /// What it received in the last 30 days, if that is known and it is something.
    donated: Option<DonationChart>,
}

struct CampaignRow<'a> {
    title: &'a str,
    description: &'a str,
    status: &'static str,
    is_active: bool,
    raised: String,
    goal: String,
    /// The amounts as a `<progress>` has them: `raised` is at most `goal`.
    bar: (i64, i64),
    ends: Option<String>,
}

struct DonationRow<'a> {
    at: Timestamp,
    day: String,
    received: String,
    given: String,
    chain: &'a str,
    transaction: &'a str,
    /// The transaction's page in the explorer of its chain.
    explorer: Option<String>,
}

/// The page of an active charity with its newest donations, if they are known; `None` if there is none.
pub(super) fn page(
    info: &SiteInfo,
    snapshot: &Snapshot,
    id: CharityId,
    received: Option<&Received>,
    now: Timestamp,
) -> Option<Result<Page, PageError>> {
    let charity = snapshot.charities.profile(&id.0.to_string())?;
    let campaigns = snapshot.campaigns.of_charity(id);
    let total = snapshot.charity_totals.of(id);
    let cache = match received {
        Some(_) => CACHE,
        None => CACHE_WITHOUT,
    };
    let donated = received.and_then(|received| chart(&received.days, now));
    let donations = received.map(|received| {
        let rows = received.latest.iter().map(|it| donation(it, snapshot));
        rows.collect()
    });
    let links = charity.social_links.iter();
    let page = CharityPage {
        shell: Shell::public(info, &format!("/charities/{}", charity.slug)),
        charity,
        category: category::name(charity.category),
        place: place(charity),
        website: charity.website.as_deref().filter(|url| is_web(url)),
        links: links
            .filter(|link| is_web(&link.url))
            .map(|link| (link.network.as_str(), link.url.as_str()))
            .collect(),
        campaigns: campaigns.map(|progress| campaign(progress, now)).collect(),
        logo: Logo::of(charity),
        total: (money::whole_dollars(total.usd), grouped(total.donations)),
        last: total.last.map(day),
        donations,
        donated,
    };
    let written = page.render().map_err(PageError::from);
    Some(written.map(|html| Page::html(policy::PAGE, html).cached(cache)))
}

/// The chart of the days of a charity, unless it received nothing.
fn chart(days: &[(Day, ReceivedOnDay)], now: Timestamp) -> Option<DonationChart> {
    let point = |(day, received): &(Day, ReceivedOnDay)| Point {
        start: day.date().into(),
        usd: received.usd,
        donations: received.donations,
    };
    let days: Vec<_> = days.iter().map(point).collect();
    let chart = DonationChart::new(DonationChart::range(now)?, &days);
    (!chart.is_empty()).then_some(chart)
}

/// City, region and country, as far as they are known.
fn place(charity: &Charity) -> String {
    let address = &charity.address;
    let parts = [address.city.as_deref(), address.region.as_deref()];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    [&parts[..], &[country::name(&charity.country)]]
        .concat()
        .join(", ")
}

/// Whether a link is one of the web, as a page may have it; a `javascript:` URL is not.
fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

fn campaign(progress: &CampaignProgress, now: Timestamp) -> CampaignRow<'_> {
    let campaign = &progress.campaign;
    let status = campaign.status(now);
    let goal = campaign.goal.0.max(1);
    CampaignRow {
        title: &campaign.title,
        description: &campaign.description,
        status: match status {
            CampaignStatus::Upcoming => "upcoming",
            CampaignStatus::Active => "running",
            CampaignStatus::Ended => "ended",
        },
        is_active: status == CampaignStatus::Active,
        raised: money::dollars(progress.raised),
        goal: money::dollars(campaign.goal),
        bar: (progress.raised.0.clamp(0, goal), goal),
        ends: campaign.ends_at.map(day),
    }
}

fn donation<'a>(received: &'a ReceivedDonation, snapshot: &'a Snapshot) -> DonationRow<'a> {
    let donation = &received.donation;
    let token = &donation.token;
    let chain = snapshot.chains.find(token.id.chain);
    let amount = money::tokens(donation.amount, token.decimals);
    DonationRow {
        at: donation.at,
        day: day(donation.at),
        received: money::dollars(received.received),
        given: format!("{amount} {}", token.symbol),
        chain: chain.map_or("", |chain| chain.name.as_str()),
        transaction: &donation.transaction,
        explorer: transaction_url(&donation.transaction, chain),
    }
}

/// The page of a transaction in the explorer of its chain, if there is one.
pub(crate) fn transaction_url(transaction: &str, chain: Option<&Chain>) -> Option<String> {
    let explorer = chain?.explorer.as_deref().filter(|url| is_web(url))?;
    Some(format!(
        "{}/tx/{transaction}",
        explorer.trim_end_matches('/')
    ))
}

/// A day in UTC, such as `4 May 2026`.
fn day(at: Timestamp) -> String {
    at.strftime("%-d %B %Y").to_string()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use features::catalogue::CatalogueUpdate;
    use features::charities::{Category, PostalAddress, SocialLink};
    use features::database::{Update, Versions};

    const SCRIPT: &str = "javascript:alert(1)";

    fn written(website: &str, link: &str) -> String {
        let id = CharityId(Uuid::from_u128(1));
        let charity = Charity {
            id,
            slug: "river-trust".to_owned(),
            name: "River Trust".to_owned(),
            description: String::new(),
            logo: None,
            website: Some(website.to_owned()),
            address: PostalAddress::default(),
            country: "NL".to_owned(),
            tax_id: None,
            category: Category::Environment,
            social_links: vec![SocialLink {
                network: "elsewhere".to_owned(),
                url: link.to_owned(),
            }],
            verified: true,
            active: true,
            listed_at: Timestamp::UNIX_EPOCH,
        };
        let snapshot = Snapshot::build(CatalogueUpdate {
            versions: Versions::default(),
            charities: Update::All(vec![charity]),
            received: Update::All(Vec::new()),
            campaigns: Update::All(Vec::new()),
            campaign_configs: Vec::new(),
            chains: Update::All(Vec::new()),
        });
        let info = SiteInfo {
            service: "Test".to_owned(),
            api: "http://test/api/v1".to_owned(),
            has_dashboard: false,
        };
        let received = Received {
            latest: Vec::new(),
            days: Vec::new(),
        };
        let page = page(&info, &snapshot, id, Some(&received), Timestamp::UNIX_EPOCH);
        page.unwrap().unwrap().text().to_owned()
    }

    #[test]
    fn a_page_links_to_the_web_alone() {
        let page = written("https://river.example", "http://social.example");
        for url in ["https://river.example", "http://social.example"] {
            assert!(page.contains(&format!("href=\"{url}\"")), "{page}");
        }
        for other in [SCRIPT, "data:text/html,x", "//elsewhere.example", "river"] {
            let page = written(other, other);
            assert!(!page.contains(&format!("href=\"{other}")), "{page}");
            assert!(!page.contains("Website") && !page.contains("Elsewhere"));
        }
    }

    #[test]
    fn a_page_has_one_address_whatever_it_was_asked_by() {
        let page = written("https://river.example", "https://social.example");
        let address = "<link rel=\"canonical\" href=\"http://test/charities/river-trust\">";
        assert!(page.contains(address), "{page}");
    }
}
